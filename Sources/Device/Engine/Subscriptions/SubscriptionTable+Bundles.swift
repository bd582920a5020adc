public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension SubscriptionTable {
    /// The status of a subscription, its next charge and whether another one pays for it; a part of a bundle that is
    /// over has ended with it.
    ///
    /// - Parameter bundles: those that were read already, for the other parts of a list.
    func standing(
        of subscription: Subscription, on today: CalendarDay, _ bundles: inout [UUID: Subscription]
    ) throws -> (status: SubscriptionStatus, next: CalendarDay?, isBundled: Bool) {
        let next = try comingBilling(of: subscription, onOrAfter: today, &bundles)
        var status = subscription.status(on: today)
        if !status.isOver, try isOverWithBundle(subscription, on: today, &bundles) { status = .ended }
        return (status, next, subscription.bundledIn != nil && (!status.isOver || next != nil))
    }

    func summary(_ id: UUID, on today: CalendarDay) throws -> SubscriptionSummary {
        let subscription = try load(id)
        var bundles: [UUID: Subscription] = [:]
        let (status, next, isBundled) = try standing(of: subscription, on: today, &bundles)
        return SubscriptionSummary(
            id: id, name: subscription.name, amount: subscription.price(on: today), cycle: subscription.cycle,
            nextBillingOn: next, scope: subscription.scope, category: subscription.category, status: status,
            cancelsOn: subscription.cancelsOn(after: today), isVariable: subscription.isVariable, isBundled: isBundled,
            isOnHold: status == .paused && subscription.nextCharge(onOrAfter: today) == nil)
    }

    /// What a subscription includes, sorted by name.
    ///
    /// - Parameter isDeep: whether also what these include.
    func parts(of id: UUID, isDeep: Bool = false) throws -> [Subscription] {
        let sql = """
            WITH RECURSIVE parts (id) AS (SELECT id FROM subscriptions WHERE bundled_in = ?1\
            \(isDeep ? " UNION SELECT s.id FROM subscriptions s JOIN parts ON s.bundled_in = parts.id" : "")) \
            SELECT id FROM parts WHERE id <> ?1
            """
        return try session.query(sql, [.uuid(id)]) { try $0.uuid(0) }.map { try load($0) }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// As ``DeviceStore/Subscriptions/parts(endingWith:on:at:)``.
    func parts(endingWith id: UUID, on day: CalendarDay, today: CalendarDay) throws -> [SubscriptionSummary] {
        try parts(of: id, isDeep: true).filter { !$0.status(on: day).isOver }.map { try summary($0.id, on: today) }
    }
}

extension DeviceStore.Subscriptions {
    /// What ends with a subscription when that is cancelled from a day on: what it includes, also through others, as
    /// far as it still runs then. Sorted by name.
    public func parts(
        endingWith id: UUID, on day: CalendarDay, at moment: Moment
    ) throws -> [SubscriptionSummary] {
        try store.read(at: moment) { session in
            try SubscriptionTable(session).parts(endingWith: id, on: day, today: moment.today)
        }
    }
}

public import Foundation
public import SubGuardDomain

extension StatementProposal {
    /// The day on which a charge was due, within the delay of its cycle; else the day of booking.
    public func due(_ charge: StatementCharge) -> CalendarDay {
        let tolerance = Int(BookingRhythm.tolerance(of: cycle).rounded(.up))
        guard let due = schedule.nearest(charge.on), abs(due.days(until: charge.on)) <= tolerance else {
            return charge.on
        }
        return due
    }

    /// The subscription that the proposal stands for, with its prices and its end. Billing days before today are not
    /// expected; the ledger has those of the statement.
    public func subscription(id: UUID, today: CalendarDay, now: UTCInstant) throws(Fault) -> Subscription {
        let first = charges.first.map { due($0) } ?? schedule.anchor
        var subscription = Subscription(
            id: id, name: Self.name(name), price: prices.first?.amount ?? amount, schedule: schedule,
            startedOn: min(first, today), createdAt: now)
        subscription.trackedFrom = max(subscription.startedOn, today)
        for price in prices.dropFirst() { subscription.placePrice(price.amount, from: priceDay(price.from)) }
        subscription.isVariable = isVariable
        if let item {
            subscription.scope = SubscriptionScope(catalogue: item.category)
            subscription.category = SubscriptionCategory(catalogue: item.category)
        }
        subscription.catalogueItemID = item?.id
        subscription.website = item?.website ?? ""
        subscription.contract.noticeDays = item?.noticeDays ?? 0
        if let endedOn { subscription.setState(.cancelled, from: endedOn) }
        return try subscription.validated()
    }

    /// A price holds from the day that was due, not from the day of booking.
    private func priceDay(_ booked: CalendarDay) -> CalendarDay {
        charges.first { $0.on == booked }.map { due($0) } ?? booked
    }

    /// What a bank writes need not be a valid name.
    private static func name(_ text: String) -> String {
        (try? FieldRules.name(String(text.prefix(80)), field: "name")) ?? "Subscription"
    }
}

public import Foundation
public import SubGuardDomain

extension Subscription {
    /// Whether another one, which is newer, has a price of this one, the same cycle and the same billing days.
    func hasCharges(of new: Subscription) -> Bool {
        guard cycle == new.cycle, price == new.price || prices.contains(where: { $0.amount == new.price }) else {
            return false
        }
        return hasBillingDays(of: new)
    }

    /// Whether the first billing day of one of both is one of the other.
    fileprivate func hasBillingDays(of new: Subscription) -> Bool {
        let (first, second) = (schedule.anchor, new.schedule.anchor)
        return schedule.next(onOrAfter: second) == second || new.schedule.next(onOrAfter: first) == first
    }
}

extension DeviceStore.Subscriptions {
    /// Others of the same service or name with the same price, cycle and billing days: probably the same one, entered
    /// twice.
    public func twins(of id: UUID) throws -> [Subscription] {
        let all = try self.all()
        guard let new = all.first(where: { $0.id == id }) else { return [] }
        let name = TextFolding.fold(new.name)
        return all.filter { old in
            let isSame =
                TextFolding.fold(old.name) == name
                || new.catalogueItemID != nil && old.catalogueItemID == new.catalogueItemID
            return old.id != id && isSame && old.hasCharges(of: new)
        }
    }
}

/// Recognises rows without an id that are a subscription which is there already: from the database, from an earlier
/// reading of the file, or from another row of it.
struct ImportTwins {
    private struct Key: Hashable {
        var name: String
        var price: Money
        var cycle: BillingCycle

        /// One for each price that a subscription had.
        static func all(_ subscription: Subscription) -> Set<Key> {
            let name = TextFolding.fold(subscription.name)
            return Set(
                ([subscription.price] + subscription.prices.map(\.amount)).map {
                    Key(name: name, price: $0, cycle: subscription.cycle)
                })
        }
    }

    /// How many of one name, price and cycle are compared: a foreign file may have any number.
    private static let mostCompared = 64

    private var present: [Key: [Subscription]]

    init(_ present: [Subscription]) {
        self.present = [:]
        for subscription in present { add(subscription) }
    }

    /// The subscription that a new one would repeat: the same name, price, currency and cycle, and the same first day,
    /// where the row has it, else the same billing days. Nil for what is not there.
    func twin(of new: Subscription, in draft: SubscriptionDraft) -> Subscription? {
        let key = Key(name: TextFolding.fold(new.name), price: new.price, cycle: new.cycle)
        return present[key]?.first { old in
            (draft[.startedOn] == nil || old.startedOn == new.startedOn) && old.hasBillingDays(of: new)
        }
    }

    mutating func add(_ subscription: Subscription) {
        for key in Key.all(subscription) where present[key]?.count ?? 0 < Self.mostCompared {
            present[key, default: []].append(subscription)
        }
    }
}

/// Counts the charges before today of what a file adds or changes: a short file can stand for many.
package struct PastCharges {
    /// Some thirty times what a household has in ten years.
    package static let most = 200_000

    private let today: CalendarDay
    private let most: Int
    private var count = 0

    package init(before today: CalendarDay, most: Int = Self.most) {
        self.today = today
        self.most = most
    }

    /// Call it before they are written. Throws a fault once the file stands for too many.
    package mutating func take(_ subscription: Subscription) throws(Fault) {
        if count <= most { count += subscription.billingDays(before: today).count }
        guard count > most else { return }
        throw Fault(
            "started_on", .outOfRange, "The subscriptions of a file may have at most \(most) charges before today.")
    }
}

public import Foundation
public import SubGuardDomain

/// Who pays which part of a price. The owner bears the parts of people who were deleted.
public struct ShareParts: Sendable, Hashable {
    /// What another person pays.
    public struct Part: Sendable, Hashable {
        /// The person who pays.
        public var personID: UUID
        /// The name of the person.
        public var name: String
        /// What they pay of the price.
        public var amount: Money
    }

    /// What is divided.
    public var price: Money
    /// Whether the fixed parts exceed the price, which has fallen; they are then given as agreed.
    public var exceedsPrice = false
    /// The parts of the others, in the order of the split.
    public var others: [Part] = []

    /// The owner's part; negative when the other parts exceed the price.
    public var owner: Money {
        Money(minorUnits: price.minorUnits - others.reduce(0) { $0 + $1.amount.minorUnits }, currency: price.currency)
    }

    /// The owner pays everything.
    public init(price: Money) { self.price = price }

    /// - Parameter names: of the people who are there.
    init(_ share: SubscriptionShare, of price: Money, _ names: [UUID: String]) {
        self.price = price
        exceedsPrice = share.exceeds(price)
        let amounts =
            exceedsPrice
            ? zip(share.split.people, share.split.weights).map { PersonAmount(personID: $0, minorUnits: $1) }
            : (try? share.parts(of: price).others) ?? []
        others = amounts.compactMap { part in
            names[part.personID].map { name in
                Part(
                    personID: part.personID, name: name,
                    amount: Money(minorUnits: part.minorUnits, currency: price.currency))
            }
        }
    }
}

extension DeviceStore.Sharing {
    /// Each person's part of a price; nil for a share stands for none.
    public func parts(of share: SubscriptionShare?, _ price: Money) throws -> ShareParts {
        guard let share, !share.split.people.isEmpty else { return ShareParts(price: price) }
        return ShareParts(share, of: price, try store.read { try SharingReader($0).presentNames() })
    }

    /// Each person's part of the price on the first day of a period.
    public func parts(of period: SharePeriod, _ subscription: Subscription) throws -> ShareParts {
        try parts(
            of: period.split.map { SubscriptionShare(subscriptionID: subscription.id, split: $0) },
            subscription.price(on: period.from))
    }
}

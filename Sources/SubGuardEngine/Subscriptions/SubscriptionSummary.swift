public import Foundation
public import SubGuardDomain

/// A subscription as lists show it, as of a day.
public struct SubscriptionSummary: Sendable, Hashable, Identifiable {
    public var id: UUID
    public var name: String
    /// The price of the day.
    public var amount: Money
    public var cycle: BillingCycle
    /// The next billing day, whatever the status; nil when there is none.
    public var nextBillingOn: CalendarDay?
    public var category: SubscriptionCategory
    public var status: SubscriptionStatus

    public var annualAmount: Money { amount.annual(cycle) }
    public var monthlyAmount: Money { amount.monthly(cycle) }
}

/// Which subscriptions a list holds; nil for all.
public struct SubscriptionFilter: Sendable, Hashable {
    public var category: SubscriptionCategory?
    public var status: SubscriptionStatus?
    /// Words that the name must contain, without regard to case and accents.
    public var search: String?

    public init(category: SubscriptionCategory? = nil, status: SubscriptionStatus? = nil, search: String? = nil) {
        self.category = category
        self.status = status
        self.search = search
    }
}

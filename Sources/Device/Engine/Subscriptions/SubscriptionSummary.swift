public import Foundation
public import SubGuardDomain

/// A subscription as lists show it, as of a day.
public struct SubscriptionSummary: Sendable, Hashable, Identifiable {
    public var id: UUID
    public var name: String
    /// The price of the day.
    public var amount: Money
    public var cycle: BillingCycle
    /// The next billing day; nil once nothing more is charged. Of a paused subscription it is the day on which the charge
    /// would be.
    public var nextBillingOn: CalendarDay?
    public var category: SubscriptionCategory
    public var status: SubscriptionStatus

    /// Zero once nothing more is charged.
    public var annualAmount: Money { nextBillingOn == nil ? none : amount.annual(cycle) }
    /// Zero once nothing more is charged.
    public var monthlyAmount: Money { nextBillingOn == nil ? none : amount.monthly(cycle) }

    private var none: Money { Money(minorUnits: 0, currency: amount.currency) }
}

/// A text that names are searched for.
struct NameSearch {
    /// Compared with folded names; nil for a text without a letter or digit, which folding would part words at.
    private let folded: String?
    private let raw: String

    init(_ text: String) {
        raw = CatalogueRules.trimmed(text)
        let folded = TextFolding.fold(text)
        let hasWords = folded.unicodeScalars.contains { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
        self.folded = hasWords || raw.isEmpty ? folded : nil
    }

    /// - Parameter name: as it was entered; `folded` is its ``TextFolding``.
    func finds(name: String, folded foldedName: String) -> Bool {
        guard let folded else { return name.contains(raw) }
        return folded.isEmpty || foldedName.contains(folded)
    }
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

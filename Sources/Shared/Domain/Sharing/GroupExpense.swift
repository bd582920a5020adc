public import Foundation

/// Something that members of a group paid for several of them.
public struct GroupExpense: Sendable, Hashable, Identifiable {
    public var id: UUID
    public var groupID: UUID
    public var title: String
    public var amount: Money
    /// What each payer paid; adds up to ``amount``.
    public var payers: [PersonAmount]
    public var split: Split
    public var spentOn: CalendarDay
    public var category = ""
    public var notes = ""
    /// A file that the client keeps.
    public var receiptPath = ""
    /// Settled otherwise; counts for no balance.
    public var isSettled = false
    public var createdAt: UTCInstant

    public init(
        id: UUID, groupID: UUID, title: String, amount: Money, payers: [PersonAmount], split: Split,
        spentOn: CalendarDay, createdAt: UTCInstant
    ) {
        self.id = id
        self.groupID = groupID
        self.title = title
        self.amount = amount
        self.payers = payers
        self.split = split
        self.spentOn = spentOn
        self.createdAt = createdAt
    }

    /// The same with its texts trimmed. Throws the first rule that is broken: the payers must pay the whole amount, the
    /// split must divide it, and all must be members.
    public func validated(members: Set<UUID>) throws(Fault) -> GroupExpense {
        var valid = self
        valid.title = try FieldRules.name(title, field: "title")
        _ = try FieldRules.positive(amount, field: "amount")
        valid.notes = try FieldRules.note(notes, field: "notes")
        valid.category = try FieldRules.line(category, field: "category", maximumLength: 100)
        guard !payers.isEmpty, Set(payers.map(\.personID)).count == payers.count,
            payers.allSatisfy({ $0.minorUnits > 0 && $0.minorUnits <= FieldRules.maximumMinorUnits }),
            payers.count <= Split.maximumPeople, payers.reduce(0, { $0 + $1.minorUnits }) == amount.minorUnits
        else {
            throw Fault("paid_by", .outOfRange, "What was paid must add up to the amount.")
        }
        _ = try split.parts(of: amount)
        guard split.kind != .free else {
            throw Fault("split", .outOfRange, "Somebody must bear the expense.")
        }
        guard members.isSuperset(of: payers.map(\.personID)) else {
            throw Fault("paid_by", .notFound, "Payers must be members of the group.")
        }
        guard members.isSuperset(of: split.people) else {
            throw Fault("between", .notFound, "Must be members of the group.")
        }
        return valid
    }
}

/// Who bears which part of a subscription.
public struct SubscriptionShare: Sendable, Hashable {
    public var subscriptionID: UUID
    public var split: Split
    /// Whether the others have agreed.
    public var isAccepted = false
    public var notes = ""

    public init(subscriptionID: UUID, split: Split) {
        self.subscriptionID = subscriptionID
        self.split = split
    }

    /// What each person bears of a charge, and what is left for the owner.
    ///
    /// An even split, and one by shares, counts the owner in: two others and the owner bear a third each, the owner
    /// with one share. Percentages and amounts are the others'; the owner bears the rest.
    public func parts(of amount: Money) throws(Fault) -> (others: [PersonAmount], owner: Int64) {
        let owner = Self.owner
        switch split.kind {
        case .free: return (try split.parts(of: amount), amount.minorUnits)
        case .even, .shares:
            let isEven = split.kind == .even
            let whole = Split(
                kind: split.kind, people: [owner] + split.people, weights: isEven ? [] : [1] + split.weights)
            let parts = try whole.parts(of: amount)
            return (Array(parts.dropFirst()), parts[0].minorUnits)
        case .percent, .exact:
            try split.requireShape()
            let limit = split.kind == .percent ? 10_000 : amount.minorUnits
            let sum = split.weights.reduce(0, +)
            guard sum <= limit else {
                throw Fault("parts", .outOfRange, "The parts are more than the whole.")
            }
            let whole = Split(
                kind: split.kind, people: [owner] + split.people, weights: [limit - sum] + split.weights)
            let parts = try whole.parts(of: amount)
            return (Array(parts.dropFirst()), parts[0].minorUnits)
        }
    }

    /// What holds of every price: fixed parts may be more than today's, which may have fallen since they were agreed.
    public func requireShape() throws(Fault) {
        try split.requireShape()
        // At most 200 parts of at most 10^12.
        let whole = split.kind == .exact ? max(split.weights.reduce(0, +), 1) : 1
        _ = try parts(of: Money(minorUnits: whole, currency: .eur))
    }

    /// Whether fixed parts are more than an amount, so that nothing says how it is divided.
    public func exceeds(_ amount: Money) -> Bool {
        let sum = split.weights.reduce(Int64(0)) { sum, weight in
            let (sum, overflows) = sum.addingReportingOverflow(weight)
            return overflows ? .max : sum
        }
        return split.kind == .exact && sum > amount.minorUnits
    }

    /// Stands for the owner of the subscription, who is nobody's entry.
    private static let owner = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

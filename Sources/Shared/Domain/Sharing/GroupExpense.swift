public import Foundation

/// An expense paid by members of a group and shared among members.
public struct GroupExpense: Sendable, Hashable, Identifiable {
    /// Chosen by the app. Saving another expense with it replaces the stored one.
    public var id: UUID
    /// The group whose members share it.
    public var groupID: UUID
    /// The name of the expense: 1…200 characters, trimmed by ``validated(members:)``.
    public var title: String
    /// The total, greater than 0.
    public var amount: Money
    /// The amount each payer paid; the sum is ``amount``.
    public var payers: [PersonAmount]
    /// Which members bear which part; ``SplitKind/free`` is refused.
    public var split: Split
    /// The day of the expense; everyone involved must be a member of the group on it.
    public var spentOn: CalendarDay
    /// One line of at most 100 characters, as entered; empty for none.
    public var category = ""
    /// At most 10,000 characters, also on several lines; empty for none.
    public var notes = ""
    /// Path of a file stored by the client.
    public var receiptPath = ""
    /// Settled outside the app; ignored in balances.
    public var isSettled = false
    /// When it was recorded; set by the app.
    public var createdAt: UTCInstant

    /// Takes the fields as they are; the others get their defaults. ``validated(members:)`` checks them.
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

    /// Trims the title and checks the rules: the payers pay the whole amount, the split divides it, and everyone
    /// involved is a member. Throws every broken rule of a field, else the first one of how they fit together.
    public func validated(members: Set<UUID>) throws(FaultList) -> GroupExpense {
        let valid = try validatedFields()
        do throws(Fault) { try requireFitting(members) } catch { throw [error] }
        return valid
    }

    /// The rules of single fields.
    package func validatedFields() throws(FaultList) -> GroupExpense {
        var (valid, faults) = (self, FaultList())
        faults.collect { () throws(Fault) in valid.title = try FieldRules.name(title, field: "title") }
        faults.collect { () throws(Fault) in _ = try FieldRules.positive(amount, field: "amount") }
        faults.collect { () throws(Fault) in valid.notes = try FieldRules.note(notes, field: "notes") }
        faults.collect { () throws(Fault) in
            valid.category = try FieldRules.line(category, field: "category", maximumLength: 100)
        }
        guard faults.isEmpty else { throw faults }
        return valid
    }

    private func requireFitting(_ members: Set<UUID>) throws(Fault) {
        guard !payers.isEmpty, Set(payers.map(\.personID)).count == payers.count,
            payers.allSatisfy({ $0.minorUnits > 0 && $0.minorUnits <= FieldRules.maximumMinorUnits }),
            payers.count <= Split.maximumPeople, payers.reduce(0, { $0 + $1.minorUnits }) == amount.minorUnits
        else {
            throw Fault("paid_by", .outOfRange, "The amounts paid must add up to the total.")
        }
        _ = try split.parts(of: amount)
        guard split.kind != .free else {
            throw Fault("split", .outOfRange, "A group expense cannot be split as free.")
        }
        guard members.isSuperset(of: payers.map(\.personID)) else {
            throw Fault("paid_by", .notFound, "Payers must be members of the group on that day.")
        }
        guard members.isSuperset(of: split.people) else {
            throw Fault("between", .notFound, "Must be members of the group on that day.")
        }
    }
}

extension Sequence<GroupExpense> {
    /// What was spent in each currency, settled or not, sorted by code.
    public var totals: [Money] { Money.sums(of: lazy.map(\.amount)) }
}

/// How a subscription's cost is split between the owner and other people.
public struct SubscriptionShare: Sendable, Hashable {
    /// The subscription that is shared.
    public var subscriptionID: UUID
    /// The parts of the other people. The owner is not among them and bears the rest, or one share.
    public var split: Split
    /// Whether the other people agreed.
    public var isAccepted = false
    /// Notes on the agreement; empty for none.
    public var notes = ""

    /// Takes the fields as they are, as not accepted and without notes; ``requireShape()`` checks the split.
    public init(subscriptionID: UUID, split: Split) {
        self.subscriptionID = subscriptionID
        self.split = split
    }

    /// Each person's part of a charge, and the owner's.
    ///
    /// Even splits and splits by shares include the owner, with one share. With percentages and amounts, the owner pays
    /// the rest. `turn` is how many people, the owner first, come after the others when a cent cannot be divided.
    public func parts(of amount: Money, turn: Int = 0) throws(Fault) -> (others: [PersonAmount], owner: Int64) {
        let owner = Self.owner
        switch split.kind {
        case .free: return (try split.parts(of: amount), amount.minorUnits)
        case .even, .shares:
            let isEven = split.kind == .even
            let whole = Split(
                kind: split.kind, people: [owner] + split.people, weights: isEven ? [] : [1] + split.weights)
            let parts = try whole.parts(of: amount, turn: turn)
            return (Array(parts.dropFirst()), parts[0].minorUnits)
        case .percent, .exact:
            try split.requireShape()
            let limit = split.kind == .percent ? 10_000 : amount.minorUnits
            let sum = split.weights.reduce(0, +)
            guard sum <= limit else {
                throw Fault("parts", .outOfRange, "The parts exceed the total.")
            }
            let whole = Split(
                kind: split.kind, people: [owner] + split.people, weights: [limit - sum] + split.weights)
            let parts = try whole.parts(of: amount, turn: turn)
            return (Array(parts.dropFirst()), parts[0].minorUnits)
        }
    }

    /// Checks the rules that do not depend on the price. Fixed parts may exceed today's price, which may have fallen.
    public func requireShape() throws(Fault) {
        try split.requireShape()
        // At most 200 parts of at most 10^12.
        let whole = split.kind == .exact ? max(split.weights.reduce(0, +), 1) : 1
        _ = try parts(of: Money(minorUnits: whole, currency: .eur))
    }

    /// Whether fixed parts exceed an amount, so that the split is undefined.
    public func exceeds(_ amount: Money) -> Bool {
        let sum = split.weights.reduce(Int64(0)) { sum, weight in
            let (sum, overflows) = sum.addingReportingOverflow(weight)
            return overflows ? .max : sum
        }
        return split.kind == .exact && sum > amount.minorUnits
    }

    /// A placeholder for the owner, who is not in the list of people.
    private static let owner = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

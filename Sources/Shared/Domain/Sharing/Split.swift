public import Foundation

/// How an amount is divided between people.
public enum SplitKind: String, Sendable, Hashable, CaseIterable {
    /// Equal parts.
    case even
    /// Percentages that add up to 100.
    case percent
    /// Amounts that add up to the total.
    case exact
    /// Proportional to numbers, such as 2 and 1.
    case shares
    /// The payer pays everything; the others owe nothing.
    case free
}

/// One person's part of an amount, in minor units.
public struct PersonAmount: Sendable, Hashable {
    /// The person whose part it is.
    public var personID: UUID
    /// Cents, or whole units of a currency without decimals; the currency is that of the divided amount.
    public var minorUnits: Int64

    /// Takes the fields as they are.
    public init(personID: UUID, minorUnits: Int64) {
        self.personID = personID
        self.minorUnits = minorUnits
    }
}

/// How an amount is divided between people, exact to the minor unit.
public struct Split: Sendable, Hashable {
    /// How the parts are computed, and what ``weights`` mean.
    public var kind: SplitKind
    /// The people involved, without duplicates. The order decides who pays an indivisible remainder.
    public var people: [UUID]
    /// One per person: hundredths of a percent, minor units or numbers, depending on ``kind``. Empty for other kinds.
    public var weights: [Int64]

    /// How many people may share a cost.
    public static let maximumPeople = 200

    /// Shared with nobody.
    public static let unshared = Split(kind: .even, people: [])

    /// Takes the fields as they are; ``parts(of:)`` checks them.
    public init(kind: SplitKind, people: [UUID], weights: [Int64] = []) {
        self.kind = kind
        self.people = people
        self.weights = weights
    }

    /// Each person's part of `amount`; the sum of the parts is exactly `amount`.
    ///
    /// Indivisible minor units go to the largest remainders, then to the first people. Throws ``Fault`` for `parts` or
    /// `between`.
    public func parts(of amount: Money) throws(Fault) -> [PersonAmount] {
        try requireShape()
        switch kind {
        case .free: return people.map { PersonAmount(personID: $0, minorUnits: 0) }
        case .even: return divided(amount, [Int64](repeating: 1, count: people.count))
        case .percent:
            guard sum(weights) == 10_000 else { throw Self.invalid("Percentages must add up to 100.") }
            return divided(amount, weights)
        case .shares:
            guard let sum = sum(weights), sum > 0 else {
                throw Self.invalid("At least one share must be greater than 0.")
            }
            return divided(amount, weights)
        case .exact:
            guard sum(weights) == amount.minorUnits else { throw Self.invalid("Amounts must add up to the total.") }
            return zip(people, weights).map { PersonAmount(personID: $0, minorUnits: $1) }
        }
    }

    /// Checks the rules that do not depend on the amount; limits the parts so that their sum cannot overflow.
    func requireShape() throws(Fault) {
        guard !people.isEmpty, people.count <= Self.maximumPeople else {
            throw Fault("between", .outOfRange, "Must name 1 to \(Self.maximumPeople) people.")
        }
        guard Set(people).count == people.count else {
            throw Fault("between", .duplicate, "Must name each person once.")
        }
        let needsWeights = kind == .percent || kind == .exact || kind == .shares
        guard weights.count == (needsWeights ? people.count : 0) else {
            throw Self.invalid(
                needsWeights ? "Must give each person's part." : "An even or free split has no parts.")
        }
        guard weights.allSatisfy({ $0 >= 0 && $0 <= FieldRules.maximumMinorUnits }) else {
            throw Self.invalid("Parts must not be negative or too large.")
        }
    }

    /// The same parts, in the order of ``people``, when `turn` people come after the others for a cent that cannot be
    /// divided.
    func parts(of amount: Money, turn: Int) throws(Fault) -> [PersonAmount] {
        let first = people.isEmpty ? 0 : turn % people.count
        guard first > 0 else { return try parts(of: amount) }
        func turned<Element>(_ elements: [Element]) -> [Element] {
            elements.isEmpty ? [] : Array(elements[first...] + elements[..<first])
        }
        let parts = try Split(kind: kind, people: turned(people), weights: turned(weights)).parts(of: amount)
        return Array(parts[(parts.count - first)...] + parts[..<(parts.count - first)])
    }

    private func sum(_ weights: [Int64]) -> Int64? {
        // At most 200 parts of at most 10^12.
        weights.reduce(0, +)
    }

    private func divided(_ amount: Money, _ weights: [Int64]) -> [PersonAmount] {
        // The weights are not negative, and some are positive; each is a part of their sum, so that no quotient is
        // larger than the amount.
        let whole = UInt64(weights.reduce(0, +))
        let isNegative = amount.minorUnits < 0
        let magnitude = amount.minorUnits.magnitude
        var parts: [Int64] = []
        var remainders: [(index: Int, remainder: UInt64)] = []
        for (index, weight) in weights.enumerated() {
            let (quotient, remainder) = whole.dividingFullWidth(magnitude.multipliedFullWidth(by: UInt64(weight)))
            parts.append(Int64(quotient))
            remainders.append((index, remainder))
        }
        let rest = Int(magnitude - parts.reduce(0) { $0 + UInt64($1) })
        for (index, _) in remainders.sorted(by: { ($1.remainder, $0.index) < ($0.remainder, $1.index) }).prefix(rest) {
            parts[index] += 1
        }
        return zip(people, parts).map { PersonAmount(personID: $0, minorUnits: isNegative ? -$1 : $1) }
    }

    private static func invalid(_ detail: Sentence) -> Fault {
        Fault("parts", .outOfRange, detail)
    }

    /// Reads a percentage with up to two decimals, such as `33.33`, as hundredths of a percent.
    public static func percentage(_ text: String) -> Int64? {
        (try? Money(decimal: text, currency: .eur))?.minorUnits
    }
}

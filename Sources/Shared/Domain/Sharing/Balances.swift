public import Foundation

/// Who has paid how much more than their part, in one currency.
public struct Balances: Sendable, Hashable {
    /// In minor units; positive for those who get money back. They add up to zero.
    public private(set) var minorUnits: [UUID: Int64] = [:]

    public init() {}

    /// Takes in an expense: what each payer paid and what each person's part is. Both sides add up to the same.
    public mutating func add(paid: [PersonAmount], parts: [PersonAmount]) {
        for payment in paid { minorUnits[payment.personID, default: 0] += payment.minorUnits }
        for part in parts { minorUnits[part.personID, default: 0] -= part.minorUnits }
    }

    /// Takes in that money went from one to the other.
    public mutating func add(_ transfer: Transfer) {
        minorUnits[transfer.from, default: 0] += transfer.minorUnits
        minorUnits[transfer.to, default: 0] -= transfer.minorUnits
    }

    /// Those who have something to pay or to get, by id, so that the same expenses give the same settlement.
    var open: [(person: UUID, minorUnits: Int64)] {
        minorUnits.filter { $0.value != 0 }.map { ($0.key, $0.value) }
            .sorted { $0.person.lowercased < $1.person.lowercased }
    }
}

/// Money that one person gives to another to settle up.
public struct Transfer: Sendable, Hashable {
    public var from: UUID
    public var to: UUID
    /// More than zero.
    public var minorUnits: Int64

    public init(from: UUID, to: UUID, minorUnits: Int64) {
        self.from = from
        self.to = to
        self.minorUnits = minorUnits
    }
}

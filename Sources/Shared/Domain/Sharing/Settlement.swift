public import Foundation

/// How much more each person paid than their part, in one currency.
public struct Balances: Sendable, Hashable {
    /// In minor units, positive for people who get money back; the sum is 0.
    public private(set) var minorUnits: [UUID: Int64] = [:]

    /// Starts without balances.
    public init() {}

    /// Adds an expense: what each payer paid, and each person's part. Both sums must be equal.
    public mutating func add(paid: [PersonAmount], parts: [PersonAmount]) {
        for payment in paid { minorUnits[payment.personID, default: 0] += payment.minorUnits }
        for part in parts { minorUnits[part.personID, default: 0] -= part.minorUnits }
    }

    /// Adds a payment from one person to another.
    public mutating func add(_ transfer: Transfer) {
        minorUnits[transfer.from, default: 0] += transfer.minorUnits
        minorUnits[transfer.to, default: 0] -= transfer.minorUnits
    }

    /// People with a non-zero balance, sorted by id, so that the settlement is deterministic.
    var open: [(person: UUID, minorUnits: Int64)] {
        minorUnits.filter { $0.value != 0 }.map { ($0.key, $0.value) }
            .sorted { $0.person < $1.person }
    }
}

/// A payment that settles balances.
public struct Transfer: Sendable, Hashable {
    /// The person who pays.
    public var from: UUID
    /// The person who is paid.
    public var to: UUID
    /// Greater than 0.
    public var minorUnits: Int64

    /// Takes the fields as they are.
    public init(from: UUID, to: UUID, minorUnits: Int64) {
        self.from = from
        self.to = to
        self.minorUnits = minorUnits
    }
}

extension Balances {
    /// Number of people up to which the result is optimal; the work doubles with each person.
    public static let exactUpTo = 14

    /// Payments that bring every balance to 0.
    ///
    /// Optimal for up to ``exactUpTo`` open balances: people are divided into as many groups as possible that settle
    /// among themselves, and a group of n needs n − 1 payments. With more, pairs of equal amounts settle first, then
    /// debtors pay the largest creditor; at most one payment fewer than people.
    public func settlement() -> [Transfer] {
        let open = self.open
        guard open.count <= Self.exactUpTo else { return Self.greedy(Self.settlingPairs(open)) }
        return Self.groups(open).flatMap { Self.greedy((transfers: [], rest: $0)) }
    }

    private typealias Open = (person: UUID, minorUnits: Int64)

    /// Divides the balances into as many groups as possible whose sums are 0.
    private static func groups(_ open: [Open]) -> [[Open]] {
        let count = open.count
        guard count > 0 else { return [] }
        let full = 1 << count
        var sums = [Int64](repeating: 0, count: full)
        // The number of zero-sum groups the people of a mask can be divided into.
        var best = [Int8](repeating: 0, count: full)
        var last = [Int8](repeating: -1, count: full)
        for mask in 1..<full {
            let lowest = mask.trailingZeroBitCount
            sums[mask] = sums[mask & (mask - 1)] + open[lowest].minorUnits
            var most: Int8 = -1
            for person in 0..<count where mask & 1 << person != 0 {
                let before = best[mask ^ 1 << person]
                if before > most { (most, last[mask]) = (before, Int8(person)) }
            }
            best[mask] = most + (sums[mask] == 0 ? 1 : 0)
        }
        return trace(open, sums, last)
    }

    /// Follows the best order back; a group ends where the sum of the rest is 0.
    private static func trace(_ open: [Open], _ sums: [Int64], _ last: [Int8]) -> [[Open]] {
        var groups: [[Open]] = []
        var group: [Open] = []
        var mask = (1 << open.count) - 1
        while mask != 0 {
            let person = Int(last[mask])
            group.append(open[person])
            mask ^= 1 << person
            if sums[mask] == 0 {
                groups.append(group.sorted { $0.person < $1.person })
                group = []
            }
        }
        return groups.reversed()
    }

    /// Settles pairs whose balances cancel each other with one payment.
    private static func settlingPairs(_ open: [Open]) -> (transfers: [Transfer], rest: [Open]) {
        var transfers: [Transfer] = []
        var rest: [Open] = []
        var creditors: [Int64: [UUID]] = [:]
        for balance in open where balance.minorUnits > 0 {
            creditors[balance.minorUnits, default: []].append(balance.person)
        }
        for balance in open where balance.minorUnits < 0 {
            if let creditor = creditors[-balance.minorUnits]?.popLast() {
                transfers.append(Transfer(from: balance.person, to: creditor, minorUnits: -balance.minorUnits))
            } else {
                rest.append(balance)
            }
        }
        rest += creditors.flatMap { amount, people in people.map { ($0, amount) } }
        return (transfers, rest)
    }

    private static func greedy(_ start: (transfers: [Transfer], rest: [Open])) -> [Transfer] {
        var transfers = start.transfers
        var debtors = start.rest.filter { $0.minorUnits < 0 }.sorted(by: largestFirst)
        var creditors = start.rest.filter { $0.minorUnits > 0 }.sorted(by: largestFirst)
        while var debtor = debtors.first, var creditor = creditors.first {
            let amount = min(-debtor.minorUnits, creditor.minorUnits)
            transfers.append(Transfer(from: debtor.person, to: creditor.person, minorUnits: amount))
            debtor.minorUnits += amount
            creditor.minorUnits -= amount
            debtors.removeFirst()
            creditors.removeFirst()
            if debtor.minorUnits != 0 {
                debtors.insert(debtor, at: debtors.firstIndex { largestFirst(debtor, $0) } ?? debtors.count)
            }
            if creditor.minorUnits != 0 {
                creditors.insert(creditor, at: creditors.firstIndex { largestFirst(creditor, $0) } ?? creditors.count)
            }
        }
        return transfers
    }

    private static func largestFirst(_ left: Open, _ right: Open) -> Bool {
        let (leftSize, rightSize) = (left.minorUnits.magnitude, right.minorUnits.magnitude)
        return leftSize == rightSize ? left.person < right.person : leftSize > rightSize
    }
}

import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// The names and prices of subscriptions, for reading many rows of the ledger.
struct LedgerPayees {
    struct Payee {
        let number: Int64
        let id: UUID
        let name: String
        let firstPrice: Money
        var prices: [DatedPrice] = []

        func price(on day: CalendarDay) -> Money {
            prices.isEmpty ? firstPrice : prices.last { $0.from <= day }?.amount ?? firstPrice
        }
    }

    /// Up to this many are read one by one, more in one scan.
    private static let few = 100

    /// Sorted by name, then id, as charges of one day are.
    let all: [Payee]
    private let places: [Int64: Int]

    /// - Parameter rows: the subscriptions needed, each any number of times.
    init(_ session: any SQLSession, _ rows: some Collection<Int64>) throws {
        var payees: [Payee] = []
        var currencies: [String: Currency] = [:]
        var numbers: Set<Int64> = []
        // No further than needed: there may be many rows.
        for number in rows where numbers.insert(number).inserted && numbers.count > Self.few { break }
        let isFew = numbers.count <= Self.few
        let arguments: [[SQLValue]] = isFew ? numbers.sorted().map { [.integer($0)] } : [[]]
        let sql = """
            SELECT t.num, t.id_high, t.id_low, t.name, s.amount, s.currency \
            FROM standings t JOIN subscriptions s ON s.num = t.num \(isFew ? "WHERE t.num = ?" : "")
            """
        for arguments in arguments {
            try session.forEach(sql, arguments) { row in
                let code = try row.text(5)
                guard let currency = currencies[code] ?? Currency(code: code) else {
                    throw SQLError.malformed("currency")
                }
                currencies[code] = currency
                payees.append(
                    Payee(
                        number: try row.integer(0), id: try row.halvedUUID(1), name: try row.text(3),
                        firstPrice: Money(minorUnits: try row.integer(4), currency: currency)))
            }
        }
        let keys = payees.enumerated().map { (name: NameKey($1.name), place: $0) }.sorted { left, right in
            if left.name != right.name { return left.name < right.name }
            let (one, other) = (payees[left.place], payees[right.place])
            let order = Occurrence.nameOrder(one.name, other.name)
            return order == 0 ? one.id.halves < other.id.halves : order < 0
        }
        payees = keys.map { payees[$0.place] }
        var places: [Int64: Int] = [:]
        places.reserveCapacity(payees.count)
        for (place, payee) in payees.enumerated() { places[payee.number] = place }
        let prices = """
            SELECT subscription, from_day, amount, currency FROM prices \
            WHERE is_removed = 0 \(isFew ? "AND subscription = ?" : "") \
            ORDER BY subscription, from_day
            """
        for arguments in arguments {
            try session.forEach(prices, arguments) { row in
                guard let place = places[try row.integer(0)] else { return }
                payees[place].prices.append(try SubscriptionTable.price(row, at: 1))
            }
        }
        all = payees
        self.places = places
    }

    func place(of number: Int64) throws -> Int {
        guard let place = places[number] else { throw SQLError.malformed("subscription number") }
        return place
    }
}

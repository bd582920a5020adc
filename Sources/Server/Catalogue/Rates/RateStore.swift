import SQLDatabase
package import ServerAccess
package import SubGuardContract
package import SubGuardDomain
import SubGuardSQL

/// The reference rates that devices take along.
package struct RateStore: Sendable {
    private let context: BackendContext

    /// Rates compared and written in one transaction, so that no other writer waits long.
    private static let stepSize = 2_000

    package init(context: BackendContext) { self.context = context }

    /// Stores rates and returns how many were new or differed from the stored ones. Rates that are stored already and
    /// not given stay.
    ///
    /// Days are stored oldest first and in several transactions. After an error, what is stored is complete up to some
    /// day, so a device that asks from its newest day on misses nothing later.
    ///
    /// - Parameter rates: in any order, one for a day and currency.
    package func store(_ rates: [DatedRate]) throws -> Int {
        let sorted = rates.sorted { ($0.on, $0.currency.code) < ($1.on, $1.currency.code) }
        var changed = 0
        var rest = sorted[...]
        while let first = rest.first {
            let step = rest.prefix(Self.stepSize)
            rest = rest.dropFirst(step.count)
            let last = step.last?.on ?? first.on
            let known = try context.store.read { try Self.stored(first.on, last, in: $0) }
            let new = step.filter { known[Key(day: $0.on, code: $0.currency.code)] != $0.rate.decimal }
            guard !new.isEmpty else { continue }
            try context.store.write { transaction in
                for rate in new {
                    try transaction.execute(
                        """
                        INSERT INTO reference_rates (day_number, currency, rate) VALUES (?, ?, ?)
                        ON CONFLICT (day_number, currency) DO UPDATE SET rate = excluded.rate
                        """, [.day(rate.on), .text(rate.currency.code), .text(rate.rate.decimal)])
                }
            }
            changed += new.count
        }
        return changed
    }

    /// A page of whole days, oldest first.
    ///
    /// - Parameters:
    ///   - since: the first day; nil for the first one that is stored.
    ///   - count: the most rates on a page; one day is never divided.
    package func page(since: CalendarDay?, count: Int = RatePage.maximumCount) throws -> RatePage {
        let rows = try context.store.read { session in
            let sql = "SELECT day_number, currency, rate FROM reference_rates WHERE day_number >= ? "
            let start = since ?? .earliest
            return try session.query(
                sql + "ORDER BY day_number, currency LIMIT ?", [.day(start), .integer(Int64(count) + 1)], Self.rate)
        }
        guard rows.count > count, let next = rows.last?.on else { return RatePage(rates: rows, nextSince: nil) }
        return RatePage(rates: rows.filter { $0.on < next }, nextSince: next)
    }

    private struct Key: Hashable {
        let day: CalendarDay
        let code: String
    }

    private static func stored(
        _ first: CalendarDay, _ last: CalendarDay, in session: any SQLSession
    ) throws -> [Key: String] {
        let rows = try session.query(
            "SELECT day_number, currency, rate FROM reference_rates WHERE day_number BETWEEN ? AND ?",
            [.day(first), .day(last)]
        ) { (Key(day: try $0.day(0), code: try $0.text(1)), try $0.text(2)) }
        return Dictionary(rows) { $1 }
    }

    private static func rate(_ row: any SQLRow) throws -> DatedRate {
        guard let currency = Currency(code: try row.text(1)), let rate = ExchangeRate(try row.text(2)) else {
            throw SQLError.malformed("rate")
        }
        return DatedRate(currency: currency, on: try row.day(0), rate: rate)
    }
}

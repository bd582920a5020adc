public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore {
    /// What the charged subscriptions cost a year and a month, a row for each currency.
    public func totals(at moment: Moment) throws -> [CostTotals.Row] {
        try read(at: moment) { session in
            var totals = CostTotals()
            var currencies = CurrencyMemory()
            var categories = CategoryMemory()
            // In the order of the index, so that nothing has to be sorted.
            let sql = """
                SELECT currency, category, cycle, count(*), sum(amount) FROM standings \
                INDEXED BY idx_standings_is_counted WHERE is_counted = 1 GROUP BY currency, category, cycle
                """
            try session.forEach(sql, []) { row in
                guard let cycle = CycleCode.cycle(try row.integer(2)) else { throw SQLError.malformed("cycle") }
                totals.add(
                    try row.integer(4), currency: try currencies.currency(try row.integer(0)),
                    factor: cycle.annualFactor, category: try categories.category(try row.text(1)),
                    count: Int(try row.integer(3)))
            }
            return totals.rows
        }
    }

    /// What will be charged in this month from today on and in each of the following ones.
    public func forecast(months: Int = 12, at moment: Moment) throws -> [Forecast.Row] {
        try read(at: moment) { session in
            var forecast = Forecast(today: moment.today, months: months)
            var currencies = CurrencyMemory()
            let table = SubscriptionTable(session)
            let sql = """
                SELECT num, amount, currency, cycle, due_day, is_steady FROM standings \
                INDEXED BY idx_standings_due_day WHERE due_day IS NOT NULL AND due_day <= ?
                """
            try session.forEach(sql, [.day(forecast.through)]) { row in
                guard try row.integer(5) != 0 else {
                    forecast.add(try table.load(number: try row.integer(0)))
                    return
                }
                guard let cycle = CycleCode.cycle(try row.integer(3)) else { throw SQLError.malformed("cycle") }
                let price = Money(minorUnits: try row.integer(1), currency: try currencies.currency(try row.integer(2)))
                forecast.add(steady: price, cycle.step, next: try row.day(4))
            }
            return forecast.rows
        }
    }

    /// The last safe days to cancel, soonest first.
    public func cancelBy(at moment: Moment) throws -> [CancelByEntry] {
        try subscriptions().compactMap { subscription in
            subscription.cancelBy(today: moment.today).map {
                CancelByEntry(
                    subscriptionID: subscription.id, name: subscription.name, cancelBy: $0,
                    amount: subscription.price(on: $0.avoids))
            }
        }.sorted { ($0.cancelBy.lastDay, $0.name) < ($1.cancelBy.lastDay, $1.name) }
    }

    /// What cancelled subscriptions have saved so far, by name.
    public func savings(at moment: Moment) throws -> [Saving] {
        let all = try subscriptions()
        let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
        return all.compactMap { subscription in
            subscription.saving(today: moment.today, replacement: subscription.replacedBy.flatMap { byID[$0] })
        }.sorted { $0.name < $1.name }
    }

    /// Groups of charged subscriptions of which one may be too many.
    public func overlaps(at moment: Moment) throws -> [Overlap] {
        let charged = try subscriptions().filter { $0.status(on: moment.today).isCharged }
        return Overlap.find(
            among: charged.map {
                Overlap.Candidate(id: $0.id, name: $0.name, catalogueItemID: $0.catalogueItemID)
            })
    }

    /// What was charged so far, by currency: what was paid where that was noted, else the prices of the days; skipped
    /// days are not in it.
    ///
    /// - Parameter id: nil for all subscriptions.
    public func spending(
        of id: UUID? = nil, from first: CalendarDay = .earliest, through last: CalendarDay? = nil, at moment: Moment
    ) throws -> [Money] {
        try read(at: moment) { session in
            let filter = id == nil ? "" : "AND s.id = ?"
            let sql = """
                SELECT s.currency, sum(\(OccurrenceReader.charged)) FROM ledger l \
                JOIN subscriptions s ON s.num = l.subscription \
                WHERE (l.fate IN (1, 2) OR l.fate = 0 AND l.due_day < ?) AND l.due_day BETWEEN ? AND ? \(filter) \
                GROUP BY s.currency ORDER BY s.currency
                """
            let arguments: [SQLValue] = [.day(moment.today), .day(first), .day(last ?? moment.today)]
            return try session.query(sql, arguments + (id.map { [.uuid($0)] } ?? [])) { row in
                guard let currency = Currency(code: try row.text(0)) else { throw SQLError.malformed("currency") }
                return Money(minorUnits: try row.integer(1), currency: currency)
            }
        }
    }
}

/// A last safe day to cancel, with the subscription and what the charge that it avoids costs.
public struct CancelByEntry: Sendable, Hashable {
    public var subscriptionID: UUID
    public var name: String
    public var cancelBy: CancelBy
    public var amount: Money
}

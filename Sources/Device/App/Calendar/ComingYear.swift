import HTML
import SubGuardDomain
import SubGuardEngine

/// The twelve months from today: every charge on its day, at the price of that day.
struct ComingYear: Sendable {
    /// Amounts of one currency, such as those of each month, and their exact sum.
    struct Table<Key: Sendable>: Sendable {
        let rows: [(key: Key, amount: Money)]
        let total: Money
    }

    let first: CalendarDay
    /// The day before the same day of the next year.
    let last: CalendarDay
    /// One in the home currency, or one of each currency where they cannot be added up.
    let months: [Table<CalendarDay>]
    let categories: [Table<SubscriptionCategory>]

    init(_ visit: AppVisit) throws {
        let (totals, moment) = (visit.store.totals, visit.moment)
        first = moment.today
        last = first.adding(months: 12).adding(days: -1)
        let month = first.adding(days: 1 - first.day)
        let end = month.adding(months: 12)
        // What was charged today counts too, or confirming it would make the year shorter.
        var slices = [
            (month, try totals.statement(from: first, through: month.adding(months: 1).adding(days: -1), at: moment))
        ]
        slices += try totals.statements(ofMonthsFrom: month.adding(months: 1), count: 11, at: moment)
            .map { ($0.month, $0.statements) }
        if end <= last { slices.append((end, try totals.statement(from: end, through: last, at: moment))) }
        let byMonth = slices.map { month, statements in (month, statements.map(\.total)) }
        let byCategory = Dictionary(
            grouping: slices.flatMap { $0.1.flatMap(\.categories) }, by: \.category
        ).map { ($0, $1.map(\.sum.total)) }.sorted { SubscriptionCategory.inOrder($0.0, $1.0, visit.words) }
        months = try Self.tables(byMonth, visit)
        categories = try Self.tables(byCategory, visit)
            .map { Table(rows: $0.rows.filter { $0.amount.minorUnits != 0 }, total: $0.total) }
    }

    /// The whole year, by currency.
    var sums: [Money] { months.map(\.total) }

    private static func tables<Key>(_ rows: [(Key, [Money])], _ visit: AppVisit) throws -> [Table<Key>] {
        let all = Money.sums(of: rows.flatMap(\.1)).filter { $0.minorUnits != 0 }
        if !all.isEmpty, let sum = try visit.store.rates.coming(all, at: visit.moment),
            sum.converts(all.map(\.currency))
        {
            let rows = try rows.map { key, amounts in
                (key, try visit.store.rates.coming(amounts, at: visit.moment)?.amount ?? sum.amount)
            }
            return [Table(rows: rows, total: sum.amount)]
        }
        return all.map { total in
            Table(
                rows: rows.map { key, amounts in
                    let units = amounts.filter { $0.currency == total.currency }.map(\.minorUnits).clampedSum
                    return (key, Money(minorUnits: units, currency: total.currency))
                }, total: total)
        }
    }
}

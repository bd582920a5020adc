import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Reads what was spent: whole months from the read model, which the triggers of the schema keep up to date, the days
/// beside them from the ledger.
///
/// A charge of before today was spent, as recorded or at the price of its day; one of today or later once it was confirmed.
/// Skipped charges are left out.
struct SpendingReader {
    /// A sum of charges in one currency.
    struct Sum {
        /// Empty by subscription; the category by kind.
        let key: String
        /// Empty for other columns than the kind.
        let scope: String
        /// The row number of the subscription; 0 for other columns.
        let subscription: Int64
        let currency: Currency
        /// In minor units.
        let confirmed: Int64
        let assumed: Int64
        let count: Int
    }

    /// By what charges are added up. The raw value is the column.
    enum Column: String {
        case scope, category, month, subscription
        /// The scope and the category.
        case kind = "scope, category"
        /// Everything of one currency.
        case nothing = "''"
    }

    private static let columns = "month, scope, category, currency, confirmed, assumed"

    let session: any SQLSession
    let today: CalendarDay

    init(_ session: any SQLSession, today: CalendarDay) {
        self.session = session
        self.today = today
    }

    /// The sums of a range of days, both inclusive, without order.
    func sums(by column: Column, from first: CalendarDay, through last: CalendarDay) throws -> [Sum] {
        let (source, arguments) = column == .subscription ? bySubscription(first, last) : byMonth(first, last)
        let parts = column == .kind ? column.rawValue : "\(column.rawValue), ''"
        let sql = """
            SELECT \(parts), currency, sum(confirmed), sum(assumed), sum(count) FROM (\(source)) \
            GROUP BY 1, 2, 3 HAVING sum(count) > 0
            """
        return try session.query(sql, arguments) { row in
            guard let currency = Currency(code: try row.text(2)) else { throw SQLError.malformed("currency") }
            let isOfSubscription = column == .subscription
            return Sum(
                key: isOfSubscription ? "" : try row.text(column == .kind ? 1 : 0),
                scope: column == .kind ? try row.text(0) : "",
                subscription: isOfSubscription ? try row.integer(0) : 0, currency: currency,
                confirmed: try row.integer(3), assumed: try row.integer(4), count: Int(try row.integer(5)))
        }
    }

    /// Calls `body` with the charges of a day in each currency but one.
    func forEachDay(
        otherThan home: Currency, from first: CalendarDay, through last: CalendarDay,
        _ body: (CalendarDay, Money) -> Void
    ) throws {
        let sql = """
            SELECT due_day, currency, sum(confirmed + assumed) FROM charges WHERE \(Self.spent) AND currency <> ? \
            GROUP BY due_day, currency
            """
        try session.forEach(sql, spentArguments(first, last) + [.text(home.code)]) { row in
            guard let currency = Currency(code: try row.text(1)) else { throw SQLError.malformed("currency") }
            body(try row.day(0), Money(minorUnits: try row.integer(2), currency: currency))
        }
    }

    private func bySubscription(_ first: CalendarDay, _ last: CalendarDay) -> (String, [SQLValue]) {
        let columns = "subscription, currency, confirmed, assumed"
        let charges = "SELECT \(columns), 1 AS count FROM charges"
        guard first == .earliest, last >= today.adding(days: -1) else {
            return ("\(charges) WHERE \(Self.spent)", spentArguments(first, last))
        }
        return (
            "SELECT \(columns), count FROM subscription_spending UNION ALL \(charges) WHERE \(Self.spent)",
            spentArguments(today, last)
        )
    }

    private func byMonth(_ first: CalendarDay, _ last: CalendarDay) -> (String, [SQLValue]) {
        let charges = "SELECT \(Self.columns), 1 AS count FROM charges WHERE \(Self.spent)"
        let whole = wholeMonths(first, last)
        guard whole.from <= whole.through else { return (charges, spentArguments(first, last)) }
        let month = { (day: CalendarDay) in SQLValue.text(String(day.iso.prefix(7))) }
        return (
            """
            SELECT \(Self.columns), count FROM spending WHERE month BETWEEN ? AND ? \
            UNION ALL \(charges) UNION ALL \(charges)
            """,
            [month(whole.from), month(whole.through)]
                + spentArguments(first, whole.from.adding(days: -1))
                + spentArguments(whole.through.adding(days: 1), last)
        )
    }

    /// The days that the read model answers for. It holds nothing of today and later, so this month is whole.
    private func wholeMonths(_ first: CalendarDay, _ last: CalendarDay) -> (from: CalendarDay, through: CalendarDay) {
        let yesterday = today.adding(days: -1)
        let firstOfMonth = first.adding(days: 1 - first.day)
        let from = first == firstOfMonth ? first : firstOfMonth.adding(months: 1)
        guard last < yesterday else { return (from, yesterday) }
        let next = last.adding(days: 1)
        return (from, next.day == 1 ? last : next.adding(days: -next.day))
    }

    private static let spent = "due_day BETWEEN ? AND ? AND (due_day < ? OR fate IN (1, 2))"

    private func spentArguments(_ first: CalendarDay, _ last: CalendarDay) -> [SQLValue] {
        [.day(first), .day(last), .day(today)]
    }
}

import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Reads what was spent: whole months from the read model, which the triggers of the schema keep up to date, the days
/// beside them from the ledger.
///
/// A charge before today was spent, as recorded or at the price of its day; one of today or later once it was
/// confirmed. Skipped charges are left out.
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
        var confirmed: Int64
        var assumed: Int64
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

    /// The sums of a range of days, both inclusive, without order.
    func sums(by column: Column, from first: CalendarDay, through last: CalendarDay) throws -> [Sum] {
        if column == .subscription, first == .earliest, last >= today.adding(days: -1) {
            return try wholeSums(through: last)
        }
        let charges = "SELECT subscription, currency, confirmed, assumed, 1 AS count FROM charges WHERE \(Self.spent)"
        let (source, arguments) =
            column == .subscription ? (charges, spentArguments(first, last)) : byMonth(first, last)
        let parts = column == .kind ? column.rawValue : "\(column.rawValue), ''"
        let sql = """
            SELECT \(parts), currency, sum(confirmed), sum(assumed), sum(count) FROM (\(source)) \
            GROUP BY 1, 2, 3 HAVING sum(count) > 0
            """
        return try session.query(sql, arguments) { row in
            let isOfSubscription = column == .subscription
            return Sum(
                key: isOfSubscription ? "" : try row.text(column == .kind ? 1 : 0),
                scope: column == .kind ? try row.text(0) : "",
                subscription: isOfSubscription ? try row.integer(0) : 0, currency: try row.currency(2),
                confirmed: try row.integer(3), assumed: try row.integer(4), count: Int(try row.integer(5)))
        }
    }

    /// The same sums, less what others bear of shared subscriptions.
    func netSums(by column: Column, from first: CalendarDay, through last: CalendarDay) throws -> [Sum] {
        struct Place: Hashable {
            let key: String
            let subscription: Int64
            let currency: Currency
        }
        var sums = try sums(by: column, from: first, through: last)
        let places = Dictionary(
            sums.enumerated().map { index, sum in
                (Place(key: sum.key, subscription: sum.subscription, currency: sum.currency), index)
            }
        ) { one, _ in one }
        for part in try OthersReader(session: session, today: today).parts(from: first, through: last)
        where part.isCharged {
            let key =
                switch column {
                case .scope: part.kind.scope.rawValue
                case .category, .kind: part.kind.category.wire
                case .month: String(part.on.iso.prefix(7))
                case .subscription, .nothing: ""
                }
            let number = column == .subscription ? part.number : 0
            let place = Place(key: key, subscription: number, currency: part.amount.currency)
            guard let index = places[place] else { continue }
            if part.isConfirmed {
                sums[index].confirmed -= part.amount.minorUnits
            } else {
                sums[index].assumed -= part.amount.minorUnits
            }
        }
        return sums
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
            body(try row.day(0), try row.money(2, in: 1))
        }
    }

    /// The sums of each subscription since ever: the read model holds them one by one; the charges of today and later,
    /// of which there are few, are added.
    private func wholeSums(through last: CalendarDay) throws -> [Sum] {
        var sums: [Sum] = []
        var currencies: [String: Currency] = [:]
        let read = { (row: any SQLRow, currencies: inout [String: Currency]) throws -> Sum in
            let code = try row.text(1)
            guard let currency = currencies[code] ?? Currency(code: code) else { throw SQLError.malformed("currency") }
            currencies[code] = currency
            return Sum(
                key: "", scope: "", subscription: try row.integer(0), currency: currency,
                confirmed: try row.integer(2), assumed: try row.integer(3), count: Int(try row.integer(4)))
        }
        let stored =
            "SELECT subscription, currency, confirmed, assumed, count FROM subscription_spending WHERE count > 0"
        try session.forEach(stored, []) { sums.append(try read($0, &currencies)) }
        let charges = """
            SELECT subscription, currency, sum(confirmed), sum(assumed), count(*) FROM charges WHERE \(Self.spent) \
            GROUP BY subscription, currency
            """
        let recent = try session.query(charges, spentArguments(today, last)) { try read($0, &currencies) }
        guard !recent.isEmpty else { return sums }
        struct Key: Hashable {
            let subscription: Int64
            let currency: Currency
        }
        var places: [Key: Int] = [:]
        for (place, sum) in sums.enumerated() {
            places[Key(subscription: sum.subscription, currency: sum.currency)] = place
        }
        for sum in recent {
            guard let place = places[Key(subscription: sum.subscription, currency: sum.currency)] else {
                sums.append(sum)
                continue
            }
            let former = sums[place]
            sums[place] = Sum(
                key: "", scope: "", subscription: sum.subscription, currency: sum.currency,
                confirmed: former.confirmed + sum.confirmed, assumed: former.assumed + sum.assumed,
                count: former.count + sum.count)
        }
        return sums
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

import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// What was charged in a period and what is still to come, in one currency.
public struct PeriodStatement: Sendable, Hashable {
    /// The same for one category.
    public struct Part: Sendable, Hashable {
        public var category: SubscriptionCategory
        public var charged: Money
        public var toCome: Money

        public var total: Money {
            Money(minorUnits: charged.minorUnits + toCome.minorUnits, currency: charged.currency)
        }
    }

    public var currency: Currency
    /// Built-in categories first, then by name; only those with charges.
    public var categories: [Part]

    public var charged: Money { sum(\.charged) }
    public var toCome: Money { sum(\.toCome) }
    public var total: Money { sum(\.total) }

    private func sum(_ amount: KeyPath<Part, Money>) -> Money {
        Money(minorUnits: categories.reduce(0) { $0 + $1[keyPath: amount].minorUnits }, currency: currency)
    }
}

extension DeviceStore.Totals {
    /// What was charged from `first` through `last`, both included, and what is still to come; sorted by currency.
    ///
    /// A charge of before today was charged, as recorded or at the price of its day; one of today once it was confirmed.
    /// Skipped charges are left out.
    public func statement(
        from first: CalendarDay, through last: CalendarDay, at moment: Moment
    ) throws -> [PeriodStatement] {
        try store.read(at: moment) { session in
            var sums = StatementSums()
            let reader = SpendingReader(session, today: moment.today)
            for sum in try reader.sums(by: .category, from: first, through: min(last, moment.today)) {
                sums.add(sum.currency.code, sum.key, charged: sum.confirmed + sum.assumed)
            }
            if last >= moment.today {
                try addComing(from: max(first, moment.today), through: last, moment, session, &sums)
            }
            return try sums.statements()
        }
    }

    private func addComing(
        from first: CalendarDay, through last: CalendarDay, _ moment: Moment, _ session: any SQLSession,
        _ sums: inout StatementSums
    ) throws {
        let today = moment.today
        if let forecasts = try ForecastsByCategory(session, today: today, from: first, through: last) {
            try forecasts.forEach { sums.add($1.currency.code, $0, toCome: $1.minorUnits) }
            return
        }
        let categories = Dictionary(
            try session.query("SELECT id, category FROM subscriptions") { (try $0.uuid(0), try $0.text(1)) }
        ) { first, _ in first }
        let reader = OccurrenceReader(session, today: today)
        for occurrence in try reader.range(from: first, through: last) where occurrence.fate != .skipped {
            // Charged, and counted above.
            if occurrence.isPast(on: today) { continue }
            sums.add(
                occurrence.amount.currency.code, categories[occurrence.id.subscriptionID] ?? "",
                toCome: occurrence.amount.minorUnits)
        }
    }
}

/// What is still to come in whole months, by category: much faster than charge by charge, with the same sums.
private struct ForecastsByCategory {
    private let session: any SQLSession
    private let today: CalendarDay
    private let first: CalendarDay
    private let last: CalendarDay
    private let months: Int

    /// Nil for days that are not whole months, from today at the earliest.
    init?(_ session: any SQLSession, today: CalendarDay, from first: CalendarDay, through last: CalendarDay) throws {
        guard first == today || first.day == 1, last < .latest, last.adding(days: 1).day == 1 else { return nil }
        let (start, end) = (today.components, last.components)
        months = (end.year - start.year) * 12 + end.month - start.month + 1
        guard Forecast.monthsRange.contains(months) else { return nil }
        (self.session, self.today, self.first, self.last) = (session, today, first, last)
    }

    /// Calls `visit` with amounts to add up; those of charges of today that were confirmed are subtracted again.
    func forEach(_ visit: (_ category: String, _ amount: Money) -> Void) throws {
        let table = SubscriptionTable(session)
        var currencies = CurrencyCache()
        var forecasts: [String: Forecast] = [:]
        let coming = """
            SELECT category, due_day, num, is_steady, cycle, amount, currency FROM standings NOT INDEXED \
            WHERE due_day <= ?
            """
        try session.forEach(coming, [.day(last)]) { row in
            let category = try row.text(0)
            let place = forecasts[category] == nil ? Forecast(today: today, months: months) : nil
            if let place { forecasts[category] = place }
            guard try row.integer(3) != 0 else {
                let subscription = try table.load(number: try row.integer(2))
                forecasts[category]?.add(subscription)
                return
            }
            guard let cycle = CycleCode.cycle(try row.integer(4)) else { throw SQLError.malformed("cycle") }
            let price = Money(minorUnits: try row.integer(5), currency: try currencies.currency(try row.integer(6)))
            forecasts[category]?.add(steady: price, cycle.step, next: try row.day(1))
        }
        let month = first.adding(days: 1 - first.day)
        for (category, forecast) in forecasts {
            for row in forecast.rows where row.month >= month && row.amount.minorUnits != 0 {
                visit(category, row.amount)
            }
        }
        try forEachDecision(table, visit)
    }

    /// What the schedules do not say: a charge of today that was confirmed is no longer to come, and one that was confirmed
    /// ahead still is when the schedule has lost it, such as by a pause.
    private func forEachDecision(_ table: SubscriptionTable, _ visit: (_ category: String, _ amount: Money) -> Void)
        throws
    {
        let sql = """
            SELECT subscription, due_day, category, confirmed, currency FROM charges \
            WHERE fate IN (1, 2) AND due_day BETWEEN ? AND ?
            """
        try session.forEach(sql, [.day(first), .day(last)]) { row in
            let day = try row.day(1)
            let subscription = try table.load(number: try row.integer(0))
            let isScheduled = subscription.nextCharge(onOrAfter: day) == day
            guard isScheduled == (day == today) else { return }
            if isScheduled {
                let charge = subscription.charge(on: day)
                return visit(
                    try row.text(2), Money(minorUnits: -charge.minorUnits, currency: charge.currency))
            }
            guard day > today, let currency = Currency(code: try row.text(4)) else { return }
            visit(try row.text(2), Money(minorUnits: try row.integer(3), currency: currency))
        }
    }
}

private struct StatementSums {
    private struct Key: Hashable {
        let currency: String
        let category: String
    }

    private var parts: [Key: (charged: Int64, toCome: Int64)] = [:]

    mutating func add(_ currency: String, _ category: String, charged: Int64 = 0, toCome: Int64 = 0) {
        let key = Key(currency: currency, category: category)
        let old = parts[key] ?? (0, 0)
        parts[key] = (old.charged + charged, old.toCome + toCome)
    }

    func statements() throws -> [PeriodStatement] {
        let byCurrency = Dictionary(grouping: parts, by: \.key.currency)
        return try byCurrency.sorted { $0.key < $1.key }.compactMap { code, parts -> PeriodStatement? in
            guard let currency = Currency(code: code) else { throw SQLError.malformed("currency") }
            let rows = try parts.filter { $1 != (0, 0) }.map { key, sums in
                PeriodStatement.Part(
                    category: try SubscriptionCategory(key.category),
                    charged: Money(minorUnits: sums.charged, currency: currency),
                    toCome: Money(minorUnits: sums.toCome, currency: currency))
            }
            guard !rows.isEmpty else { return nil }
            return PeriodStatement(
                currency: currency,
                categories: rows.sorted {
                    ($0.category.isCustom ? 1 : 0, $0.category.wire) < ($1.category.isCustom ? 1 : 0, $1.category.wire)
                })
        }
    }
}

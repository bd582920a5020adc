import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// What was charged in a period and what is still to come, in one currency.
public struct PeriodStatement: Sendable, Hashable {
    /// The same for one category in one scope.
    public struct Part: Sendable, Hashable {
        /// Whether the subscriptions are for work or personal.
        public var scope: SubscriptionScope
        /// The category of the subscriptions.
        public var category: SubscriptionCategory
        /// What was charged in the period, through today.
        public var charged: Money
        /// What is still to come in the period.
        public var toCome: Money

    }

    /// The same for one scope or one category.
    public struct Sum: Sendable, Hashable {
        /// What was charged in the period, through today.
        public var charged: Money
        /// What is still to come in the period.
        public var toCome: Money

        /// Both amounts must have the same currency; this is not checked.
        public init(charged: Money, toCome: Money) {
            self.charged = charged
            self.toCome = toCome
        }

        /// What was charged and what is still to come, added up.
        public var total: Money {
            Money(minorUnits: [charged.minorUnits, toCome.minorUnits].clampedSum, currency: charged.currency)
        }
    }

    /// The currency of all amounts of the statement.
    public var currency: Currency
    /// Only those with charges, by scope and then in the order of `SubscriptionCategory.inOrder(_:_:)`.
    public var parts: [Part]

    /// Both scopes, also one without charges.
    public var scopes: [(scope: SubscriptionScope, sum: Sum)] {
        SubscriptionScope.allCases.map { scope in (scope, sum(of: parts.filter { $0.scope == scope })) }
    }

    /// The categories with charges, in order.
    public var categories: [(category: SubscriptionCategory, sum: Sum)] {
        Dictionary(grouping: parts, by: \.category).map { ($0, sum(of: $1)) }
            .sorted { SubscriptionCategory.inOrder($0.category, $1.category) }
    }

    private func sum(of parts: [Part]) -> Sum {
        Sum(
            charged: Money(minorUnits: parts.map(\.charged.minorUnits).clampedSum, currency: currency),
            toCome: Money(minorUnits: parts.map(\.toCome.minorUnits).clampedSum, currency: currency))
    }

    /// What was charged in the period, in all scopes and categories.
    public var charged: Money { sum(of: parts).charged }
    /// What is still to come in the period, in all scopes and categories.
    public var toCome: Money { sum(of: parts).toCome }
    /// What was charged and what is still to come, in all scopes and categories.
    public var total: Money { sum(of: parts).total }
}

extension DeviceStore.Totals {
    /// What was charged from `first` through `last`, both included, and what is still to come; sorted by currency.
    ///
    /// A charge before today was charged, as recorded or at the price of its day; one of today once it was
    /// confirmed. Skipped charges are left out. With `isNet`, only the owner's part of shared ones counts.
    public func statement(
        from first: CalendarDay, through last: CalendarDay, isNet: Bool = false, at moment: Moment
    ) throws -> [PeriodStatement] {
        try store.read(at: moment) { session in
            var sums = StatementSums()
            let reader = SpendingReader(session: session, today: moment.today)
            try sums.add(charged: reader.sums(by: .kind, from: first, through: min(last, moment.today)))
            if last >= moment.today {
                try forEachComing(from: max(first, moment.today), through: last, moment, session) { _, kind, sum in
                    sums.add(sum.currency.code, kind, toCome: sum.minorUnits)
                }
            }
            if isNet {
                for part in try OthersReader(session: session, today: moment.today).parts(from: first, through: last) {
                    let units = -part.amount.minorUnits
                    sums.add(
                        part.amount.currency.code, part.kind, charged: part.isCharged ? units : 0,
                        toCome: part.isCharged ? 0 : units)
                }
            }
            return try sums.statements()
        }
    }

    /// The same month by month, for `count` months, with one reading of what is still to come; `first` is the first day
    /// of a month.
    public func statements(
        ofMonthsFrom first: CalendarDay, count: Int, at moment: Moment
    ) throws -> [(month: CalendarDay, statements: [PeriodStatement])] {
        try store.read(at: moment) { session in
            let months = (0..<max(count, 0)).map { first.adding(months: $0) }
            var sums = [StatementSums](repeating: StatementSums(), count: months.count)
            let reader = SpendingReader(session: session, today: moment.today)
            for (index, month) in months.enumerated() where month <= moment.today {
                let last = month.adding(months: 1).adding(days: -1)
                try sums[index].add(charged: reader.sums(by: .kind, from: month, through: min(last, moment.today)))
            }
            if let last = months.last?.adding(months: 1).adding(days: -1), last >= moment.today {
                try forEachComing(from: max(first, moment.today), through: last, moment, session) { month, kind, sum in
                    guard let index = months.firstIndex(of: month) else { return }
                    sums[index].add(sum.currency.code, kind, toCome: sum.minorUnits)
                }
            }
            return try zip(months, sums).map { ($0, try $1.statements()) }
        }
    }

    /// Calls `visit` with amounts to add up, and the first day of the month of each.
    private func forEachComing(
        from first: CalendarDay, through last: CalendarDay, _ moment: Moment, _ session: any SQLSession,
        _ visit: (CalendarDay, SubscriptionKind, Money) -> Void
    ) throws {
        let today = moment.today
        if let forecasts = try KindForecasts(session, today: today, from: first, through: last) {
            return try forecasts.forEach(visit)
        }
        let kinds = try SubscriptionKind.all(session)
        let reader = OccurrenceReader(session: session, today: today)
        for occurrence in try reader.range(from: first, through: last) where occurrence.fate != .skipped {
            // Charged, and counted above.
            guard !occurrence.isPast(on: today), let kind = kinds[occurrence.id.subscriptionID] else { continue }
            visit(occurrence.billingOn.firstOfMonth, kind, occurrence.amount)
        }
    }
}

/// What is still to come in whole months, by scope and category: much faster than charge by charge, with the same sums.
private struct KindForecasts {
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
    func forEach(_ visit: (CalendarDay, SubscriptionKind, Money) -> Void) throws {
        let table = SubscriptionTable(session)
        var currencies = CurrencyCache()
        var kinds: [(isPro: Bool, category: String, forecast: Forecast)] = []
        let coming = """
            SELECT category, is_pro, due_day, num, is_steady, cycle, amount, currency FROM standings NOT INDEXED \
            WHERE due_day <= ?
            """
        try session.forEach(coming, [.day(last)]) { row in
            let (category, isPro) = (try row.text(0), try row.integer(1) != 0)
            // Linear search: there are few, so it is faster than hashing.
            let place =
                kinds.firstIndex { $0.isPro == isPro && $0.category == category }
                ?? {
                    kinds.append((isPro, category, Forecast(today: today, months: months)))
                    return kinds.count - 1
                }()
            guard try row.integer(4) != 0 else {
                kinds[place].forecast.add(try table.load(number: try row.integer(3)))
                return
            }
            guard let cycle = CycleCode.cycle(try row.integer(5)) else { throw SQLError.malformed("cycle") }
            let price = Money(minorUnits: try row.integer(6), currency: try currencies.currency(try row.integer(7)))
            kinds[place].forecast.add(steady: price, cycle.step, next: try row.day(2))
        }
        let month = first.adding(days: 1 - first.day)
        for (isPro, category, forecast) in kinds {
            let scope = isPro ? SubscriptionScope.pro : .personal
            let kind = try SubscriptionKind(scope: scope.rawValue, category: category)
            for row in forecast.rows where row.month >= month && row.amount.minorUnits != 0 {
                visit(row.month, kind, row.amount)
            }
        }
        try forEachDecision(table, visit)
    }

    /// What the schedules do not say: a charge of today that was confirmed is no longer to come, and one that was
    /// confirmed ahead still is when the schedule has lost it, such as by a pause.
    private func forEachDecision(
        _ table: SubscriptionTable, _ visit: (CalendarDay, SubscriptionKind, Money) -> Void
    ) throws {
        let sql = """
            SELECT subscription, due_day, scope, category, confirmed, currency FROM charges \
            WHERE fate IN (1, 2) AND due_day BETWEEN ? AND ?
            """
        try session.forEach(sql, [.day(first), .day(last)]) { row in
            let day = try row.day(1)
            let subscription = try table.load(number: try row.integer(0))
            let isScheduled = subscription.isBillingDay(day)
            guard isScheduled == (day == today) else { return }
            let kind = try SubscriptionKind(scope: try row.text(2), category: try row.text(3))
            if isScheduled {
                return visit(day.firstOfMonth, kind, subscription.charge(on: day).negated)
            }
            visit(day.firstOfMonth, kind, try row.money(4, in: 5))
        }
    }
}

extension CalendarDay {
    fileprivate var firstOfMonth: CalendarDay { adding(days: 1 - day) }
}

private struct StatementSums {
    private struct Key: Hashable {
        let currency: String
        let kind: SubscriptionKind
    }

    private var parts: [Key: (charged: Int64, toCome: Int64)] = [:]

    mutating func add(_ currency: String, _ kind: SubscriptionKind, charged: Int64 = 0, toCome: Int64 = 0) {
        let key = Key(currency: currency, kind: kind)
        let old = parts[key] ?? (0, 0)
        parts[key] = ([old.charged, charged].clampedSum, [old.toCome, toCome].clampedSum)
    }

    /// - Parameter charged: by kind.
    mutating func add(charged: [SpendingReader.Sum]) throws {
        for sum in charged {
            let kind = try SubscriptionKind(scope: sum.scope, category: sum.key)
            add(sum.currency.code, kind, charged: [sum.confirmed, sum.assumed].clampedSum)
        }
    }

    func statements() throws -> [PeriodStatement] {
        let byCurrency = Dictionary(grouping: parts, by: \.key.currency)
        return try byCurrency.sorted { $0.key < $1.key }.compactMap { code, parts -> PeriodStatement? in
            guard let currency = Currency(code: code) else { throw SQLError.malformed("currency") }
            let rows = parts.filter { $1 != (0, 0) }.map { key, sums in
                PeriodStatement.Part(
                    scope: key.kind.scope, category: key.kind.category,
                    charged: Money(minorUnits: sums.charged, currency: currency),
                    toCome: Money(minorUnits: sums.toCome, currency: currency))
            }
            guard !rows.isEmpty else { return nil }
            return PeriodStatement(
                currency: currency,
                parts: rows.sorted {
                    $0.scope == $1.scope
                        ? SubscriptionCategory.inOrder($0.category, $1.category) : $0.scope == .pro
                })
        }
    }
}

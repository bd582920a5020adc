import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// What was charged in a period and what is still to come, in one currency.
public struct PeriodStatement: Sendable, Hashable {
    /// The same for one category in one scope.
    public struct Part: Sendable, Hashable {
        public var scope: SubscriptionScope
        public var category: SubscriptionCategory
        public var charged: Money
        public var toCome: Money

    }

    /// The same for one scope or one category.
    public struct Sum: Sendable, Hashable {
        public var charged: Money
        public var toCome: Money

        public var total: Money {
            Money(minorUnits: charged.minorUnits + toCome.minorUnits, currency: charged.currency)
        }
    }

    public var currency: Currency
    /// Only those with charges, by scope and then in the order of ``SubscriptionCategory/inOrder(_:_:)``.
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
            charged: Money(minorUnits: parts.reduce(0) { $0 + $1.charged.minorUnits }, currency: currency),
            toCome: Money(minorUnits: parts.reduce(0) { $0 + $1.toCome.minorUnits }, currency: currency))
    }

    public var charged: Money { sum(of: parts).charged }
    public var toCome: Money { sum(of: parts).toCome }
    public var total: Money { sum(of: parts).total }
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
            let sql = """
                SELECT \(OccurrenceReader.chargedCurrency) AS code, s.scope, s.category, sum(\(OccurrenceReader.charged)) \
                FROM \(OccurrenceReader.chargedTables) \
                WHERE l.due_day BETWEEN ? AND ? \
                AND (l.due_day < ? AND l.fate IN (0, 1, 2, 4) OR l.due_day = ? AND l.fate IN (1, 2)) \
                GROUP BY code, s.scope, s.category
                """
            let today: SQLValue = .day(moment.today)
            try session.forEach(sql, [.day(first), .day(min(last, moment.today)), today, today]) { row in
                let kind = try SubscriptionKind(scope: try row.text(1), category: try row.text(2))
                sums.add(try row.text(0), kind, charged: try row.integer(3))
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
        let kinds = try SubscriptionKind.all(session)
        let reader = OccurrenceReader(session, today: moment.today)
        for occurrence in try reader.range(from: first, through: last) where occurrence.fate != .skipped {
            // Charged, and counted above.
            guard !occurrence.isPast(on: moment.today), let kind = kinds[occurrence.id.subscriptionID] else { continue }
            sums.add(occurrence.amount.currency.code, kind, toCome: occurrence.amount.minorUnits)
        }
    }
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
        parts[key] = (old.charged + charged, old.toCome + toCome)
    }

    func statements() throws -> [PeriodStatement] {
        let byCurrency = Dictionary(grouping: parts, by: \.key.currency)
        return try byCurrency.sorted { $0.key < $1.key }.map { code, parts in
            guard let currency = Currency(code: code) else { throw SQLError.malformed("currency") }
            let rows = parts.map { key, sums in
                PeriodStatement.Part(
                    scope: key.kind.scope, category: key.kind.category,
                    charged: Money(minorUnits: sums.charged, currency: currency),
                    toCome: Money(minorUnits: sums.toCome, currency: currency))
            }
            return PeriodStatement(
                currency: currency,
                parts: rows.sorted {
                    $0.scope == $1.scope
                        ? SubscriptionCategory.inOrder($0.category, $1.category) : $0.scope == .pro
                })
        }
    }
}

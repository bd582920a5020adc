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
            let sql = """
                SELECT \(OccurrenceReader.chargedCurrency) AS code, s.category, sum(\(OccurrenceReader.charged)) \
                FROM \(OccurrenceReader.chargedTables) \
                WHERE l.due_day BETWEEN ? AND ? \
                AND (l.due_day < ? AND l.fate IN (0, 1, 2) OR l.due_day = ? AND l.fate IN (1, 2)) \
                GROUP BY code, s.category
                """
            let today: SQLValue = .day(moment.today)
            try session.forEach(sql, [.day(first), .day(min(last, moment.today)), today, today]) { row in
                sums.add(try row.text(0), try row.text(1), charged: try row.integer(2))
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
        let categories = Dictionary(
            try session.query("SELECT id, category FROM subscriptions") { (try $0.uuid(0), try $0.text(1)) }
        ) { first, _ in first }
        let reader = OccurrenceReader(session, today: moment.today)
        for occurrence in try reader.range(from: first, through: last) where occurrence.fate != .skipped {
            // Charged, and counted above.
            if occurrence.isPast(on: moment.today) { continue }
            sums.add(
                occurrence.amount.currency.code, categories[occurrence.id.subscriptionID] ?? "",
                toCome: occurrence.amount.minorUnits)
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
        return try byCurrency.sorted { $0.key < $1.key }.map { code, parts in
            guard let currency = Currency(code: code) else { throw SQLError.malformed("currency") }
            let rows = try parts.map { key, sums in
                PeriodStatement.Part(
                    category: try SubscriptionCategory(key.category),
                    charged: Money(minorUnits: sums.charged, currency: currency),
                    toCome: Money(minorUnits: sums.toCome, currency: currency))
            }
            return PeriodStatement(
                currency: currency,
                categories: rows.sorted {
                    ($0.category.isCustom ? 1 : 0, $0.category.wire) < ($1.category.isCustom ? 1 : 0, $1.category.wire)
                })
        }
    }
}

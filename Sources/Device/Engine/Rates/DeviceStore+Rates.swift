import SQLDatabase
public import SubGuardDomain
import SubGuardSQL
import ZlibCoding

/// What an import of reference rates brought.
public struct RateImport: Sendable, Hashable {
    /// The days of the file.
    public var days: ClosedRange<CalendarDay>
    /// The rates of the file.
    public var count: Int
    /// Those that were new, or differed from the stored ones.
    public var changed: Int
}

/// The stored exchange rates.
public struct RateStatus: Sendable, Hashable {
    /// The currency in which sums are shown; nil without one.
    public var home: Currency?
    /// The first and last day with reference rates; nil without any.
    public var days: ClosedRange<CalendarDay>?
    /// How many reference rates there are.
    public var count: Int
    /// The user's, by currency and day.
    public var own: [DatedRate]
    /// The currencies of subscriptions that have no rate today, by code; also the home currency, when they are to be
    /// converted to it.
    public var missing: [Currency]
}

extension DeviceStore.Rates {
    /// Stores the rates of a file of the European Central Bank, plain or as a zip archive; see `ReferenceRateFile`.
    /// Those of a day and currency that are stored already are replaced. Reference rates are public data: they are not
    /// in the journal, backups or merges.
    ///
    /// A file with any fault changes nothing: ``DeviceStoreError/invalid(_:)`` names the first one.
    public func importFile(_ bytes: [UInt8], at moment: Moment) throws -> RateImport {
        let rates: [DatedRate]
        do {
            rates = try ReferenceRateFile.read(bytes) {
                try ZipArchive.onlyFile($0, maximumBytes: ReferenceRateFile.maximumBytes)
            }
        } catch {
            throw DeviceStoreError.invalid(error.first ?? Fault("file", .required, "The file has no rates."))
        }
        let days = rates.map(\.on)
        guard let first = days.min(), let last = days.max() else {
            throw DeviceStoreError.invalid(Fault("file", .required, "The file has no rates."))
        }
        guard last <= moment.today.adding(days: 1) else {
            throw DeviceStoreError.invalid(
                Fault("file", .outOfRange, "The file has rates of \(last.iso), in the future."))
        }
        let changed = try store.write(at: moment) { try ReferenceRates.save(rates, ofServer: false, in: $0.session) }
        return RateImport(days: first...last, count: rates.count, changed: changed)
    }

    /// Sets how many units of a currency one euro buys from a day on, such as `1.0823`, until the next rate of either
    /// source. It is per euro even when the home currency is another. Can be undone.
    @discardableResult
    public func set(
        _ code: String, unitsPerEuro rate: String, on day: CalendarDay, at moment: Moment
    ) throws -> DatedRate {
        try store.write(at: moment, as: .rateSet) { unit in
            let currency = try FieldRules.currency(code)
            guard currency != .eur else {
                throw Fault("currency", .unknownValue, "The euro needs no rate: all others are given for one euro.")
            }
            guard let read = ExchangeRate(rate) else {
                throw Fault("rate", .invalidAmount, "Must be a number greater than 0, such as 1.0823.")
            }
            try EntityTables.ownRates.save(
                [.text(currency.code), .day(day)], [.text(read.decimal), .flag(false)], in: unit)
            return DatedRate(currency: currency, on: day, rate: read)
        }
    }

    /// What the device has of rates, and from when.
    public func status(at moment: Moment) throws -> RateStatus {
        try store.read(at: moment) { session in
            let reader = RateReader(session)
            let sql = "SELECT min(day), max(day), count(*) FROM reference_rates"
            let (days, count) =
                try session.first(sql, []) { row -> (ClosedRange<CalendarDay>?, Int) in
                    let count = Int(try row.integer(2))
                    return count == 0 ? (nil, 0) : (try row.day(0)...(try row.day(1)), count)
                } ?? (nil, 0)
            let used = try session.query("SELECT DISTINCT currency FROM subscriptions ORDER BY currency", []) {
                Currency(code: try $0.text(0))
            }.compactMap { $0 }
            let home = try HomeCurrency.read(session)
            let needed = used + [home].compactMap { $0 }.filter { !used.isEmpty && !used.contains($0) }
            let table = try reader.table(of: Set(needed), from: moment.today, through: moment.today)
            return RateStatus(
                home: home, days: days, count: count, own: try reader.own(nil),
                missing: needed.filter { table.rate(of: $0, on: moment.today) == nil }
                    .sorted { $0.code < $1.code })
        }
    }
}

/// The setting ``UserSetting/homeCurrency``.
enum HomeCurrency {
    static func read(_ session: any SQLSession) throws -> Currency? {
        try Settings(session).value(UserSetting.homeCurrency.rawValue).flatMap { Currency(code: $0) }
    }
}

/// Reads the rates that a range of days needs.
struct RateReader {
    private let session: any SQLSession

    init(_ session: any SQLSession) { self.session = session }

    func table(of currencies: Set<Currency>, from first: CalendarDay, through last: CalendarDay) throws -> RateTable {
        let published =
            try session.first("SELECT max(day) FROM reference_rates", []) { row in
                row.isNull(0) ? nil : try row.day(0)
            } ?? nil
        // Later days take the last published rate. The last rate before them may be too old to apply, but it ends an
        // older one of the user.
        let start = min(first, published ?? first)
        let sql = """
            SELECT day, rate FROM reference_rates WHERE currency = ? AND day <= ? AND day >= \
            coalesce((SELECT max(day) FROM reference_rates WHERE currency = ? AND day <= ?), ?)
            """
        var reference: [DatedRate] = []
        for currency in currencies where currency != .eur {
            let code = SQLValue.text(currency.code)
            try session.forEach(sql, [code, .day(last), code, .day(start), .day(start)]) { row in
                reference.append(DatedRate(currency: currency, on: try row.day(0), rate: try Self.rate(row, 1)))
            }
        }
        return RateTable(reference: reference, own: try own(currencies), publishedThrough: published)
    }

    /// The user's rates of some currencies, or of all, by currency and day.
    func own(_ currencies: Set<Currency>?) throws -> [DatedRate] {
        let sql = "SELECT currency, from_day, rate FROM own_rates WHERE is_removed = 0 ORDER BY currency, from_day"
        return try session.query(sql, []) { row in
            DatedRate(currency: try row.currency(0), on: try row.day(1), rate: try Self.rate(row, 2))
        }.filter { currencies?.contains($0.currency) ?? true }
    }

    private static func rate(_ row: any SQLRow, _ column: Int) throws -> ExchangeRate {
        guard let rate = ExchangeRate(try row.text(column)) else { throw SQLError.malformed("rate") }
        return rate
    }
}

/// Sums in the home currency; nil while none is set.
///
/// Past charges convert at the rate of their day, coming ones and yearly costs at the latest. Nothing is rounded before
/// the end, so a sum need not be the sum of rounded parts.
extension DeviceStore.Rates {
    /// The yearly cost of active subscriptions. With `isNet`, only the owner's part of shared ones counts.
    public func annualCost(isNet: Bool = false, at moment: Moment) throws -> HomeSum? {
        try converted(from: moment.today, through: moment.today, at: moment) { session, sum in
            var currencies = CurrencyCache()
            let sql = """
                SELECT currency, cycle, sum(amount) FROM standings INDEXED BY idx_standings_is_counted \
                WHERE is_counted = 1 GROUP BY currency, cycle
                """
            try session.forEach(sql, []) { row in
                guard let cycle = CycleCode.cycle(try row.integer(1)) else { throw SQLError.malformed("cycle") }
                let amount = Money(
                    minorUnits: try row.integer(2), currency: try currencies.currency(try row.integer(0)))
                sum.add(amount, times: cycle.annualFactor, on: moment.today)
            }
            guard isNet else { return }
            for (subscription, others) in try OthersReader(session: session, today: moment.today).ofYears() {
                sum.add(others.negated, times: subscription.cycle.annualFactor.single, on: moment.today)
            }
        }
    }

    /// Amounts that are still to come.
    public func coming(_ amounts: [Money], at moment: Moment) throws -> HomeSum? {
        try converted(from: moment.today, through: moment.today, and: amounts, at: moment) { _, sum in
            for amount in amounts { sum.add(amount, on: moment.today) }
        }
    }

    /// An amount at today's rate, such as the yearly amount of one subscription; nil without a home currency or a rate.
    public func converted(_ amount: Money, at moment: Moment) throws -> Money? {
        try coming([amount], at: moment).flatMap { $0.unconverted.isEmpty ? $0.amount : nil }
    }

    /// What a minor unit of each currency is worth at today's rate, for putting amounts in an order; empty without a
    /// home currency. Currencies without a rate are left out.
    package func weights(of currencies: Set<Currency>, at moment: Moment) throws -> [Currency: Double] {
        let probes = currencies.map { Money(minorUnits: 1_000_000_000, currency: $0) }
        var weights: [Currency: Double] = [:]
        _ = try converted(from: moment.today, through: moment.today, and: probes, at: moment) { _, empty in
            for probe in probes {
                var sum = empty
                sum.add(probe, on: moment.today)
                if sum.unconverted.isEmpty { weights[probe.currency] = Double(sum.amount.minorUnits) }
            }
        }
        return weights
    }

    /// What was spent from `first` through `last`, both included, and amounts that are still to come. With `isNet`,
    /// only the owner's part of what was spent counts; the coming amounts are taken as they are.
    public func spent(
        from first: CalendarDay, through last: CalendarDay, andComing amounts: [Money] = [], isNet: Bool = false,
        at moment: Moment
    ) throws -> HomeSum? {
        try converted(from: first, through: max(last, moment.today), and: amounts, at: moment) { session, sum in
            for amount in amounts { sum.add(amount, on: moment.today) }
            if isNet {
                for part in try OthersReader(session: session, today: moment.today).parts(from: first, through: last)
                where part.isCharged {
                    sum.add(part.amount.negated, on: part.on)
                }
            }
            let reader = SpendingReader(session: session, today: moment.today)
            let spent = try reader.sums(by: .nothing, from: first, through: last)
            let home = sum.home
            for part in spent where part.currency == home {
                sum.add(Money(minorUnits: part.confirmed + part.assumed, currency: home), on: moment.today)
            }
            guard spent.contains(where: { $0.currency != home }) else { return }
            try reader.forEachDay(otherThan: home, from: first, through: last) { sum.add($1, on: $0) }
        }
    }

    /// - Parameter amounts: others than those of subscriptions, such as limits of budgets.
    private func converted(
        from first: CalendarDay, through last: CalendarDay, and amounts: [Money] = [], at moment: Moment,
        _ body: (any SQLSession, inout HomeSum) throws -> Void
    ) throws -> HomeSum? {
        try store.read(at: moment) { session in
            guard let home = try HomeCurrency.read(session) else { return nil }
            // Of charges before today, the read model knows the currencies; only the few others are in the ledger
            // alone.
            let sql = """
                SELECT currency FROM subscriptions UNION SELECT currency FROM prices WHERE is_removed = 0 \
                UNION SELECT currency FROM spending \
                UNION SELECT paid_currency FROM ledger \
                WHERE fate IN (1, 2) AND due_day >= ? AND paid_currency IS NOT NULL
                """
            let used = try session.query(sql, [.day(moment.today)]) { Currency(code: try $0.text(0)) }
                .compactMap { $0 }
            let table = try RateReader(session).table(
                of: Set(used + amounts.map(\.currency) + [home]), from: first, through: last)
            var sum = HomeSum(home: home, rates: table)
            try body(session, &sum)
            return sum
        }
    }
}

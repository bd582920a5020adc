public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Totals {
    /// The yearly and monthly cost of active subscriptions, one row per currency. With `isNet`, only the owner's part
    /// of shared ones counts, at today's price.
    public func costs(isNet: Bool = false, at moment: Moment) throws -> [CostTotals.Row] {
        try store.read(at: moment) { session in
            var totals = CostTotals()
            var currencies = CurrencyCache()
            var categories = CategoryCache()
            // Grouped in index order, so that SQLite does not sort.
            let sql = """
                SELECT currency, category, cycle, count(*), sum(amount), is_pro FROM standings \
                INDEXED BY idx_standings_is_counted WHERE is_counted = 1 GROUP BY currency, is_pro, category, cycle
                """
            try session.forEach(sql, []) { row in
                guard let cycle = CycleCode.cycle(try row.integer(2)) else { throw SQLError.malformed("cycle") }
                totals.add(
                    try row.integer(4), currency: try currencies.currency(try row.integer(0)),
                    factor: cycle.annualFactor, scope: try row.integer(5) != 0 ? .pro : .personal,
                    category: try categories.category(try row.text(1)),
                    count: Int(try row.integer(3)))
            }
            guard isNet else { return totals.rows }
            for (subscription, others) in try OthersReader(session: session, today: moment.today).ofYears() {
                totals.add(
                    -others.minorUnits, currency: others.currency, factor: subscription.cycle.annualFactor.single,
                    scope: subscription.scope, category: subscription.category, count: 0)
            }
            return totals.rows
        }
    }

    /// Expected charges: the rest of this month and the following months, `months` in all, from 1 to 120. With `isNet`,
    /// only the owner's part of shared ones counts.
    public func forecast(months: Int = 12, isNet: Bool = false, at moment: Moment) throws -> [Forecast.Row] {
        try store.read(at: moment) { session in
            var forecast = Forecast(today: moment.today, months: months)
            var currencies = CurrencyCache()
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
            // Confirmed, and no longer in the schedule: paid ahead, then cancelled or moved.
            let decided = try OccurrenceReader(session: session, today: moment.today)
                .decisions(from: moment.today, through: forecast.through).filter { $0.value.fate != .skipped }
            for (entry, decision) in decided {
                let subscription = try table.load(number: entry.number)
                guard let day = CalendarDay(daysSinceEpoch: entry.day), !subscription.isBillingDay(day) else {
                    continue
                }
                let price = subscription.price(on: day)
                forecast.add(
                    try OccurrenceReader.paid(decision.paid, decision.code, price.currency) ?? price, on: day)
            }
            var rows = forecast.rows
            guard isNet else { return rows }
            for part in try OthersReader(session: session, today: moment.today).parts(
                from: moment.today, through: forecast.through)
            where part.isForecast {
                let month = part.on.adding(days: 1 - part.on.day)
                guard
                    let place = rows.firstIndex(where: {
                        $0.month == month && $0.amount.currency == part.amount.currency
                    })
                else { continue }
                rows[place].amount.minorUnits -= part.amount.minorUnits
            }
            return rows
        }
    }

    /// Whether other people bear a part of any subscription.
    public func isAnythingShared() throws -> Bool {
        let sql = """
            SELECT 1 FROM share_periods WHERE parts <> '' AND is_removed = 0 \
            UNION SELECT 1 FROM shares WHERE parts <> '' LIMIT 1
            """
        return try store.read { try $0.first(sql, []) { _ in true } ?? false }
    }

    /// The last day to cancel each subscription, soonest first. With `skipsRenewals`, those are left out for which the
    /// day is no more than the one before the next charge: only those with a trial, a contract or a notice period are
    /// read.
    public func cancelBy(skipsRenewals: Bool = false, at moment: Moment) throws -> [CancelByEntry] {
        let entries = try store.read(at: moment) { session in
            let catalogue = CatalogueTable(session: session, starter: store.starter)
            let table = SubscriptionTable(session)
            let bound = "SELECT num FROM subscriptions WHERE \(Self.isBound)"
            let candidates =
                skipsRenewals
                ? try table.load(numbers: try session.query(bound, [.day(moment.today)]) { try $0.integer(0) })
                : try table.all().map(\.subscription)
            return try candidates.compactMap { subscription -> CancelByEntry? in
                let item = try subscription.catalogueItemID.flatMap(catalogue.item)
                guard
                    let cancelBy = subscription.cancelBy(today: moment.today, catalogueNotice: item?.noticeDays),
                    !skipsRenewals || cancelBy.reason != .renewal
                else { return nil }
                return CancelByEntry(
                    subscriptionID: subscription.id, name: subscription.name, cancelBy: cancelBy,
                    noticeDays: subscription.contract.noticeDays, route: subscription.cancellationRoute(item))
            }
        }
        return entries.sorted {
            ($0.cancelBy.lastDay, $0.name, $0.subscriptionID)
                < ($1.cancelBy.lastDay, $1.name, $1.subscriptionID)
        }
    }

    /// Whether a trial, a contract or a notice period sets a last day to cancel; takes the day of today.
    static let isBound =
        "(trial_ends_on >= ? OR contract_ends_on IS NOT NULL OR minimum_months > 0 OR notice_days > 0)"

    /// Groups of active subscriptions that may be redundant. What another one includes costs nothing, so it is left
    /// out.
    public func overlaps(at moment: Moment) throws -> [Overlap] {
        let sql = """
            SELECT s.id, t.name, s.catalogue_item_id, t.sort_name, t.status FROM standings t \
            CROSS JOIN subscriptions s ON s.num = t.num WHERE s.bundled_in IS NULL
            """
        let candidates = try store.read(at: moment) { session in
            try session.query(sql, []) { row -> Overlap.Candidate? in
                guard try StatusCode.status(try row.integer(4)).isCharged else { return nil }
                return Overlap.Candidate(
                    id: try row.uuid(0), name: try row.text(1), foldedName: try row.text(3),
                    catalogueItemID: row.isNull(2) ? nil : try row.uuid(2))
            }
        }
        return Overlap.find(among: candidates.compactMap { $0 })
    }

    /// What was spent, one amount per currency: recorded payments, otherwise the prices of the days. Skipped charges
    /// are not included.
    ///
    /// Counts from `first` through `last`, nil for today; without an `id`, of all subscriptions. With `isNet`, which is
    /// for all subscriptions only, just the owner's part of shared ones counts.
    public func spending(
        of id: UUID? = nil, from first: CalendarDay = .earliest, through last: CalendarDay? = nil,
        isNet: Bool = false, at moment: Moment
    ) throws -> [Money] {
        try store.read(at: moment) { session in
            guard let id else {
                let reader = SpendingReader(session: session, today: moment.today)
                let last = last ?? moment.today
                let sums =
                    try isNet
                    ? reader.netSums(by: .nothing, from: first, through: last)
                    : reader.sums(by: .nothing, from: first, through: last)
                return sums.map { Money(minorUnits: $0.confirmed + $0.assumed, currency: $0.currency) }
                    .sorted { $0.currency.code < $1.currency.code }
            }
            let sql = """
                SELECT currency, sum(confirmed + assumed) FROM charges \
                WHERE subscription = (SELECT num FROM subscriptions WHERE id = ?) AND due_day BETWEEN ? AND ? \
                AND (due_day < ? OR fate IN (1, 2)) GROUP BY currency ORDER BY currency
                """
            let arguments: [SQLValue] = [.uuid(id), .day(first), .day(last ?? moment.today), .day(moment.today)]
            return try session.query(sql, arguments) { try $0.money(1, in: 0) }
        }
    }
}

/// The last day to cancel a subscription, with the amount that is avoided.
public struct CancelByEntry: Sendable, Hashable {
    /// The subscription to cancel.
    public var subscriptionID: UUID
    /// The name of the subscription.
    public var name: String
    /// The last day to cancel, why it is the last, and the first charge that is avoided.
    public var cancelBy: CancelBy
    /// The notice period in days; 0 for none.
    public var noticeDays: Int
    /// Where to cancel; nil when it is not known.
    public var route: CancellationRoute?

    /// What is not charged when it is cancelled in time.
    public var amount: Money { cancelBy.amount }
}

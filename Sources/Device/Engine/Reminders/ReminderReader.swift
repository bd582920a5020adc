import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Reads the events of which a reminder may be due, without loading subscriptions that have none.
struct ReminderReader {
    private let session: any SQLSession
    private let policy: ReminderPolicy
    private let record: ReminderRecord
    private let moment: Moment
    private let language: DisplayLanguage
    private let catalogue: CatalogueTable
    /// The first day whose reminders may be due.
    private let first: CalendarDay

    private var today: CalendarDay { moment.today }

    init(
        _ session: any SQLSession, _ policy: ReminderPolicy, _ record: ReminderRecord, _ language: DisplayLanguage,
        _ starter: StarterCatalogue?, _ moment: Moment
    ) {
        self.session = session
        self.policy = policy
        self.record = record
        self.moment = moment
        self.language = language
        catalogue = CatalogueTable(session: session, starter: starter)
        first = moment.time.day(at: record.since)
    }

    func facts() throws -> [ReminderFact] {
        let plans = try plans()
        let table = SubscriptionTable(session)
        var facts: [ReminderFact] = []
        var trialEnds: [UUID: CalendarDay] = [:]
        for number in try numbersOfDated(plans).sorted() {
            let subscription = try table.load(number: number)
            let notice = try catalogue.notice(of: subscription)
            let dated = subscription.reminderFacts(from: first, today: today, catalogueNotice: notice, policy)
            for fact in dated {
                if case .trialEnd(.some) = fact.event, let id = fact.subscriptionID { trialEnds[id] = fact.on }
            }
            facts += dated
        }
        for charge in try charges(plans) {
            // The reminder of the trial's end names the charge of that day.
            if let id = charge.subscriptionID, trialEnds[id] == charge.on { continue }
            facts.append(charge)
        }
        return facts
    }

    /// The plans that are not the default, by subscription.
    private func plans() throws -> [Int64: ReminderPlan] {
        var known: [String: ReminderPlan] = [:]
        var plans: [Int64: ReminderPlan] = [:]
        try session.forEach("SELECT num, remind FROM subscriptions WHERE remind != 'default'", []) { row in
            let wire = try row.text(1)
            let plan = try known[wire] ?? ReminderPlan(wire: wire)
            known[wire] = plan
            plans[try row.integer(0)] = plan
        }
        return plans
    }

    /// Whether a reminder of a day falls between ``first`` and today.
    private func isNear(_ day: CalendarDay, _ days: [Int]) -> Bool {
        days.contains { days in
            let told = day.adding(days: -days)
            // Not as a range: a zone may put the first moment after today.
            return told >= first && told <= today
        }
    }

    /// The last day of which a charge, trial or price may have a reminder.
    private func furthest(_ plans: [Int64: ReminderPlan]) -> CalendarDay {
        today.adding(days: plans.values.reduce(policy.days.max() ?? 0) { max($0, $1.days?.first ?? 0) })
    }

    // MARK: Charges

    private func charges(_ plans: [Int64: ReminderPlan]) throws -> [ReminderFact] {
        guard policy.kinds.contains(.charge) else { return [] }
        let reader = OccurrenceReader(session: session, today: today)
        var facts: [ReminderFact] = []
        let last = furthest(plans)
        let decisions = try reader.decisions(from: today, through: last)
        let usual = policy.days(of: .charge, ReminderPlan())
        try reader.visitComing(from: today, through: last) { coming, day in
            let days = plans[coming.number].map { policy.days(of: .charge, $0) } ?? usual
            guard !days.isEmpty else { return false }
            guard isNear(day, days),
                decisions[OccurrenceReader.Entry(number: coming.number, day: day.daysSinceEpoch)] == nil
            else { return true }
            let occurrence = coming.occurrence(day, fate: .open, today: today)
            facts.append(
                ReminderFact(
                    subscriptionID: coming.id, name: coming.name, on: day, event: .charge(occurrence.amount), days: days
                ))
            return true
        }
        return facts + (try passedCharges(plans))
    }

    /// Charges since the last run that were never confirmed.
    private func passedCharges(_ plans: [Int64: ReminderPlan]) throws -> [ReminderFact] {
        guard let lastRun = record.lastRun else { return [] }
        let start = max(first, moment.time.day(at: lastRun))
        guard start < today else { return [] }
        let open = try OccurrenceReader(session: session, today: today).range(
            from: start, through: today.adding(days: -1)
        )
        .filter { $0.fate == .open }
        let table = SubscriptionTable(session)
        return try open.compactMap { occurrence in
            let id = occurrence.id.subscriptionID
            guard let number = try table.number(of: id) else { return nil }
            let days = policy.days(of: .charge, plans[number] ?? ReminderPlan())
            guard !days.isEmpty else { return nil }
            return ReminderFact(
                subscriptionID: id, name: occurrence.name, on: occurrence.billingOn, event: .charge(occurrence.amount),
                days: days)
        }
    }

    // MARK: Trials, deadlines and prices

    /// The subscriptions with a trial, a deadline or a new price of which a reminder may be due.
    private func numbersOfDated(_ plans: [Int64: ReminderPlan]) throws -> Set<Int64> {
        var numbers: Set<Int64> = []
        let days = { (kind: ReminderKind, number: Int64) in policy.days(of: kind, plans[number] ?? ReminderPlan()) }
        for (kind, sql) in [
            (ReminderKind.trialEnd, "SELECT num, trial_ends_on FROM subscriptions WHERE trial_ends_on BETWEEN ? AND ?"),
            (
                .priceChange,
                "SELECT subscription, from_day FROM prices WHERE from_day BETWEEN ? AND ? AND is_removed = 0"
            ),
        ] where policy.kinds.contains(kind) {
            try session.forEach(sql, [.day(first), .day(furthest(plans))]) { row in
                let number = try row.integer(0)
                if isNear(try row.day(1), days(kind, number)) { numbers.insert(number) }
            }
        }
        if policy.kinds.contains(.cancelBy), !policy.cancelByDays.isEmpty {
            numbers.formUnion(try numbersOfDeadlines())
        }
        return numbers
    }

    private func numbersOfDeadlines() throws -> [Int64] {
        let bound = "SELECT num FROM subscriptions WHERE \(DeviceStore.Totals.isBound)"
        var numbers = try session.query(bound, [.day(today)]) { try $0.integer(0) }
        let last = today.adding(days: (policy.cancelByDays.max() ?? 0) + 1)
        try session.forEach(
            "SELECT num, cycle, due_day FROM standings WHERE due_day BETWEEN ? AND ?", [.day(today), .day(last)]
        ) { row in
            // Without a notice period, the last day is the one before the charge.
            guard let cycle = CycleCode.cycle(try row.integer(1)), cycle.isLong,
                isNear(try row.day(2).adding(days: -1), policy.cancelByDays)
            else { return }
            numbers.append(try row.integer(0))
        }
        return numbers
    }
}

/// What was told on this device. Stands among the settings: it is not the user's data, and never merged or backed up.
struct ReminderTable {
    private let session: any SQLSession

    init(_ session: any SQLSession) { self.session = session }

    private static let toldPrefix = "reminded:"
    /// The first key after those with the prefix.
    private static let toldEnd = "reminded;"
    private static let sinceKey = "reminders_since"
    private static let lastRunKey = "reminders_run_at"

    /// For how long a reminder that could not be told is tried again.
    private static let reachDays = 31
    /// For how long what was told is kept: longer than ``reachDays``, because the clock of a device may be wrong.
    private static let keptDays = 2 * reachDays
    /// How many are kept at least.
    private static let keptCount = 1_000

    /// What was told. Before the first run, reminders begin with the day of `moment`.
    func record(at moment: Moment) throws -> ReminderRecord {
        let told = try session.query(
            "SELECT key FROM settings WHERE key >= ? AND key < ?",
            [.text(Self.toldPrefix), .text(Self.toldEnd)]
        ) { String(try $0.text(0).dropFirst(Self.toldPrefix.count)) }
        let oldest = moment.now.adding(days: -Self.reachDays)
        return ReminderRecord(
            told: Set(told), since: max(oldest, try Self.since(moment, in: session)),
            lastRun: try Self.instant(Self.lastRunKey, in: session))
    }

    private static func instant(_ key: String, in session: any SQLSession) throws -> UTCInstant? {
        try Settings(session).value(key).flatMap { Int64($0) }.map { UTCInstant(millisecondsSinceEpoch: $0) }
    }

    /// When reminders began: with this day if they have not, or began by a clock that was ahead.
    private static func since(_ moment: Moment, in session: any SQLSession) throws -> UTCInstant {
        let start = moment.time.start(of: moment.today)
        return min(start, try instant(sinceKey, in: session) ?? start)
    }

    static func note(_ ids: [String], isAll: Bool, at moment: Moment, in session: any SQLTransaction) throws {
        try begin(at: moment, in: session)
        let now = "\(moment.now.millisecondsSinceEpoch)"
        for id in ids { try Settings.set(now, for: toldPrefix + id, in: session) }
        guard isAll else { return }
        try Settings.set(now, for: lastRunKey, in: session)
        // The latest stay whatever the time is: a clock that runs ahead must not forget what was told.
        let oldest = moment.now.adding(days: -keptDays).millisecondsSinceEpoch
        try session.execute(
            """
            DELETE FROM settings WHERE key IN (
                SELECT key FROM settings WHERE key >= ? AND key < ? ORDER BY CAST(value AS INTEGER) DESC
                LIMIT -1 OFFSET \(keptCount))
            AND CAST(value AS INTEGER) < ?
            """,
            [.text(toldPrefix), .text(toldEnd), .integer(oldest)])
    }

    var hasBegun: Bool { get throws { try Settings(session).value(Self.sinceKey) != nil } }

    /// Keeps the day on which reminders began.
    static func begin(at moment: Moment, in session: any SQLTransaction) throws {
        let since = try since(moment, in: session)
        guard try instant(sinceKey, in: session) != since else { return }
        try Settings.set("\(since.millisecondsSinceEpoch)", for: sinceKey, in: session)
    }
}

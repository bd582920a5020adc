import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Reminders {
    /// The preferences for all subscriptions, from the settings `reminders.…` of this device.
    public func policy() throws -> ReminderPolicy { try store.read { try Self.policy($0) } }

    static func policy(_ session: any SQLSession) throws -> ReminderPolicy {
        let settings = Settings(session)
        // A value that cannot be read counts as none.
        func read<Value>(_ setting: UserSetting, _ parse: (String) -> Value?) throws -> Value? {
            try settings.value(setting.rawValue).flatMap(parse)
        }
        var policy = ReminderPolicy()
        if let minute = try read(.reminderTime, ReminderPolicy.minutes) { policy.minuteOfDay = minute }
        if let quiet = try read(.reminderQuietHours, ReminderPolicy.quietHours) {
            (policy.quietFrom, policy.quietUntil) = quiet
        }
        if let days = try read(.reminderDays, ReminderPolicy.days) { policy.days = days }
        if let days = try read(.reminderCancelByDays, ReminderPolicy.days) { policy.cancelByDays = days }
        if let kinds = try read(.reminderKinds, ReminderPolicy.kinds) { policy.kinds = kinds }
        return policy
    }

    /// Future reminders of each subscription's next charge that is neither confirmed nor skipped, in order of time: the
    /// first `limit`, such as the 64 notifications of iOS, nil for all. Without a `policy`, that of the settings
    /// applies.
    public func list(
        _ policy: ReminderPolicy? = nil, language: DisplayLanguage = .english, limit: Int? = nil, at moment: Moment
    ) throws -> [Reminder] {
        try store.read(at: moment) { session in
            var settled: [Int64: Set<CalendarDay>] = [:]
            try session.forEach(
                "SELECT subscription, due_day FROM ledger WHERE fate IN (1, 2, 3) AND due_day >= ?",
                [.day(moment.today)]
            ) { row in settled[try row.integer(0), default: []].insert(try row.day(1)) }
            let planner = ReminderPlanner(
                policy: try policy ?? Self.policy(session), time: moment.time, language: language)
            let reminders = try SubscriptionTable(session).all().flatMap { number, subscription in
                planner.next(subscription, now: moment.now, settled: settled[number] ?? [])
            }
            let sorted = reminders.sorted { ($0.fireAt, $0.id) < ($1.fireAt, $1.id) }
            return limit.map { Array(sorted.prefix($0)) } ?? sorted
        }
    }

    /// The reminders that are due and were not told yet, one for each event, in order of time. The first time, nothing
    /// from before today; later, nothing that became due more than 31 days ago. An event that has passed is among them
    /// only if its reminder became due since everything was told last.
    ///
    /// Reading does not count as telling: ``noteTold(_:isAll:at:)`` records what was told.
    public func due(language: DisplayLanguage = .english, at moment: Moment) throws -> [DueReminder] {
        let (policy, record, facts) = try store.read(at: moment) { session in
            let policy = try Self.policy(session)
            let record = try ReminderTable(session).record(at: moment)
            let reader = ReminderReader(session, policy, record, language, store.starter, moment)
            return (policy, record, try reader.facts())
        }
        let all = facts + (policy.kinds.contains(.budget) ? try budgetFacts(language, at: moment) : [])
        return ReminderPlanner(policy: policy, time: moment.time, language: language)
            .due(all, record, now: moment.now)
    }

    /// Decides, the first time, from when on there are reminders. Throws when reminders could not be recorded.
    public func begin(at moment: Moment) throws {
        try store.requireWritable()
        guard try store.read({ try !ReminderTable($0).hasBegun }) else { return }
        try store.write(at: moment) { try ReminderTable.begin(at: moment, in: $0.session) }
    }

    /// Records that reminders were told, so that they are not told again. `isAll` is whether nothing that is due was
    /// left out: reminders of events that have passed are told only if they became due since the last such time.
    public func noteTold(_ reminders: [DueReminder], isAll: Bool, at moment: Moment) throws {
        guard isAll || !reminders.isEmpty else { return }
        try store.write(at: moment) { unit in
            let ids = reminders.flatMap { [$0.id] + $0.supersedes }
            try ReminderTable.note(ids, isAll: isAll, at: moment, in: unit.session)
        }
    }

    /// One fact for each budget of which at least 80 % are spent: 100 or 80 %, whichever was reached last.
    private func budgetFacts(_ language: DisplayLanguage, at moment: Moment) throws -> [ReminderFact] {
        guard try store.read({ try !DeviceStore.Budgets.all($0).isEmpty }) else { return [] }
        return try store.budgets.list(at: moment).compactMap { status in
            let (spent, limit) = (status.spent.minorUnits, status.budget.limit.minorUnits)
            let reached = [100, 80].first {
                spent.multipliedFullWidth(by: 100) >= limit.multipliedFullWidth(by: Int64($0))
            }
            guard let percent = reached else { return nil }
            return ReminderFact(
                subscriptionID: nil, name: ReminderFact.name(of: status.budget, language), on: moment.today,
                event: .budget(status, percent: percent), days: [0])
        }
    }
}

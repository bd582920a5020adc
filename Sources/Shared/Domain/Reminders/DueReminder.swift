public import Foundation

/// A reminder whose time has come.
public struct DueReminder: Sendable, Hashable, Identifiable {
    /// Stable: `subscription-<UUID>-<day>-<days before>` for a charge, with the kind before the day for other kinds,
    /// and `budget-<UUID>-<first day of the period>-<percent>`.
    public var id: String
    /// What it is about.
    public var kind: ReminderKind
    /// Nil for a budget.
    public var subscriptionID: UUID?
    /// The name of the subscription, or of what the budget covers.
    public var name: String
    /// The day of the event.
    public var on: CalendarDay
    /// When it became due; not within the quiet hours.
    public var dueAt: UTCInstant
    /// What it says, without the name.
    public var message: String
    /// What it says, with the name.
    public var text: String
    /// Ids of earlier reminders of the same event, which are not worth telling any more.
    public var supersedes: [String]
}

/// Which reminders were told, and from when on there are any.
public struct ReminderRecord: Sendable, Hashable {
    /// Ids of reminders that were told or superseded.
    public var told: Set<String> = []
    /// Reminders due before are never told.
    public var since: UTCInstant
    /// When all due reminders were told last; nil when they never were. Events that have passed are told only if their
    /// reminder became due after it.
    public var lastRun: UTCInstant?

    /// Takes the fields as they are; by default, no reminder was told yet.
    public init(told: Set<String> = [], since: UTCInstant, lastRun: UTCInstant? = nil) {
        self.told = told
        self.since = since
        self.lastRun = lastRun
    }
}

extension ReminderPlanner {
    /// The reminders that are due now and were not told, one for each event: the latest. In order of time, then of
    /// names.
    public func due(_ facts: [ReminderFact], _ record: ReminderRecord, now: UTCInstant) -> [DueReminder] {
        let today = time.day(at: now)
        let first = time.day(at: record.since)
        var instants: [CalendarDay: UTCInstant] = [:]
        var due: [DueReminder] = []
        for fact in facts {
            let start = fact.on >= today ? record.since : max(record.since, record.lastRun ?? record.since)
            var found: [(id: String, at: UTCInstant)] = []
            for days in fact.days {
                let day = fact.on.adding(days: -days)
                guard day >= first, day <= today else { continue }
                let at = instants[day] ?? instant(on: day)
                instants[day] = at
                if at >= start, at <= now { found.append((fact.id(daysBefore: days), at)) }
            }
            guard let last = found.max(by: { $0.at < $1.at }), !record.told.contains(last.id) else { continue }
            let message = fact.message(today: today, language)
            due.append(
                DueReminder(
                    id: last.id, kind: fact.event.kind, subscriptionID: fact.subscriptionID, name: fact.name,
                    on: fact.on, dueAt: last.at, message: message,
                    text: fact.name + (language == .french ? " : " : ": ") + message,
                    supersedes: found.map(\.id).filter { $0 != last.id && !record.told.contains($0) }))
        }
        return due.sorted { left, right in
            if left.dueAt != right.dueAt { return left.dueAt < right.dueAt }
            let order = Occurrence.nameOrder(left.name, right.name)
            return order == 0 ? left.id < right.id : order < 0
        }
    }
}

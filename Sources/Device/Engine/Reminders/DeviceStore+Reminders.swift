import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore {
    /// The reminders that are ahead, in the order in which they come: those of each subscription's next charge that is
    /// not settled yet.
    ///
    /// - Parameter limit: systems schedule only so many (64 on iOS); nil for all.
    public func reminders(
        _ policy: ReminderPolicy = ReminderPolicy(), language: DisplayLanguage = .english, limit: Int? = nil,
        at moment: Moment
    ) throws -> [Reminder] {
        try read(at: moment) { session in
            var settled: [Int64: Set<CalendarDay>] = [:]
            try session.forEach(
                "SELECT subscription, due_day FROM ledger WHERE fate IN (1, 2, 3) AND due_day >= ?",
                [.day(moment.today)]
            ) { row in settled[try row.integer(0), default: []].insert(try row.day(1)) }
            let planner = ReminderPlanner(policy: policy, time: moment.time, language: language)
            let reminders = try SubscriptionTable(session).all().flatMap { number, subscription in
                planner.next(subscription, now: moment.now, settled: settled[number] ?? [])
            }
            let sorted = reminders.sorted { ($0.fireAt, $0.id) < ($1.fireAt, $1.id) }
            return limit.map { Array(sorted.prefix($0)) } ?? sorted
        }
    }
}

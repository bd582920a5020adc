import Foundation

/// A notice of a coming charge.
public struct Reminder: Sendable, Hashable {
    /// `subscription-<UUID>-<billing day>-<days before>`: the same charge and offset always bear the same id, so that a
    /// client can replace and withdraw what it scheduled without a list of its own.
    public var id: String
    public var occurrence: OccurrenceID
    public var offsetDays: Int
    public var fireAt: UTCInstant
    /// Names the subscription and the days left, and no amount: it may stand on a locked screen.
    public var title: String

    public static func id(of occurrence: OccurrenceID, offsetDays: Int) -> String {
        "subscription-\(occurrence.subscriptionID.lowercased)-\(occurrence.billingOn.iso)-\(offsetDays)"
    }

    static func title(_ name: String, offsetDays: Int, _ language: DisplayLanguage) -> String {
        switch (offsetDays, language) {
        case (0, .french): "\(name) : échéance aujourd'hui"
        case (1, .french): "\(name) : échéance demain"
        case (_, .french): "\(name) : échéance dans \(offsetDays) jours"
        case (0, .english): "\(name) is due today"
        case (1, .english): "\(name) is due tomorrow"
        case (_, .english): "\(name) is due in \(offsetDays) days"
        }
    }
}

/// Decides when reminders of a subscription come.
public struct ReminderPlanner: Sendable {
    public var policy: ReminderPolicy
    public var time: LocalTime
    public var language: DisplayLanguage

    public init(policy: ReminderPolicy = ReminderPolicy(), time: LocalTime, language: DisplayLanguage = .english) {
        self.policy = policy
        self.time = time
        self.language = language
    }

    /// The reminders of one charge, in the order in which they come. Two offsets never bear one id.
    public func reminders(
        _ plan: ReminderPlan, of occurrence: OccurrenceID, name: String, after now: UTCInstant
    ) -> [Reminder] {
        plan.offsets.compactMap { offset in
            let moved = policy.moved()
            let day = occurrence.billingOn.adding(days: moved.daysLater - offset)
            let fireAt = time.instant(on: day, minuteOfDay: moved.minute)
            guard fireAt > now else { return nil }
            return Reminder(
                id: Reminder.id(of: occurrence, offsetDays: offset), occurrence: occurrence, offsetDays: offset,
                fireAt: fireAt, title: Reminder.title(name, offsetDays: offset, language))
        }
    }

    /// The reminders of the first coming charge of which any is still ahead and that is not settled.
    ///
    /// - Parameter settled: the charges that need no reminder any more, acknowledged or skipped.
    public func next(_ subscription: Subscription, now: UTCInstant, settled: Set<CalendarDay> = []) -> [Reminder] {
        guard !subscription.reminders.offsets.isEmpty else { return [] }
        var found: [Reminder] = []
        var count = 0
        subscription.visitCharges(from: time.day(at: now), through: .latest) { day in
            count += 1
            if !settled.contains(day) {
                let occurrence = OccurrenceID(subscriptionID: subscription.id, billingOn: day)
                found = reminders(subscription.reminders, of: occurrence, name: subscription.name, after: now)
            }
            return found.isEmpty && count < Self.maximumCharges
        }
        return found
    }

    /// How many charges ahead are looked at: a daily one with a reminder a year before has its next so far ahead.
    private static let maximumCharges = 400
}

import Foundation

/// A reminder of a coming charge.
public struct Reminder: Sendable, Hashable, Identifiable {
    /// `subscription-<UUID>-<billing day>-<days before>`. Stable, so that a client can replace and cancel the
    /// notifications it scheduled without storing a list.
    public var id: String
    /// The charge.
    public var occurrence: OccurrenceID
    /// Days before the charge; 0 for its day.
    public var offsetDays: Int
    /// When to notify; not within the quiet hours.
    public var fireAt: UTCInstant
    /// The subscription and the days left; no amount, because it may be shown on a locked screen.
    public var title: String

    /// The same on every device, so that a reminder that is scheduled again replaces the former one.
    public static func id(of occurrence: OccurrenceID, offsetDays: Int) -> String {
        "subscription-\(occurrence.subscriptionID.lowercased)-\(occurrence.billingOn.iso)-\(offsetDays)"
    }
}

/// Computes when reminders are due.
public struct ReminderPlanner: Sendable {
    /// The days and the time of reminders, the quiet hours and the kinds that are wanted.
    public var policy: ReminderPolicy
    /// The time zone in which days begin and reminders are due.
    public var time: LocalTime
    /// The language of titles and messages.
    public var language: DisplayLanguage

    /// Takes the fields as they are.
    public init(policy: ReminderPolicy = ReminderPolicy(), time: LocalTime, language: DisplayLanguage = .english) {
        self.policy = policy
        self.time = time
        self.language = language
    }

    /// The minute of reminders after local midnight, moved out of the quiet hours.
    public var minuteOfReminders: Int { policy.movedMinute }

    /// The instant of the reminders of a day.
    public func instant(on day: CalendarDay) -> UTCInstant { time.instant(on: day, minuteOfDay: policy.movedMinute) }

    /// The reminders of one charge after `now`, in order of time.
    public func reminders(
        _ plan: ReminderPlan, of occurrence: OccurrenceID, name: String, after now: UTCInstant
    ) -> [Reminder] {
        policy.days(of: .charge, plan).compactMap { offset in
            let fireAt = instant(on: occurrence.billingOn.adding(days: -offset))
            guard fireAt > now else { return nil }
            return Reminder(
                id: Reminder.id(of: occurrence, offsetDays: offset), occurrence: occurrence, offsetDays: offset,
                fireAt: fireAt, title: Reminder.title(name, offsetDays: offset, language))
        }
    }

    /// The reminders of the next charge that is not settled and still has a reminder after `now`. `settled` has the
    /// days of confirmed and skipped charges.
    public func next(_ subscription: Subscription, now: UTCInstant, settled: Set<CalendarDay> = []) -> [Reminder] {
        guard !policy.days(of: .charge, subscription.reminders).isEmpty else { return [] }
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

    /// Maximum number of charges examined: enough for a daily charge with a reminder one year before.
    private static let maximumCharges = 400
}

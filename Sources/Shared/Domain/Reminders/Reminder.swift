import Foundation

/// A reminder of a coming charge.
public struct Reminder: Sendable, Hashable {
    /// `subscription-<UUID>-<billing day>-<days before>`. Stable, so that a client can replace and cancel the
    /// notifications it scheduled without storing a list.
    public var id: String
    public var occurrence: OccurrenceID
    public var offsetDays: Int
    public var fireAt: UTCInstant
    /// The subscription and the days left; no amount, because it may be shown on a locked screen.
    public var title: String

    public static func id(of occurrence: OccurrenceID, offsetDays: Int) -> String {
        "subscription-\(occurrence.subscriptionID.lowercased)-\(occurrence.billingOn.iso)-\(offsetDays)"
    }
}

/// Computes when reminders are due.
public struct ReminderPlanner: Sendable {
    public var policy: ReminderPolicy
    public var time: LocalTime
    public var language: DisplayLanguage

    public init(policy: ReminderPolicy = ReminderPolicy(), time: LocalTime, language: DisplayLanguage = .english) {
        self.policy = policy
        self.time = time
        self.language = language
    }

    /// The reminders of one charge after `now`, in order of time.
    public func reminders(
        _ plan: ReminderPlan, of occurrence: OccurrenceID, name: String, after now: UTCInstant
    ) -> [Reminder] {
        plan.offsets.compactMap { offset in
            let day = occurrence.billingOn.adding(days: -offset)
            let fireAt = time.instant(on: day, minuteOfDay: policy.movedMinute)
            guard fireAt > now else { return nil }
            return Reminder(
                id: Reminder.id(of: occurrence, offsetDays: offset), occurrence: occurrence, offsetDays: offset,
                fireAt: fireAt, title: Reminder.title(name, offsetDays: offset, language))
        }
    }

    /// The reminders of the next charge that is not settled and still has a reminder after `now`.
    ///
    /// - Parameter settled: confirmed or skipped charges.
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

    /// Maximum number of charges examined: enough for a daily charge with a reminder one year before.
    private static let maximumCharges = 400
}

/// How many days before its charges a subscription has reminders.
public struct ReminderPlan: Sendable, Hashable {
    /// Days before the billing day, without duplicates, in descending order. Empty for no reminders. Default: 3.
    public var offsets: [Int]

    public static let offsetRange = 0...366
    public static let maximumOffsets = 10

    public init(offsets: [Int] = [3]) {
        self.offsets = Array(Set(offsets)).sorted(by: >)
    }

    func requireValid() throws(Fault) {
        guard offsets.count <= Self.maximumOffsets else {
            throw Fault("remind", .outOfRange, "At most \(Self.maximumOffsets) reminders.")
        }
        for offset in offsets { _ = try FieldRules.within(Self.offsetRange, offset, field: "remind") }
    }

    /// Reads `7,1`; an empty text means no reminders.
    public init(wire: String) throws(Fault) {
        var offsets: [Int] = []
        for part in wire.split(separator: ",", omittingEmptySubsequences: !wire.contains(",")) {
            guard let days = Int(part.filter { $0 != " " }) else {
                throw Fault("remind", .invalidFormat, "Must be numbers of days separated by commas, such as 7,1.")
            }
            offsets.append(days)
        }
        self.init(offsets: offsets)
        try requireValid()
    }

    public var wire: String { offsets.map(String.init).joined(separator: ",") }
}

/// The time of day of reminders, and quiet hours.
public struct ReminderPolicy: Sendable, Hashable {
    /// Minutes after local midnight, 0…1439. Default 9:00.
    public var minuteOfDay = 9 * 60
    /// Quiet hours in minutes after local midnight; may span midnight. Default: 22:00 to 8:00.
    public var quietFrom = 22 * 60
    public var quietUntil = 8 * 60

    public init() {}

    /// The minute of reminders: ``minuteOfDay``; if it falls into the quiet hours, their end, or the last minute before them
    /// when they end on the next day: a reminder never leaves its day.
    var movedMinute: Int {
        guard quietFrom != quietUntil else { return minuteOfDay }
        let crossesMidnight = quietFrom > quietUntil
        let isQuiet =
            crossesMidnight
            ? minuteOfDay >= quietFrom || minuteOfDay < quietUntil
            : minuteOfDay >= quietFrom && minuteOfDay < quietUntil
        guard isQuiet else { return minuteOfDay }
        return crossesMidnight && minuteOfDay >= quietFrom ? quietFrom - 1 : quietUntil
    }

    /// Reads `09:30` as minutes after midnight; nil for anything else.
    public static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}

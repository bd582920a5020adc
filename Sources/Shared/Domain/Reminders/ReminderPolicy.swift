/// When and of what there are reminders, for all subscriptions.
public struct ReminderPolicy: Sendable, Hashable {
    /// Minutes after local midnight, 0…1439. Default 9:00.
    public var minuteOfDay = 9 * 60
    /// The first minute of the quiet hours, in minutes after local midnight; they may span midnight. Default: 22:00.
    /// The same as ``quietUntil`` for none.
    public var quietFrom = 22 * 60
    /// The first minute after the quiet hours, in minutes after local midnight. Default: 8:00.
    public var quietUntil = 8 * 60
    /// Days before a charge, the end of a trial or a new price, of subscriptions without days of their own. Default: 3.
    public var days = [3]
    /// Days before the last day to cancel. Default: 14 and 3.
    public var cancelByDays = [14, 3]
    /// The kinds of which there are reminders. Default: all.
    public var kinds = Set(ReminderKind.allCases)

    /// Sets each field to its default.
    public init() {}

    /// The days before an event of which a subscription has reminders; empty for none.
    public func days(of kind: ReminderKind, _ plan: ReminderPlan) -> [Int] {
        guard kinds.contains(kind), !plan.muted.contains(kind) else { return [] }
        return kind == .cancelBy ? cancelByDays : plan.days ?? days
    }

    /// The longest time before an event, in days, without the plans of subscriptions.
    public var longestDays: Int { max(days.max() ?? 0, (cancelByDays.max() ?? 0) + 1) }

    /// The minute of reminders: ``minuteOfDay``; if it falls into the quiet hours, their end, or the last minute before
    /// them when they end on the next day: a reminder never leaves its day.
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

    /// Reads `22:00-08:00` as minutes after midnight, and `none` as equal ones; nil for anything else.
    public static func quietHours(_ text: String) -> (from: Int, until: Int)? {
        if text == "none" { return (0, 0) }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let from = minutes(String(parts[0])), let until = minutes(String(parts[1])) else {
            return nil
        }
        return (from, until)
    }

    /// Reads `14,3`, and `none` as no days; nil for anything else and for days out of ``ReminderPlan/dayRange``.
    public static func days(_ text: String) -> [Int]? {
        if text == "none" { return [] }
        var days: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let day = Int(part.filter { $0 != " " }), ReminderPlan.dayRange.contains(day) else { return nil }
            days.insert(day)
        }
        return days.count > ReminderPlan.maximumDays ? nil : days.sorted(by: >)
    }

    /// Reads `charge,trial_end`, and `none` as no kinds; nil for anything else.
    public static func kinds(_ text: String) -> Set<ReminderKind>? {
        if text == "none" { return [] }
        var kinds: Set<ReminderKind> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = ReminderKind(rawValue: part.filter { $0 != " " }) else { return nil }
            kinds.insert(kind)
        }
        return kinds
    }
}

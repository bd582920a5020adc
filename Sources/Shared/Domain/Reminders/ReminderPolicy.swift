/// At what time of day reminders may come.
public struct ReminderPolicy: Sendable, Hashable {
    /// Minutes after local midnight, 0…1439. Default 9:00.
    public var minuteOfDay = 9 * 60
    /// Minutes after local midnight between which nothing comes; may lie across midnight. Default 22:00 to 8:00.
    public var quietFrom = 22 * 60
    public var quietUntil = 8 * 60

    public init() {}

    /// The minute at which a reminder of this policy comes: the wanted one, or the end of the quiet hours. A minute
    /// before midnight that falls into quiet hours moves to the next morning.
    func moved() -> (minute: Int, daysLater: Int) {
        guard quietFrom != quietUntil else { return (minuteOfDay, 0) }
        let crossesMidnight = quietFrom > quietUntil
        let isQuiet =
            crossesMidnight
            ? minuteOfDay >= quietFrom || minuteOfDay < quietUntil
            : minuteOfDay >= quietFrom && minuteOfDay < quietUntil
        guard isQuiet else { return (minuteOfDay, 0) }
        return (quietUntil, crossesMidnight && minuteOfDay >= quietFrom ? 1 : 0)
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

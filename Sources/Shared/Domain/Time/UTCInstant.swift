/// An instant in UTC with millisecond precision, in the years 0001 to 9999.
public struct UTCInstant: Sendable, Hashable {
    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let millisecondsSinceEpoch: Int64

    /// 0001-01-01T00:00:00Z.
    public static let earliest = UTCInstant(uncheckedMilliseconds: -62_135_596_800_000)
    /// 9999-12-31T23:59:59.999Z.
    public static let latest = UTCInstant(uncheckedMilliseconds: 253_402_300_799_999)

    /// Clamps to the supported range.
    public init(millisecondsSinceEpoch: Int64) {
        let latest = Self.latest.millisecondsSinceEpoch
        let earliest = Self.earliest.millisecondsSinceEpoch
        self.init(uncheckedMilliseconds: min(max(millisecondsSinceEpoch, earliest), latest))
    }

    /// The instant so many whole seconds after 1970-01-01T00:00:00Z; clamped to the supported range.
    public init(secondsSinceEpoch: Int64) {
        self.init(millisecondsSinceEpoch: Self.saturatedMilliseconds(secondsSinceEpoch))
    }

    /// Midnight at the start of the day, in UTC.
    public init(startOf day: CalendarDay) {
        self.init(uncheckedMilliseconds: Int64(day.daysSinceEpoch) * Self.millisecondsPerDay)
    }

    private init(uncheckedMilliseconds: Int64) {
        millisecondsSinceEpoch = uncheckedMilliseconds
    }

    /// Whole seconds since the epoch, rounded down.
    public var secondsSinceEpoch: Int64 {
        Self.floorDivide(millisecondsSinceEpoch, by: 1000)
    }

    /// The day in UTC.
    public var day: CalendarDay {
        let days = Self.floorDivide(millisecondsSinceEpoch, by: Self.millisecondsPerDay)
        return CalendarDay(uncheckedDaysSinceEpoch: Int(days))
    }

    /// Milliseconds since midnight in UTC.
    var millisecondOfDay: Int64 {
        millisecondsSinceEpoch - Int64(day.daysSinceEpoch) * Self.millisecondsPerDay
    }

    /// Clamped to the supported years.
    public func adding(milliseconds: Int64) -> UTCInstant {
        let (sum, overflow) = millisecondsSinceEpoch.addingReportingOverflow(milliseconds)
        guard !overflow else { return milliseconds < 0 ? .earliest : .latest }
        return UTCInstant(millisecondsSinceEpoch: sum)
    }

    /// Clamped to the supported years.
    public func adding(seconds: Int64) -> UTCInstant {
        adding(milliseconds: Self.saturatedMilliseconds(seconds))
    }

    /// Clamped to the supported years. A day is 24 hours.
    public func adding(days: Int) -> UTCInstant {
        let (milliseconds, overflow) = Int64(days).multipliedReportingOverflow(by: Self.millisecondsPerDay)
        return adding(milliseconds: overflow ? (days < 0 ? .min : .max) : milliseconds)
    }

    /// Milliseconds until the other instant; negative when it is earlier.
    public func milliseconds(until other: UTCInstant) -> Int64 {
        other.millisecondsSinceEpoch - millisecondsSinceEpoch
    }

    static let millisecondsPerDay: Int64 = 86_400_000

    private static func saturatedMilliseconds(_ seconds: Int64) -> Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (seconds < 0 ? .min : .max) : product
    }

    private static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}

extension UTCInstant: Comparable {
    public static func < (left: UTCInstant, right: UTCInstant) -> Bool {
        left.millisecondsSinceEpoch < right.millisecondsSinceEpoch
    }
}

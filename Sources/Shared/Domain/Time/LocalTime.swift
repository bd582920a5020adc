public import Foundation

/// Days and times of day in a time zone.
public struct LocalTime: Sendable, Hashable {
    /// The time zone of the days and times.
    public let zone: TimeZone

    /// Days and times in that zone.
    public init(zone: TimeZone) { self.zone = zone }

    /// The local day at an instant.
    public func day(at instant: UTCInstant) -> CalendarDay {
        instant.adding(seconds: Int64(offset(at: instant))).day
    }

    /// The instant of a local time. A time skipped by a clock change maps to the change; for a time that occurs twice,
    /// the first one is used.
    public func instant(on day: CalendarDay, minuteOfDay: Int) -> UTCInstant {
        let local = UTCInstant(startOf: day).adding(seconds: Int64(minuteOfDay) * 60)
        // The offset is one of those in effect a day before, a day after or at that time.
        let before = offset(at: local.adding(days: -1))
        let after = offset(at: local.adding(days: 1))
        let candidates = Set([before, after, offset(at: local)])
            .map { (offset: $0, instant: local.adding(seconds: -Int64($0))) }
            .filter { offset(at: $0.instant) == $0.offset }
        if let first = candidates.map(\.instant).min() { return first }
        // The time was skipped: find the clock change.
        return firstMoment(after: local.adding(seconds: -Int64(max(before, after))), atOffset: max(before, after))
    }

    /// The start of the day: midnight, or the first instant of the day where midnight was skipped.
    public func start(of day: CalendarDay) -> UTCInstant { instant(on: day, minuteOfDay: 0) }

    /// The instant of the change to an offset, within a day of `start`.
    private func firstMoment(after start: UTCInstant, atOffset target: Int) -> UTCInstant {
        var low = start.adding(days: -1)
        var high = start.adding(days: 1)
        while low.milliseconds(until: high) > 1000 {
            let middle = low.adding(milliseconds: low.milliseconds(until: high) / 2)
            if offset(at: middle) == target { high = middle } else { low = middle }
        }
        let milliseconds = high.millisecondsSinceEpoch
        return UTCInstant(millisecondsSinceEpoch: milliseconds - milliseconds % 1000)
    }

    /// Hour and minute of the day.
    public func timeOfDay(at instant: UTCInstant) -> (hour: Int, minute: Int) {
        let minutes = Int(instant.adding(seconds: Int64(offset(at: instant))).millisecondOfDay / 60_000)
        return (minutes / 60, minutes % 60)
    }

    private func offset(at instant: UTCInstant) -> Int {
        zone.secondsFromGMT(for: instant.date)
    }
}

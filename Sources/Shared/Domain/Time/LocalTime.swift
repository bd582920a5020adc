public import Foundation

/// Days and times of day as the people of a time zone count them.
public struct LocalTime: Sendable, Hashable {
    public let zone: TimeZone

    public init(zone: TimeZone) { self.zone = zone }

    /// The day at a moment.
    public func day(at instant: UTCInstant) -> CalendarDay {
        instant.adding(seconds: Int64(offset(at: instant))).day
    }

    /// The moment of a local time. Where the clocks go forward over it, the moment they do; where they go back and it
    /// comes twice, the first.
    public func instant(on day: CalendarDay, minuteOfDay: Int) -> UTCInstant {
        let local = UTCInstant(startOf: day).adding(seconds: Int64(minuteOfDay) * 60)
        // The offset in force is one of those around: a day before and a day after.
        let before = offset(at: local.adding(days: -1))
        let after = offset(at: local.adding(days: 1))
        let candidates = Set([before, after, offset(at: local)])
            .map { (offset: $0, instant: local.adding(seconds: -Int64($0))) }
            .filter { offset(at: $0.instant) == $0.offset }
        if let first = candidates.map(\.instant).min() { return first }
        // In the gap: with the offset before it, the same distance after the change; moved back to the change itself.
        return firstMoment(after: local.adding(seconds: -Int64(max(before, after))), atOffset: max(before, after))
    }

    /// Midnight at the beginning of the day, or the first moment of it where midnight does not exist.
    public func start(of day: CalendarDay) -> UTCInstant { instant(on: day, minuteOfDay: 0) }

    /// The minute of the change to an offset, searched forward for up to a day.
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

    private func offset(at instant: UTCInstant) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.millisecondsSinceEpoch) / 1000))
    }
}

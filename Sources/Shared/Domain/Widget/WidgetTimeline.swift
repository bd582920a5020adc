/// What a widget shows in the next 24 hours: one entry now and one for each local midnight in between, when the day
/// and with it the list changes. A change by the user makes a new timeline.
public struct WidgetTimeline: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        public var at: UTCInstant
        /// Pending payments, soonest first, as many as the family has room for.
        public var payments: [Occurrence]

        public init(at: UTCInstant, payments: [Occurrence]) {
            self.at = at
            self.payments = payments
        }
    }

    public var family: WidgetFamily
    public var entries: [Entry]

    public static let hours: Int64 = 24

    /// - Parameter pending: the pending payments of a day, soonest first, at least as many as the family has room for
    ///   where there are as many.
    public static func make(
        family: WidgetFamily, now: UTCInstant, time: LocalTime,
        pending: (_ day: CalendarDay) throws -> [Occurrence]
    ) rethrows -> WidgetTimeline {
        var entries: [Entry] = []
        for moment in moments(from: now, time: time) {
            let payments = try pending(time.day(at: moment)).prefix(family.maximumPayments)
            entries.append(Entry(at: moment, payments: Array(payments)))
        }
        return WidgetTimeline(family: family, entries: entries)
    }

    /// Now, and each beginning of a local day after it within 24 hours.
    public static func moments(from now: UTCInstant, time: LocalTime) -> [UTCInstant] {
        let end = now.adding(seconds: hours * 3600)
        let today = time.day(at: now)
        let midnights = (1...2).map { time.start(of: today.adding(days: $0)) }
        return [now] + midnights.filter { $0 > now && $0 < end }
    }
}

/// The sizes of the widget; the raw value is the word on the command line.
public enum WidgetFamily: String, Sendable, Hashable, CaseIterable {
    case small
    case medium
    case large

    /// How many payments it has room for.
    public var maximumPayments: Int {
        switch self {
        case .small: 1
        case .medium: 3
        case .large: 5
        }
    }
}

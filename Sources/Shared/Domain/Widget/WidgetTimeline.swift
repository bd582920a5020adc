/// The content of a widget for the next 24 hours: one entry now, and one for each local midnight in between. Every
/// change by the user requires a new timeline.
public struct WidgetTimeline: Sendable, Hashable {
    /// What the widget shows from a time on.
    public struct Entry: Sendable, Hashable {
        /// When the entry begins.
        public var at: UTCInstant
        /// Pending charges, soonest first, at most ``WidgetFamily/maximumPayments``.
        public var payments: [Occurrence]

        /// Takes the fields as they are.
        public init(at: UTCInstant, payments: [Occurrence]) {
            self.at = at
            self.payments = payments
        }
    }

    /// The size of the widget.
    public var family: WidgetFamily
    /// In order of time; the first one begins now.
    public var entries: [Entry]

    /// How far a timeline reaches.
    public static let hours: Int64 = 24

    /// Computes the entries of the next 24 hours. `pending` returns the pending charges of a day, soonest first; only
    /// as many as the widget shows are used.
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

    /// Now, and the start of each local day within the next 24 hours.
    public static func moments(from now: UTCInstant, time: LocalTime) -> [UTCInstant] {
        let end = now.adding(seconds: hours * 3600)
        let today = time.day(at: now)
        let midnights = (1...2).map { time.start(of: today.adding(days: $0)) }
        return [now] + midnights.filter { $0 > now && $0 < end }
    }
}

/// The widget sizes; the raw value is the name on the command line.
public enum WidgetFamily: String, Sendable, Hashable, CaseIterable {
    /// One charge.
    case small
    /// Three charges.
    case medium
    /// Five charges.
    case large

    /// Maximum number of charges shown.
    public var maximumPayments: Int {
        switch self {
        case .small: 1
        case .medium: 3
        case .large: 5
        }
    }
}

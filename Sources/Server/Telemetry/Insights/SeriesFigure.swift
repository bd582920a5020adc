import ServerAccess
package import SubGuardDomain

/// A figure of which there is a value for each day. The raw value is its name on the wire.
package struct SeriesFigure: RawRepresentable, CaseIterable, Hashable, Sendable {
    package let rawValue: String
    /// What the figure counts, for people who read it.
    package let definition: String
    let source: Source

    /// Where its values are stored.
    enum Source: Hashable {
        /// Users in ``FigureTable/days``.
        case days(Figure)
        /// Their sum from the first user on.
        case total(Figure)
        /// Users in `activity_days`: the place in ``ActivityChanges/lengths``.
        case activity(Int)
        /// Events of a name.
        case events(String)
        case sessions
    }

    package static let allCases: [SeriesFigure] =
        [
            users("users", .users, "by the day of their signup: of app_downloaded, else of their earliest event"),
            SeriesFigure(
                rawValue: "total_users",
                definition: "Users, each once, whose signup is on the day or earlier; a week or month has the "
                    + "value of its last day, the unfinished one that of today.", source: .total(.users)),
        ]
        + ActivityChanges.lengths.enumerated().map { index, length in
            SeriesFigure(
                rawValue: "active_\(length)d",
                definition: (length == 1
                    ? "Distinct users with any event on the day"
                    : "Distinct users with any event on the \(length) calendar days that end on the day")
                    + "; a week or month has the value of its last day, the unfinished one that of today.",
                source: .activity(index))
        }
        + [
            users("downloads", .downloads, "with app_downloaded, by the day of their signup"),
            users(
                "first_subscription", .firstSubscriptions,
                "with first_subscription_added, whenever it came, by the day of their signup"),
            users(
                "five_subscriptions", .fiveSubscriptions,
                "with five_subscriptions_reached, whenever it came, by the day of their signup"),
            users("conversions", .conversions, "by the day of their first premium_conversion"),
            events("subscription_added", as: "subscriptions_added"),
            events("subscription_removed", as: "subscriptions_removed"),
            SeriesFigure(
                rawValue: "crash_free_sessions",
                definition: "Sessions without a crash in percent of all sessions that started on the day; of a "
                    + "week or month, of all its sessions; null without sessions.",
                source: .sessions),
        ]
        + EventRegistry.events.map { events($0.name, as: "events.\($0.name)") }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Nil for an unknown name.
    package init?(rawValue: String) {
        guard let figure = Self.byName[rawValue] else { return nil }
        self = figure
    }

    private init(rawValue: String, definition: String, source: Source) {
        self.rawValue = rawValue
        self.definition = definition
        self.source = source
    }

    private static func users(_ name: String, _ figure: Figure, _ meaning: String) -> SeriesFigure {
        SeriesFigure(
            rawValue: name, definition: "Users, each once, \(meaning); a week or month is the sum of its days.",
            source: .days(figure))
    }

    private static func events(_ name: String, as figure: String) -> SeriesFigure {
        SeriesFigure(
            rawValue: figure,
            definition: "Accepted \(name) events by the day on which they happened; a week or month is the sum "
                + "of its days.", source: .events(name))
    }
}

/// The length of a period of a series.
package enum SeriesStep: String, CaseIterable, Sendable {
    case day
    /// From Monday, as in ISO 8601.
    case week
    case month
}

/// The periods of a series: those that contain a day from ``from`` through ``to``, always whole.
package struct SeriesRange: Sendable, Hashable {
    package let from: CalendarDay
    package let to: CalendarDay
    package let step: SeriesStep

    package static let mostPeriods = 1100

    /// Throws ``BackendError/invalid(_:)`` for `to` when it is before `from`, and for `from` when it is after today or
    /// there are too many periods.
    ///
    /// - Parameters:
    ///   - from: 30 days, 12 weeks or 12 months before `to` when nil.
    ///   - to: today when nil.
    package init(from: CalendarDay?, to: CalendarDay?, step: SeriesStep, today: CalendarDay) throws {
        let end = to ?? today
        self.to = end
        self.step = step
        self.from =
            from
            ?? {
                switch step {
                case .day: end.adding(days: -30)
                case .week: end.adding(days: -12 * 7)
                case .month: end.adding(months: -12)
                }
            }()
        guard self.from <= end else {
            throw BackendError.invalid([
                to == nil
                    ? Fault("from", .outOfRange, "Must not be after to, which is today by default.")
                    : Fault("to", .outOfRange, "Must not be before from.")
            ])
        }
        guard count <= Self.mostPeriods else {
            throw BackendError.invalid([
                Fault("from", .outOfRange, "Must be later: a series has at most \(Self.mostPeriods) points.")
            ])
        }
    }

    var count: Int { index(of: to) + 1 }

    /// The place of the period that contains a day from the first period on.
    func index(of day: CalendarDay) -> Int {
        switch step {
        case .day: return from.days(until: day)
        case .week: return from.startOfISOWeek.days(until: day.startOfISOWeek) / 7
        case .month:
            let (first, other) = (from.components, day.components)
            return (other.year - first.year) * 12 + other.month - first.month
        }
    }

    /// The first and the last day of a period.
    func days(at index: Int) -> ClosedRange<CalendarDay> {
        switch step {
        case .day:
            let day = from.adding(days: index)
            return day...day
        case .week:
            let monday = from.startOfISOWeek.adding(days: 7 * index)
            return monday...monday.adding(days: 6)
        case .month:
            let first = from.adding(months: index, anchorDay: 1)
            return first...first.adding(months: 0, anchorDay: 31)
        }
    }
}

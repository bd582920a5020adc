import JSONWire
package import SubGuardContract
package import SubGuardDomain
package import Telemetry

extension APIOperation {
    package static let series = APIOperation(
        .get, "/api/v1/admin/series", "getSeries", tag: .administration, access: .permission(.metricsRead),
        summary: "Show a figure by day, week or month",
        "A point for each period that contains a day from `from` through `to`; weeks and months are always whole. "
            + "At most 1,100 points. " + tagRule, query: .object(SeriesQuery.self),
        answers: [
            figures(
                Series.self, "The points, oldest first.",
                csv: """
                    figure,step,on,value,unfinished,zone,definition\r
                    downloads,week,2026-11-16,312,true,UTC,"Users, each once, with app_downloaded, …"\r

                    """)
        ])
}

/// The figure, the days and the format of a series.
package struct SeriesQuery: WireObject {
    package let figure: SeriesFigure
    package let from: CalendarDay?
    package let to: CalendarDay?
    package let step: SeriesStep
    package let format: FigureFormat
    private let hasMark: Bool

    package static let wire = WireSchema<SeriesQuery>(
        nil, make: SeriesQuery.init, Field("figure", \.figure, .choice.named("SeriesFigure"), "What to count."),
        Field(
            "from", \.from, optional: .day,
            "A day of the first period. Default: 30 days, 12 weeks or 12 months before `to`."),
        Field("to", \.to, optional: .day, "A day of the last period. Default: today."),
        Field("step", \.step, .choice, "The length of a period. Weeks begin on Monday.", default: .day),
        Field("format", \.format, .choice, FigureQuery.formatMeaning, default: .json), Field(byteOrderMark: \.hasMark))
}

extension Series: FigureReport {
    package var meaning: String { figure.definition }

    package static let wire = WireSchema<Series>("Series") {
        Field(flattening: \.head)
        Field("figure", \.figure, .choice.named("SeriesFigure"))
        Field("step", \.range.step, .choice)
        Field("from", \.range.from, .day, "As asked for, or its default.")
        Field("to", \.range.to, .day, "As asked for, or its default.")
        Field("points", \.points, .array(of: .object, count: 1...SeriesRange.mostPeriods))
    }
}

extension Series.Point: WireObject {
    package static let wire = WireSchema<Series.Point>("SeriesPoint") {
        Field("on", \.on, .day, "The first day of the period.")
        Field(
            "value", \.value, .figure(["type": ["number", "null"]], example: 87),
            "A count, or a percentage with one decimal. Null for a percentage of nothing, and before the period begins."
        )
        Field("unfinished", \.isUnfinished, .boolean, "Whether the period has not ended.")
    }
}

/// What the event explorer of the console counts. No call of the API has it.
package struct EventQuery: WireObject {
    package let event: EventName?
    package let item: String?
    package let platform: Platform?
    package let from: CalendarDay?
    package let to: CalendarDay?
    package let format: FigureFormat

    /// A name of the registry.
    package struct EventName: RawRepresentable, CaseIterable, Equatable, Sendable {
        package let rawValue: String
        package static let allCases = EventRegistry.events.map { EventName($0.name) }

        package init?(rawValue: String) {
            guard EventRegistry.definition(named: rawValue) != nil else { return nil }
            self.rawValue = rawValue
        }

        private init(_ name: String) { rawValue = name }
    }

    /// A name of ``EventSelection/platforms``.
    package struct Platform: RawRepresentable, CaseIterable, Equatable, Sendable {
        package let rawValue: String
        package static let allCases = EventSelection.platforms.map { Platform($0) }

        package init?(rawValue: String) {
            guard EventSelection.platforms.contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }

        private init(_ name: String) { rawValue = name }
    }

    package static let wire = WireSchema<EventQuery>(
        nil, make: EventQuery.init, Field("event", \.event, optional: .choice),
        Field("item", \.item, optional: .text(1...200)),
        Field("platform", \.platform, optional: .choice), Field("from", \.from, optional: .day),
        Field("to", \.to, optional: .day), Field("format", \.format, .choice, default: .json))
}

package import Backend
import JSONWire
package import SubGuardContract
import SubGuardDomain

/// Calls that return figures: dashboard, series, funnel, cohorts and ranking.
extension APIOperation {
    package static let dashboard = APIOperation(
        .get, "/api/v1/admin/dashboard", "getDashboard", tag: .administration, access: .permission(.metricsRead),
        summary: "Show the figures",
        "Each figure with its change in the last 7 x 24 hours and in the 7 x 24 hours before, and its own definition. "
            + tagRule, query: .object(FigureQuery.self),
        answers: [
            figures(
                Dashboard.self, "All figures at one moment.",
                csv: """
                    figure,value,this_week,last_week,trend_percent,zone,definition\r
                    subscriptions_tracked,18341,-12,960,-101.2,UTC,"Subscriptions added less removed, …"\r

                    """)
        ])

    package static let funnel = APIOperation(
        .get, "/api/v1/admin/funnel", "getFunnel", tag: .administration, access: .permission(.metricsRead),
        summary: "Show how far users got", "Counts each user once, by the day of signup. " + tagRule,
        query: .object(FigureDaysQuery.self),
        answers: [
            figures(
                Funnel.self, "The five stages, in their order.",
                csv: """
                    stage,count,percent_of_previous,percent_of_first,from,to,zone,definition\r
                    downloads,5000,,100.0,2026-09-01,,UTC,"Users, each once, …"\r

                    """)
        ])

    package static let cohorts = APIOperation(
        .get, "/api/v1/admin/cohorts", "getCohorts", tag: .administration, access: .permission(.metricsRead),
        summary: "Show how many users came back",
        "By ISO week of the signup. `from` and `to` select the weeks that contain these days. " + tagRule,
        query: .object(FigureDaysQuery.self),
        answers: [
            figures(
                Cohorts.self, "A row per week, oldest first, without weeks in which nobody signed up.",
                csv: """
                    week,starts_on,users,d1_count,d1_eligible,d1_percent,d1_rating,d7_count,d7_eligible,d7_percent,\
                    d7_rating,d30_count,d30_eligible,d30_percent,d30_rating,zone,definition\r
                    2026-W47,2026-11-16,310,49,251,19.5,red,,,,,,,,,UTC,"A row per ISO 8601 week …"\r

                    """)
        ])

    package static let ranking = APIOperation(
        .get, "/api/v1/admin/ranking", "getRanking", tag: .administration, access: .permission(.metricsRead),
        summary: "List the items added most often", "The ranking is computed once a day. " + tagRule,
        query: .object(RankingQuery.self),
        answers: [
            figures(
                Ranking.self, "The most frequent item first.",
                csv: """
                    id,name,logo_url,count,zone,definition\r
                    01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b,Ciné+ OCS,,312,UTC,"Accepted subscription_added events …"\r

                    """)
        ])

    static let ofFigures: [APIOperation] = [dashboard, series, funnel, cohorts, ranking]

    static let tagRule = "A change of `as_of` and `counted_until` alone keeps the `ETag`."

    static func figures<Report: FigureReport>(_ report: Report.Type, _ description: String, csv: String)
        -> Answer
    {
        .other(
            200,
            [.json(Report.self), .other("text/csv", ["type": "string", "minLength": 1], example: .string(csv))],
            description, headers: [.contentDisposition, .figuresComplete, .figuresCountedUntil])
    }
}

/// The options of the dashboard.
package struct FigureQuery: WireObject {
    package let format: FigureFormat

    package static let wire = WireSchema<FigureQuery>(
        nil, make: FigureQuery.init, Field("format", \.format, .choice, formatMeaning, default: .json))

    static let formatMeaning =
        "`csv` is for spreadsheets: no cell runs as a formula. It has no `as_of`, and the fields `Figures-Complete` and "
        + "`Figures-Counted-Until` in place of the members."
}

/// The signup days and format of a report.
package struct FigureDaysQuery: WireObject {
    private let from: CalendarDay?
    private let to: CalendarDay?
    package let format: FigureFormat

    package var range: DayRange { DayRange(from: from, to: to) }

    package static let wire = WireSchema<FigureDaysQuery>(
        nil, make: FigureDaysQuery.init, Field("from", \.from, optional: .day, "The first day of signups, in UTC."),
        Field("to", \.to, optional: .day, "The last day of signups, in UTC."),
        Field("format", \.format, .choice, FigureQuery.formatMeaning, default: .json)
    ) { query, reading in
        guard let from = query.from, let to = query.to, from > to else { return }
        reading.at("to") { reading.note(.outOfRange, "Must not be before from.") }
    }
}

/// The length and format of the ranking.
package struct RankingQuery: WireObject {
    package let limit: Int
    package let format: FigureFormat

    package static let wire = WireSchema<RankingQuery>(
        nil, make: RankingQuery.init, Field("limit", \.limit, .pageLimit, "Maximum number of items.", default: 10),
        Field("format", \.format, .choice, FigureQuery.formatMeaning, default: .json))
}

/// A report of figures.
package protocol FigureReport: WireObject {
    /// Describes the counted values in one or two sentences.
    var meaning: String { get }
    var standing: FigureStanding { get }
}

extension FigureReport {
    var head: FigureHead { FigureHead(standing: standing, definition: meaning) }
}

/// The members at the start of every report.
struct FigureHead: WireObject {
    let standing: FigureStanding
    let definition: String

    static let wire = WireSchema<FigureHead>(nil) {
        Field("as_of", \.standing.computedAt, .instant, "When it was counted.")
        Field(
            "complete", \.standing.isComplete, .boolean,
            "Whether every event accepted before `as_of` is counted. A read waits up to 2 seconds for it.",
            example: true)
        Field(
            "counted_until", \.standing.countedUntil, .instant,
            "Every event accepted before this time, whose own time had come by then, is counted. `as_of` when complete."
        )
        Field("zone", { _ in "UTC" }, .constant("UTC"))
        Field("definition", \.definition, .text(1...Int.max), "What the report counts.", example: "Users, each once, …")
    }
}

extension Dashboard: FigureReport {
    package var meaning: String { Self.definition }

    package static let wire = WireSchema<Dashboard>("Dashboard") {
        Field(flattening: \.head)
        figure(.totalUsers, "CountFigure", "A number of users.", ["type": "integer", "minimum": 0])
        figure(.activeUsers30d, "CountFigure", "A number of users.", ["type": "integer", "minimum": 0])
        figure(
            .subscriptionsTracked, "BalanceFigure", "Additions minus removals; may be negative.", ["type": "integer"])
        figure(.premiumConversions, "CountFigure", "A number of users.", ["type": "integer", "minimum": 0])
        figure(
            .crashFreeSessions, "RateFigure", "Percent with one decimal; null without sessions.",
            ["type": ["number", "null"], "minimum": 0, "maximum": 100])
    }

    /// - Parameter number: the schema of the value and of the weekly values.
    private static func figure(
        _ name: Name, _ type: String, _ description: String, _ number: JSONObject
    ) -> Field<Dashboard, DashboardFigure> {
        Field(
            name.rawValue, { $0[name] },
            .object(
                WireSchema<DashboardFigure>(type, description) {
                    Field("value", \.value, .figure(number, example: 87))
                    Field("this_week", \.thisWeek, .figure(number, example: 5))
                    Field("last_week", \.lastWeek, .figure(number, example: 4))
                    Field("trend_percent", \.trendPercent, .figure(["type": ["number", "null"]], example: 25))
                    Field("definition", { _ in name.definition }, .text(1...Int.max), example: name.definition)
                }))
    }
}

extension Funnel: FigureReport {
    package var meaning: String { Self.definition }

    package static let wire = WireSchema<Funnel>("Funnel") {
        Field(flattening: \.head)
        Field("from", \.range.from, nullable: .day)
        Field("to", \.range.to, nullable: .day, example: nil)
        Field("stages", \.stages, .array(of: .object, count: 5...5), example: exampleStages)
    }
}

extension Funnel {
    fileprivate static let exampleStages = stages {
        switch $0 {
        case .downloads: 5000
        case .firstSubscription: 3120
        case .fiveSubscriptions: 940
        case .retentionD7: 1210
        case .retentionD30: 640
        }
    }
}

extension Funnel.Stage: WireObject {
    package static let wire = WireSchema<Funnel.Stage>("FunnelStage") {
        Field("name", \.name, .choice, example: .firstSubscription)
        Field("count", \.count, .count, example: 3120)
        Field(
            "percent_of_previous", \.percentOfPrevious, .figure(share, example: .number("62.4")),
            "Null for the first stage and if the previous one is 0. May exceed 100: stages are independent.")
        Field(
            "percent_of_first", \.percentOfFirst, .figure(share, example: .number("62.4")),
            "Null if the first stage is 0.")
    }

    private static let share: JSONObject = ["type": ["number", "null"], "minimum": 0]
}

extension Cohorts: FigureReport {
    package var meaning: String { Self.definition }

    package static let wire = WireSchema<Cohorts>("Cohorts") {
        Field(flattening: \.head)
        Field("from", \.range.from, nullable: .day)
        Field("to", \.range.to, nullable: .day, example: nil)
        Field("cohorts", \.cohorts, .array(of: .object))
    }
}

extension Cohort: WireObject {
    package static let wire = WireSchema<Cohort>("Cohort") {
        Field("week", \.week.text, .text(pattern: "^[0-9]{4}-W[0-9]{2}$"), example: "2026-W47")
        Field("starts_on", \.week.startsOn, .day)
        Field("users", \.users, .integer(1...Int64.max), example: 310)
        Field("d1", \.d1, nullable: .object, "Null when no user of the week has reached day 1.")
        Field("d7", \.d7, nullable: .object, "Null when no user of the week has reached day 7.")
        Field("d30", \.d30, nullable: .object, "Null when no user of the week has reached day 30.", example: nil)
    }
}

extension Retention: WireObject {
    package static let wire = WireSchema<Retention>(
        "Retention", "Of the week's users who have reached the day, those who came back."
    ) {
        Field("count", \.count, .count, example: 49)
        Field("eligible", \.eligible, .integer(1...Int64.max), example: 251)
        Field(
            "percent", { $0.percent },
            .figure(["type": "number", "minimum": 0, "maximum": 100], example: .number("19.5")))
        Field("rating", \.rating, .choice, "By the percentage shown: green over 50, red under 20.", example: .red)
    }
}

extension Ranking: FigureReport {
    package var meaning: String { Self.definition }

    package static let wire = WireSchema<Ranking>("Ranking") {
        Field(flattening: \.head)
        Field("items", \.items, .array(of: .object, count: 0...500))
    }
}

extension Ranking.Item: WireObject {
    package static let wire = WireSchema<Ranking.Item>("RankedItem") {
        Field("id", \.id, .id)
        Field("name", \.name, .name, example: "Ciné+ OCS")
        Field("logo_url", \.logoURL, nullable: .text(), example: nil)
        Field("count", \.count, .integer(1...Int64.max), example: 312)
    }
}

extension WireType where Value == FigureNumber? {
    /// A figure as exact decimal text; null for nil.
    static func figure(_ schema: JSONObject, example: JSONValue) -> WireType {
        .written(schema, example: example) { number, writer in
            if let number { writer.raw(number.text.utf8) } else { writer.null() }
        }
    }
}

import JSONWire
import Publication
package import SubGuardContract
import SubGuardDomain
package import Telemetry

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
    private let hasMark: Bool

    package static let wire = WireSchema<FigureQuery>(
        nil, make: FigureQuery.init, Field("format", \.format, .choice, formatMeaning, default: .json),
        Field(byteOrderMark: \.hasMark))

    static let formatMeaning =
        "`csv` is for spreadsheets: no cell runs as a formula. It has no `as_of`, and the fields `Figures-Complete` "
        + "and `Figures-Counted-Until` in place of the members."
}

/// The length and format of the ranking.
package struct RankingQuery: WireObject {
    package let limit: Int
    package let format: FigureFormat
    private let hasMark: Bool

    package static let wire = WireSchema<RankingQuery>(
        nil, make: RankingQuery.init, Field("limit", \.limit, .pageLimit, "Maximum number of items.", default: 10),
        Field("format", \.format, .choice, FigureQuery.formatMeaning, default: .json), Field(byteOrderMark: \.hasMark))
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
        Field(
            "zone", \.standing.calendar.zoneName, .text(1...64),
            "The time zone in which days begin at midnight: the setting `reports_time_zone`.", example: "UTC")
        Field(
            "zone_since", \.standing.calendar.firstDay, optional: .day,
            "The first day that is cut in `zone`; absent if all are. Earlier days keep their cut: events were purged.")
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
        Field("logo_url", { $0.logoURL.map(PublishedPath.of) }, nullable: .text(), example: nil)
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

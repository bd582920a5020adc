import JSONWire
package import ServerAccess
package import SubGuardContract
import SubGuardDomain
package import Telemetry

extension APIOperation {
    package static let funnel = APIOperation(
        .get, "/api/v1/admin/funnel", "getFunnel", tag: .administration, access: .permission(.metricsRead),
        summary: "Show how far users got",
        "Counts each user once, by the day of signup. With `within` only stages count that were reached so soon after "
            + "it, and users for whom that time has not passed are told apart. With `by` the users of each platform or "
            + "app version are counted too. " + tagRule,
        query: .object(FunnelQuery.self),
        answers: [
            figures(
                Funnel.self, "The five stages, in their order.",
                csv: """
                    stage,count,percent_of_previous,percent_of_first,from,to,zone,definition\r
                    downloads,5000,,100.0,2026-09-01,,UTC,"Users, each once, …"\r

                    """)
        ])
}

/// The signup days, window, segments and format of the funnel.
package struct FunnelQuery: WireObject {
    private let from: CalendarDay?
    private let to: CalendarDay?
    package let window: FunnelWindow?
    package let dimension: FunnelDimension?
    package let format: FigureFormat
    private let hasMark: Bool

    package var range: DayRange { DayRange(from: from, to: to) }

    package static let wire = WireSchema<FunnelQuery>(
        nil, make: FunnelQuery.init, Field("from", \.from, optional: .day, "The first day of signups."),
        Field("to", \.to, optional: .day, "The last day of signups."),
        Field(
            "within", \.window, optional: .funnelWindow,
            "Counts stages that were reached at most so many days of 24 hours after the signup. Default: at any time."),
        Field("by", \.dimension, optional: .choice, "Also counts the users of each platform or app version."),
        Field("format", \.format, .choice, FigureQuery.formatMeaning, default: .json), Field(byteOrderMark: \.hasMark)
    ) { query, reading in
        reading.check(from: query.from, to: query.to)
    }
}

extension WireReading {
    /// Notes a last day before the first one.
    func check(from: CalendarDay?, to: CalendarDay?) {
        guard let from, let to, from > to else { return }
        at("to") { note(.outOfRange, "Must not be before from.") }
    }
}

extension WireType where Value == FunnelWindow {
    fileprivate static var funnelWindow: WireType {
        .converted(
            .text(pattern: FunnelWindow.pattern, example: "7d"), else: .invalidFormat,
            "Must be days from 1d to 90d, such as 7d.", encode: \.text, decode: FunnelWindow.init)
    }
}

extension Funnel: FigureReport {
    package var meaning: String { definition }

    package static let wire = WireSchema<Funnel>("Funnel") {
        Field(flattening: \.head)
        Field("from", \.range.from, nullable: .day)
        Field("to", \.range.to, nullable: .day, example: nil)
        Field("within", \.window, optional: .funnelWindow, "As asked for.")
        Field("by", \.dimension, optional: .choice, "As asked for.")
        Field(
            "users", { $0.window == nil && $0.dimension == nil ? nil : $0.all.users }, optional: .count,
            "With `within` or `by`: the users of `stages`, whether they have reached one or not.")
        Field(
            "stages", \.all.stages, .array(of: .object, count: 5...5),
            "All users; with `within` those for whom the time has passed.", example: exampleStages)
        Field(
            "unfinished", \.unfinished, optional: .object,
            "With `within`: the users whose signup day had not ended that many times 24 h ago, who may still reach a "
                + "stage in time. They are not in `users` and `stages`.")
        Field(
            "segments", \.segments, optional: .array(of: .object),
            "With `by`: the same for each platform or app version, the most users first. Their sums are those of all.")
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

extension Funnel.Part: WireObject {
    package static let wire = WireSchema<Funnel.Part>("FunnelPart") {
        Field("users", \.users, .count, "Users, whether they have reached a stage or not.", example: 5200)
        Field("stages", \.stages, .array(of: .object, count: 5...5), example: Funnel.exampleStages)
    }
}

extension Funnel.Segment: WireObject {
    package static let wire = WireSchema<Funnel.Segment>("FunnelSegment") {
        Field(
            "platform", { $0.dimension == .platform ? $0.name : nil }, optional: .text(),
            "That of the user's earliest event, in lower case; `other` if it is not known here, `unknown` without one.",
            example: "ios")
        Field(
            "app_version", { $0.dimension == .appVersion ? $0.name : nil }, optional: .text(),
            "That of the user's earliest event; `other` if it is no version or not among the first 200, `unknown` "
                + "without one.")
        Field(flattening: \.all)
        Field("unfinished", \.unfinished, optional: .object, "With `within`: as for all users.")
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

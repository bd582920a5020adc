import JSONWire
package import ServerAccess
package import SubGuardContract
import SubGuardDomain
package import Telemetry

extension APIOperation {
    package static let cohorts = APIOperation(
        .get, "/api/v1/admin/cohorts", "getCohorts", tag: .administration, access: .permission(.metricsRead),
        summary: "Show how many users came back",
        "By ISO week or month of the signup. `from` and `to` select the weeks or months that contain these days. "
            + tagRule, query: .object(CohortQuery.self),
        answers: [
            figures(
                Cohorts.self, "A row per week or month, oldest first, without those in which no user signed up.",
                csv: """
                    week,starts_on,users,d1_count,d1_eligible,d1_percent,d1_rating,d7_count,d7_eligible,d7_percent,\
                    d7_rating,d30_count,d30_eligible,d30_percent,d30_rating,zone,definition\r
                    2026-W47,2026-11-16,310,49,251,19.5,red,,,,,,,,,UTC,"A row per ISO 8601 week …"\r

                    """)
        ])
}

/// The signup days, the length of the periods and the format of the cohorts.
package struct CohortQuery: WireObject {
    private let from: CalendarDay?
    private let to: CalendarDay?
    package let step: CohortStep
    package let format: FigureFormat
    private let hasMark: Bool

    package var range: DayRange { DayRange(from: from, to: to) }

    package static let wire = WireSchema<CohortQuery>(
        nil, make: CohortQuery.init,
        Field("from", \.from, optional: .day, "A day of the first week or month of signups."),
        Field("to", \.to, optional: .day, "A day of the last week or month of signups."),
        Field("by", \.step, .choice, "The length of a row's period. Weeks begin on Monday.", default: .week),
        Field("format", \.format, .choice, FigureQuery.formatMeaning, default: .json), Field(byteOrderMark: \.hasMark)
    ) { query, reading in
        reading.check(from: query.from, to: query.to)
    }
}

extension Cohorts: FigureReport {
    package var meaning: String { definition }

    package static let wire = WireSchema<Cohorts>("Cohorts") {
        Field(flattening: \.head)
        Field("from", \.range.from, nullable: .day)
        Field("to", \.range.to, nullable: .day, example: nil)
        Field("cohorts", \.cohorts, .array(of: .object))
    }
}

extension Cohort: WireObject {
    package static let wire = WireSchema<Cohort>("Cohort") {
        Field(
            "week", \.week, optional: .text(pattern: "^[0-9]{4}-W[0-9]{2}$"), "Unless `by` is `month`.",
            example: "2026-W47")
        Field("month", \.month, optional: .text(pattern: "^[0-9]{4}-[0-9]{2}$"), "If `by` is `month`.")
        Field("starts_on", \.startsOn, .day)
        Field("users", \.users, .integer(1...Int64.max), example: 310)
        Field("d1", \.d1, nullable: .object, "Null when no user of the row has reached day 1.")
        Field("d7", \.d7, nullable: .object, "Null when no user of the row has reached day 7.")
        Field("d30", \.d30, nullable: .object, "Null when no user of the row has reached day 30.", example: nil)
    }
}

extension Retention: WireObject {
    package static let wire = WireSchema<Retention>(
        "Retention", "Of the row's users who have reached the day, those who came back."
    ) {
        Field("count", \.count, .count, example: 49)
        Field("eligible", \.eligible, .integer(1...Int64.max), example: 251)
        Field(
            "percent", { $0.percent },
            .figure(["type": "number", "minimum": 0, "maximum": 100], example: .number("19.5")))
        Field("rating", \.rating, .choice, "By the percentage shown: green over 50, red under 20.", example: .red)
    }
}

import JSONWire
package import Operations
package import SubGuardContract
package import SubGuardDomain
package import Telemetry

/// Calls on the server itself: readiness, metrics, OpenAPI document, problem pages and privacy report.
extension APIOperation {
    package static let readiness = APIOperation(
        .get, "/readyz", "getReadiness", tag: .operations, access: .open, summary: "Check that the server is ready",
        """
        Ready means that every migration is applied and that a write reached the database at most a second ago; a \
        shutdown is reported at once. For a load balancer. Never rate-limited.
        """, answers: [.json(ReadinessReport.self, "Every check passed.")], problems: [.notReady],
        traits: [.unconditional, .unlimited, .anyQuery])

    package static let metrics = APIOperation(
        .get, "/metrics", "getMetrics", tag: .operations, access: .open, summary: "Show the metrics of the process",
        """
        In the text format of Prometheus, computed at most once a second. Requires the bearer token of the setting \
        `metrics_token` when one is set; returns 404 on the main port if `metrics_port` opens a second one for \
        metrics. Only wrong tokens are rate-limited.
        """,
        answers: [
            .other(
                200,
                [
                    .other(
                        "text/plain; version=0.0.4", ["type": "string", "minLength": 1],
                        example: """
                            # HELP subguard_http_requests_total Requests answered, by route template, method and status.
                            # TYPE subguard_http_requests_total counter
                            subguard_http_requests_total{route="/healthz",method="GET",status="200"} 7

                            """)
                ], "All metrics.")
        ], problems: [.unauthorized, .notFound, .rateLimited], traits: [.unconditional, .unlimited, .anyQuery])

    package static let openAPI = APIOperation(
        .get, "/api/v1/openapi.json", "getOpenAPI", tag: .operations, access: .open, summary: "Get this document",
        "Generated from the declarations by which the server itself reads requests and writes responses.",
        answers: [
            .other(
                200,
                [
                    .other(
                        "application/json",
                        [
                            "type": "object",
                            "properties": [
                                "openapi": ["type": "string", "pattern": #"^3\.1\.[0-9]+$"#],
                                "info": ["type": "object"],
                                "paths": ["type": "object"],
                            ], "required": ["openapi", "info", "paths"],
                        ],
                        example: [
                            "openapi": "3.1.0", "info": ["title": "SubGuard", "version": "1.0.0"], "paths": [:],
                        ])
                ], "OpenAPI 3.1.")
        ])

    package static let problem = APIOperation(
        .get, "/problems/{code}", "getProblem", tag: .operations, access: .open, summary: "Explain an error",
        "The page that the `type` of a problem links to, for people.",
        holes: [
            .text(
                "The `code` of the problem.", ["$ref": "#/components/schemas/ProblemCode"], example: "not_found")
        ],
        answers: [
            .other(
                200,
                [
                    .other(
                        "text/html", ["type": "string", "minLength": 1],
                        example: "<!doctype html>\n<html lang=\"en\">\n<title>not_found - SubGuard</title>\n</html>\n")
                ], "The explanation.")
        ], traits: .anyQuery)

    package static let privacy = APIOperation(
        .get, "/api/v1/privacy", "getPrivacy", tag: .operations, access: .open, summary: "Show what the server stores",
        "Field by field: retention, number of rows and last purge.",
        answers: [.json(PrivacyReport.self, "The privacy report.")])

    static let ofService: [APIOperation] = [readiness, metrics, openAPI, problem, privacy]
}

/// The response of a server that is ready.
package struct ReadinessReport: WireObject {
    private let checks: Checks

    package init(storage: StorageLevel, schemaIsNewer: Bool) {
        checks = Checks(migrations: schemaIsNewer ? .newer : .ok, storage: storage)
    }

    package static let wire = WireSchema<ReadinessReport>("Readiness") {
        Field("status", { _ in "ready" }, .constant("ready"))
        Field("checks", \.checks, .object)
    }

    private struct Checks: WireObject {
        enum Schema: String, Sendable, CaseIterable { case ok, newer }

        let migrations: Schema
        let storage: StorageLevel

        static let wire = WireSchema<Checks>("ReadinessChecks") {
            Field(
                "migrations", \.migrations, .choice,
                "`newer`: a newer release has migrated the database; this server goes on.")
            Field("store", { _ in "ok" }, .constant("ok"))
            Field(
                "storage", \.storage, .choice,
                "`full`: data from devices is rejected with 503 `storage_full`; reads continue.")
        }
    }
}

extension PrivacyReport: WireObject {
    package static let wire = WireSchema<PrivacyReport>("Privacy", "The privacy report.") {
        Field("generated_at", \.generatedAt, .instant)
        Field(
            "definition",
            { _ in "Generated from the database schema and the event registry. Row counts may be ten minutes old." },
            .text(), example: "Generated from the database schema and the event registry.")
        Field("events", { _ in EventRegistry.events }, .array(of: .object), "The events that devices may report.")
        Field("tables", \.tables, .array(of: .object), "The tables of the database, by name.")
        Field(
            "never_stored", { _ in PrivacyRegistry.neverStored.map(\.text) }, .array(of: .text()),
            "Data that is never stored.",
            example: ["Subscriptions of device users: amounts, billing days, notes or reminders."])
    }
}

extension EventDefinition: WireObject {
    package static let wire = WireSchema<EventDefinition>("ReportedEvent") {
        Field("name", \.name, .text(), example: "app_opened")
        Field("properties", { $0.properties.map(\.name) }, .array(of: .text()), example: ["app_version", "locale"])
    }
}

extension PrivacyReport.Table: WireObject {
    package static let wire = WireSchema<PrivacyReport.Table>("StoredTable") {
        Field("table", \.name, .text(), example: "suggestions")
        Field(
            "purpose", { $0.purpose.text }, .text(), example: "Ids of suggestions, to recognise one that is sent twice."
        )
        Field("concerns", \.subject, .choice, "Whose data its rows contain.", example: .devices)
        Field("retention", { $0.retention.text }, .text(), example: "Until the suggestion is deleted.")
        Field("rows", \.rows, .count)
        Field("rows_are_exact", \.rowsAreExact, .boolean, "False if `rows` is only a minimum.")
        Field(
            "records", \.records, nullable: .count,
            "What rows of many records hold, such as events or devices; null if each row is one.", example: nil)
        Field("last_purged_at", \.lastPurgedAt, nullable: .instant, example: nil)
        Field("fields", \.columns, .array(of: .object))
    }
}

extension PrivacyReport.Column: WireObject {
    package static let wire = WireSchema<PrivacyReport.Column>("StoredField") {
        Field("name", \.name, .text(), example: "id")
        Field("type", \.type, .text(), "The column's type in the database.", example: "BLOB")
        Field(
            "meaning", \.meaning, nullable: .text(), example: "Random id that the device made for this suggestion.")
    }
}

import HTTPServer
import ServerContract
import SubGuardContract
import SubGuardDomain
package import Telemetry

/// Routes of the figures: dashboard, series, funnel, cohorts and ranking.
package struct InsightRoutes: Sendable {
    let gate: AdminGate
    let store: InsightStore
    let ranking: RankingStore

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.dashboard) { request, _ in
                let query = try FigureQuery(query: request)
                return try response(try store.dashboard(), query.format, "dashboard", FigureCSV.write, request)
            },
            gate.binding(.series) { request, _ in
                let query = try SeriesQuery(query: request)
                let report = try store.series(of: query.figure, from: query.from, to: query.to, step: query.step)
                return try response(report, query.format, "series", FigureCSV.write, request)
            },
            gate.binding(.funnel) { request, _ in
                let query = try FunnelQuery(query: request)
                let report = try store.funnel(query.range, within: query.window, by: query.dimension)
                return try response(report, query.format, "funnel", FigureCSV.write, request)
            },
            gate.binding(.cohorts) { request, _ in
                let query = try CohortQuery(query: request)
                let report = try store.cohorts(query.range, by: query.step)
                return try response(report, query.format, "cohorts", FigureCSV.write, request)
            },
            gate.binding(.ranking) { request, _ in
                let query = try RankingQuery(query: request)
                let report = try ranking.ranking(limit: query.limit)
                return try response(report, query.format, "ranking", FigureCSV.write, request)
            },
        ]
    }

    /// The report as if counted in 1970, so that unchanged figures keep their tag. The times are its first members.
    private static func timeless(_ body: [UInt8], _ standing: FigureStanding) -> [UInt8] {
        let start = start(of: standing)
        guard body.starts(with: start) else { return body }
        return Self.start(of: standing.timeless) + body[start.count...]
    }

    private static func start(of standing: FigureStanding) -> [UInt8] {
        let (now, until) = (standing.computedAt.rfc3339, standing.countedUntil.rfc3339)
        return Array(#"{"as_of":"\#(now)","complete":\#(standing.isComplete),"counted_until":"\#(until)""#.utf8)
    }

    /// - Parameter name: the file name for downloads in a browser.
    private func response<Report: FigureReport>(
        _ report: Report, _ format: FigureFormat, _ name: String, _ csv: (Report) -> [UInt8], _ request: Request
    ) throws -> Response {
        switch format {
        case .json:
            let body = report.json(capacity: 2048)
            return try RenderedDocument(
                body: body, contentType: "application/json",
                tag: EntityTag(content: Self.timeless(body, report.standing))
            ).response(for: request)
        case .csv:
            return try Self.csv(csv(report), report.standing, name: name).response(for: request)
        }
    }

    /// - Parameter name: the file name without its suffix.
    package static func csv(_ body: [UInt8], _ standing: FigureStanding, name: String) -> RenderedDocument {
        RenderedDocument(
            body: body, contentType: "text/csv; charset=utf-8; header=present",
            more: [
                ("Content-Disposition", "attachment; filename=\"\(name).csv\""),
                ("Figures-Complete", "\(standing.isComplete)"),
                ("Figures-Counted-Until", standing.countedUntil.rfc3339),
            ])
    }
}

import Backend
import HTTPServer
import HTTPWire
import JSONWire
import ServerContract
import SubGuardDomain

/// A report in both of its forms.
struct FigureAnswer {
    /// The name of the file that a browser saves.
    private let name: String
    private let computedAt: UTCInstant
    private let definition: String
    private let writeMembers: (inout JSONWriter) -> Void
    private let writeCSV: () -> [UInt8]

    init(_ dashboard: Dashboard) {
        name = "dashboard"
        computedAt = dashboard.computedAt
        definition = Dashboard.windowDefinition
        writeMembers = { $0.members(of: dashboard) }
        writeCSV = { FigureCSV.write(dashboard) }
    }

    init(_ funnel: Funnel) {
        name = "funnel"
        computedAt = funnel.computedAt
        definition = Funnel.definition
        writeMembers = { $0.members(of: funnel) }
        writeCSV = { FigureCSV.write(funnel) }
    }

    init(_ cohorts: Cohorts) {
        name = "cohorts"
        computedAt = cohorts.computedAt
        definition = Cohorts.definition
        writeMembers = { $0.members(of: cohorts) }
        writeCSV = { FigureCSV.write(cohorts) }
    }

    init(_ ranking: Ranking) {
        name = "ranking"
        computedAt = ranking.computedAt
        definition = Ranking.definition
        writeMembers = { $0.members(of: ranking) }
        writeCSV = { FigureCSV.write(ranking) }
    }

    func response(to request: Request, as format: FigureFormat) throws -> Response {
        switch format {
        case .json:
            // The moment of counting is not part of what the figures say, so the same figures keep the same tag.
            try RenderedDocument(
                body: json(asOf: computedAt.rfc3339), contentType: "application/json",
                tag: EntityTag(content: json(asOf: nil))
            ).response(for: request)
        case .csv:
            try RenderedDocument(
                body: writeCSV(), contentType: "text/csv; charset=utf-8; header=present",
                more: [("Content-Disposition", "attachment; filename=\"\(name).csv\"")]
            ).response(for: request)
        }
    }

    private func json(asOf: String?) -> [UInt8] {
        var writer = JSONWriter(capacity: 2048)
        writer.beginObject()
        if let asOf { writer.field("as_of", asOf) }
        writer.field("zone", "UTC")
        writer.field("definition", definition)
        writeMembers(&writer)
        writer.endObject()
        return writer.bytes
    }
}

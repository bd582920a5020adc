import Backend
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The catalogue as a file, both ways.
extension AdminCatalogueRoutes {
    /// Tens of thousands of items.
    private static let maximumFileBytes = 32 << 20
    private static let maximumRows = 100_000

    func fileBindings() -> [RouteBinding] {
        [
            gate.binding(.importCatalogue, maximumBodyBytes: Self.maximumFileBytes) { request, actor in
                try importFile(request, actor)
            },
            gate.binding(.catalogueImports) { request, _ in
                try QueryReader(request, known: []).requireValid()
                return try JSONPage.response(imports.list, next: nil, to: request) { $0.write(to: &$1) }
            },
            gate.binding(.exportCatalogue) { request, _ in try export(request) },
        ]
    }

    private func importFile(_ request: Request, _ actor: Actor) throws -> Response {
        var query = try QueryReader(request, known: ["dry_run", "skip_bad"])
        var options = CatalogueImportOptions()
        options.isDryRun = query.boolean("dry_run") ?? false
        options.skipsBadRows = query.boolean("skip_bad") ?? false
        try query.requireValid()
        // Only the import that runs may hold a file in memory.
        let report = try imports.run(by: actor, options: options) {
            let rows = try Self.rows(in: request)
            guard (1...Self.maximumRows).contains(rows.count) else {
                throw HTTPFailure.invalid("#", .outOfRange, "A file has 1 to \(Self.maximumRows) rows.")
            }
            return rows
        }
        if report.isApplied { try publisher.refresh() }
        var writer = JSONWriter(capacity: 256 + report.failed.count * 200)
        writer.beginObject()
        Self.write(report, options, to: &writer)
        // A refusal has it among the members of the problem.
        if report.isApplied || options.isDryRun, report.omittedErrors > 0 {
            writer.field("errors_omitted", report.omittedErrors)
        }
        writer.endObject()
        guard report.isApplied || options.isDryRun else { return Self.refusal(report, writer.bytes, request) }
        return Response(
            status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .bytes(writer.bytes))
    }

    /// Under `application/octet-stream` the first character decides between JSON and CSV.
    private static func rows(in request: Request) throws -> [CatalogueImportRow] {
        let type = (request.head.value(of: .contentType) ?? "").prefix { $0 != ";" }.lowercased()
            .filter { $0 != " " && $0 != "\t" }
        let bytes = try ContentCoding.decodedBody(of: request, maximumBytes: maximumFileBytes)
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let looksLikeJSON = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
        if type == "application/json" || type != "text/csv" && looksLikeJSON {
            do {
                return try CatalogueJSONFile.parse(bytes, maximumRows: maximumRows)
            } catch let error as JSONError {
                throw HTTPFailure(error)
            }
        }
        do {
            return try CatalogueCSV.parse(bytes, maximumRows: maximumRows)
        } catch {
            throw HTTPFailure.invalid("#/line/\(error.line)", error.kind, error.description)
        }
    }

    private static func write(
        _ report: CatalogueImportReport, _ options: CatalogueImportOptions, to writer: inout JSONWriter
    ) {
        writer.field("dry_run", options.isDryRun)
        writer.field("applied", report.isApplied)
        writer.field("rows", report.rows)
        writer.field("inserted", report.inserted)
        writer.field("updated", report.updated)
        writer.field("unchanged", report.unchanged)
        writer.key("failed")
        writer.beginArray()
        for row in report.failed {
            writer.beginObject()
            writer.field("row", row.number)
            writer.key("errors")
            writer.beginArray()
            for error in row.errors { error.write(to: &writer) }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        if report.failedCount > report.failed.count {
            writer.field("failed_omitted", report.failedCount - report.failed.count)
        }
    }

    /// A problem like any other, with the members of the report behind its own (RFC 9457 section 3.2).
    private static func refusal(_ report: CatalogueImportReport, _ json: [UInt8], _ request: Request) -> Response {
        var errors = FaultList()
        for error in report.failed.flatMap(\.errors) { errors.note(error) }
        errors.count(report.omittedErrors)
        let problem = Problem(
            code: .validationFailed,
            detail: "\(report.failedCount) of \(report.rows) rows cannot be imported; nothing was written.",
            requestID: request.id, errors: errors)
        return Response(
            status: .unprocessableContent,
            fields: [.contentType: "application/problem+json", .cacheControl: "no-store"],
            body: .bytes(problem.json().dropLast() + [UInt8(ascii: ",")] + json.dropFirst()))
    }

    private func export(_ request: Request) throws -> Response {
        var query = try QueryReader(request, known: ["format"])
        let format = query.choice("format", of: ["csv", "json"], default: "csv")
        try query.requireValid()
        let view = try publisher.freshView()
        // Thousands of items take tens of milliseconds to write and compress, so a file is made once for a revision.
        if let document = view.answers.document(for: request.head) { return try document.response(for: request) }
        let body = format == "csv" ? CatalogueCSV.write(view.items) : CatalogueJSONFile.write(view.items)
        let document = RenderedDocument(
            body: body,
            contentType: format == "csv" ? "text/csv; charset=utf-8; header=present" : "application/json",
            more: [("Content-Disposition", "attachment; filename=\"catalogue.\(format)\"")])
        view.answers.keep(document, for: request.head, bytes: body.count)
        return try document.response(for: request)
    }
}

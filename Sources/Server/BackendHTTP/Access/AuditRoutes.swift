import Backend
import Foundation
import HTTPServer
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Who changed what, when and from what to what.
struct AuditRoutes: Sendable {
    let gate: AdminGate
    let log: AuditLog

    func bindings() -> [RouteBinding] {
        [gate.binding(.audit) { request, _ in try list(request) }]
    }

    private func list(_ request: Request) throws -> Response {
        var query = try QueryReader(
            request, known: ["limit", "cursor", "action", "subject_id", "token_id", "format"])
        let limit = query.integer("limit", in: 1...500, default: 50)
        var filter = AuditFilter()
        filter.action = query.text("action", maximumCharacters: 64)
        filter.subjectID = query.id("subject_id")
        filter.tokenID = query.id("token_id")
        let place = PageCursor.List(
            "audit", ids: 0, filter.action, filter.subjectID?.lowercased, filter.tokenID?.lowercased)
        let cursor = query.cursor(of: place)
        let format = query.choice("format", of: ["json", "jsonl"], default: "json")
        try query.requireValid()
        let rows = try log.list(matching: filter, after: cursor?.number, limit: limit + 1)
        let page = Array(rows.prefix(limit))
        let next = rows.count > limit ? page.last.map { PageCursor(number: $0.sequence).encoded(for: place) } : nil
        if format == "jsonl" { return try lines(page, next: next, to: request) }
        return try JSONPage.response(page, next: next, to: request) { entry, writer in entry.write(to: &writer) }
    }

    private func lines(_ page: [AuditEntry], next: String?, to request: Request) throws -> Response {
        var bytes: [UInt8] = []
        for entry in page {
            var writer = JSONWriter(capacity: 512)
            entry.write(to: &writer)
            bytes += writer.bytes + [UInt8(ascii: "\n")]
        }
        return try RenderedDocument(
            body: bytes, contentType: "application/jsonl", more: PageLink.fields(request, next: next)
        ).response(for: request)
    }
}

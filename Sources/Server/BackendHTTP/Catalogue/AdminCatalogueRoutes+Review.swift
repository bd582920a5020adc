import Backend
import Foundation
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Duplicates and their merging, the history of an item and the way back.
extension AdminCatalogueRoutes {
    func reviewBindings() -> [RouteBinding] {
        [
            gate.binding(.mergeCatalogueItems) { request, actor in try merge(request, actor) },
            gate.binding(.catalogueDuplicates) { request, _ in try duplicates(request) },
            gate.binding(.catalogueHistory) { request, actor in try history(request, actor) },
            gate.binding(.undoCatalogueChange) { request, actor in try undo(request, actor) },
        ]
    }

    private func merge(_ request: Request, _ actor: Actor) throws -> Response {
        var body = try BodyReader(request, known: ["duplicate_ids"])
        let duplicates = body.ids("duplicate_ids", count: 1...CatalogueStore.maximumMerged)
        try body.requireValid()
        let item = try store.merge(
            duplicates, into: try request.parameters.uuid(), ifRevision: try matchedRevision(request), by: actor)
        return try changed(item, request)
    }

    private func duplicates(_ request: Request) throws -> Response {
        var query = try QueryReader(request, known: ["limit", "cursor", "min_score"])
        let limit = query.integer("limit", in: 1...500, default: 50)
        let minimum = query.integer("min_score", in: 0...100, default: 80)
        let cursorText = query.text("cursor", maximumCharacters: 64)
        // Score and both ids of the last pair.
        let cursor = cursorText.flatMap { OpaqueText.decode($0) }
        if cursorText != nil, cursor?.count != 33 {
            query.note("cursor", .invalidCursor, "Must be a next_cursor of this list.")
        }
        try query.requireValid()
        let view = try publisher.freshView()
        var pairs = view.duplicates[...]
        if let cursor {
            pairs = pairs.drop { !Self.place(cursor).lexicographicallyPrecedes(Self.place(Self.cursor($0))) }
        }
        pairs = pairs.prefix { $0.score >= minimum }
        let page = Array(pairs.prefix(limit))
        let next = pairs.count > limit ? page.last.map { OpaqueText.encode(Self.cursor($0)) } : nil
        return try JSONPage.response(page, next: next, to: request) { pair, writer in
            writer.beginObject()
            writer.field("score", pair.score)
            writer.field("reasons", .array(pair.reasons.map(JSONValue.string)))
            writer.key("items")
            writer.beginArray()
            for id in [pair.first, pair.second] {
                if let item = view.item(id) { Self.write(item, to: &writer) }
            }
            writer.endArray()
            writer.endObject()
        }
    }

    private static func cursor(_ pair: CatalogueDuplicate) -> [UInt8] {
        [UInt8(clamping: pair.score)] + pair.first.rawBytes + pair.second.rawBytes
    }

    /// The list goes from high scores to low ones, and up the ids.
    private static func place(_ cursor: [UInt8]) -> [UInt8] { [100 &- (cursor.first ?? 0)] + cursor.dropFirst() }

    private func history(_ request: Request, _ actor: Actor) throws -> Response {
        var query = try QueryReader(request, known: ["limit", "cursor"])
        let limit = query.integer("limit", in: 1...500, default: 50)
        let cursor = query.integer("cursor", in: 1...Int.max, default: 0)
        try query.requireValid()
        let rows = try store.history(
            of: try request.parameters.uuid(), after: cursor > 0 ? Int64(cursor) : nil, limit: limit + 1)
        let page = Array(rows.prefix(limit))
        let next = rows.count > limit ? page.last.map { "\($0.sequence)" } : nil
        // Who did what is the audit log's, which has a permission of its own.
        let namesActor = actor.permissions.contains(.auditRead)
        return try JSONPage.response(page, next: next, to: request) { entry, writer in
            entry.write(to: &writer, namesActor: namesActor)
        }
    }

    /// Without a body, or without `sequence`, the latest change is taken back.
    private func undo(_ request: Request, _ actor: Actor) throws -> Response {
        var sequence: Int64?
        if !request.body.isEmpty {
            var body = try BodyReader(request, known: ["sequence"])
            sequence = body.optionalInteger("sequence")
            try body.requireValid()
        }
        // A merged or deleted item has no revision to compare.
        let revision = try matchedRevision(request)
        let item = try store.undo(
            sequence, of: try request.parameters.uuid(), ifRevision: revision, by: actor, logos: logos)
        guard let item else {
            try publisher.refresh()
            return Response(status: .noContent)
        }
        return try changed(item, request)
    }
}

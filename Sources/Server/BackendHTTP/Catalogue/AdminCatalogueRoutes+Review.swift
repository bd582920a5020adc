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
        let list = PageCursor.List("duplicates", ids: 2, "\(minimum)")
        let cursor = query.cursor(of: list)
        try query.requireValid()
        let view = try publisher.freshView()
        var pairs = view.duplicates[...]
        if let cursor {
            pairs = pairs.drop { !Self.precedes(cursor, Self.cursor($0)) }
        }
        pairs = pairs.prefix { $0.score >= minimum }
        let page = Array(pairs.prefix(limit))
        let next = pairs.count > limit ? page.last.map { Self.cursor($0).encoded(for: list) } : nil
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

    private static func cursor(_ pair: CatalogueDuplicate) -> PageCursor {
        PageCursor(number: Int64(pair.score), ids: [pair.first, pair.second])
    }

    /// The list is sorted by falling score, then by rising ids.
    private static func precedes(_ left: PageCursor, _ right: PageCursor) -> Bool {
        guard left.number == right.number else { return left.number > right.number }
        return left.ids.flatMap(\.rawBytes).lexicographicallyPrecedes(right.ids.flatMap(\.rawBytes))
    }

    private func history(_ request: Request, _ actor: Actor) throws -> Response {
        var query = try QueryReader(request, known: ["limit", "cursor"])
        let limit = query.integer("limit", in: 1...500, default: 50)
        let id = try request.parameters.uuid()
        let list = PageCursor.List("item history", ids: 0, id.lowercased)
        let cursor = query.cursor(of: list)
        try query.requireValid()
        let rows = try store.history(of: id, after: cursor?.number, limit: limit + 1)
        let page = Array(rows.prefix(limit))
        let next = rows.count > limit ? page.last.map { PageCursor(number: $0.sequence).encoded(for: list) } : nil
        // Who did what is the audit log's, which has a permission of its own.
        let namesActor = actor.permissions.contains(.auditRead)
        return try JSONPage.response(page, next: next, to: request) { entry, writer in
            var entry = entry
            entry.namesActor = namesActor
            entry.write(to: &writer)
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

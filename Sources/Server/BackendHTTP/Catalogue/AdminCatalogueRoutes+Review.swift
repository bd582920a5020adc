import Backend
import Foundation
import HTTPServer
import HTTPTypes
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Duplicates and merging, the history of an item, and undo.
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
        let merge = try CatalogueMerge(body: request)
        let item = try store.merge(
            merge.duplicateIDs, into: try request.parameters.uuid(), ifRevision: try matchedRevision(request),
            by: actor)
        return try changed(item, request)
    }

    private func duplicates(_ request: Request) throws -> Response {
        let query = try DuplicateQuery(query: request)
        let view = try publisher.freshView()
        var pairs = view.duplicates[...]
        if let last = query.cursor.flatMap({ PageCursor($0, of: query.list) }) {
            pairs = pairs.drop { !Self.precedes(last, Self.cursor($0)) }
        }
        return try ListPage(
            pairs.prefix { $0.score >= query.minimumScore }, limit: query.limit, of: query.list, cursor: Self.cursor
        ) { pair in
            DuplicatePair(
                pair, items: [pair.first, pair.second].compactMap(view.item).map(AdminCatalogueItem.init))
        }.response(to: request)
    }

    static func cursor(_ pair: CatalogueDuplicate) -> PageCursor {
        PageCursor(number: Int64(pair.score), ids: [pair.first, pair.second])
    }

    /// Whether a pair precedes another one: by descending score, then by ascending ids.
    static func precedes(_ left: PageCursor, _ right: PageCursor) -> Bool {
        guard left.number == right.number else { return left.number > right.number }
        return left.ids.flatMap(\.rawBytes).lexicographicallyPrecedes(right.ids.flatMap(\.rawBytes))
    }

    private func history(_ request: Request, _ actor: Actor) throws -> Response {
        let query = try CatalogueHistoryQuery(query: request)
        let id = try request.parameters.uuid()
        let list = PageCursor.List("item history", ids: 0, id.lowercased)
        let last = query.cursor.flatMap { PageCursor($0, of: list) }
        guard (last == nil) == (query.cursor == nil) else {
            throw HTTPFailure.invalid("cursor", .invalidCursor, PageCursor.fault)
        }
        let rows = try store.history(of: id, after: last?.number, limit: query.limit + 1)
        // The actor is part of the audit log, which requires its own permission.
        let namesActor = actor.permissions.contains(.auditRead)
        return try ListPage(rows, limit: query.limit, of: list) {
            PageCursor(number: $0.sequence)
        } item: { entry in
            var entry = entry
            entry.namesActor = namesActor
            return entry
        }.response(to: request)
    }

    /// Undoes the latest change if there is no body or no `sequence`.
    private func undo(_ request: Request, _ actor: Actor) throws -> Response {
        let sequence = request.body.isEmpty ? nil : try CatalogueUndo(body: request).sequence
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

package import Catalogue
import Foundation
import HTTPServer
import HTTPTypes
package import ServerAccess
package import ServerContract
import SubGuardContract
package import SubGuardDomain

/// Duplicates and merging, the history of an item, and undo.
extension AdminCatalogueRoutes {
    func reviewBindings() -> [RouteBinding] {
        [
            gate.binding(.mergeCatalogueItems, Self.item, merge),
            gate.binding(.catalogueDuplicates) { request, _ in try duplicates(request) },
            gate.binding(.dismissDuplicate, .empty, dismiss),
            gate.binding(.restoreDuplicate, .empty, restore),
            gate.binding(.catalogueHistory) { request, actor in try history(request, actor) },
            gate.binding(.undoCatalogueChange, Self.item.orEmpty, undo),
        ]
    }

    package func merge(_ merge: CatalogueMerge, _ call: AdminCall) throws -> CatalogueItem {
        try published(
            try store.merge(
                merge.duplicateIDs, into: try call.id(), ifRevision: try revision(call), by: call.actor))
    }

    package func dismiss(_ items: DistinctItems, _ call: AdminCall) throws {
        try store.setDistinct(items.first, items.second, true, by: call.actor)
    }

    package func restore(_ items: DistinctItems, _ call: AdminCall) throws {
        try store.setDistinct(items.first, items.second, false, by: call.actor)
    }

    private func duplicates(_ request: Request) throws -> Response {
        let query = try DuplicateQuery(query: request)
        let view = try publisher.freshView()
        let (_, pairs) = try duplicates(query, in: view)
        return try ListPage(pairs, limit: query.limit, of: query.list, cursor: Self.cursor) { pair in
            DuplicatePair(
                pair, items: [pair.first, pair.second].compactMap(view.item).map(AdminCatalogueItem.init))
        }.response(to: request)
    }

    /// Likely duplicates without the dismissed ones: how many there are, and those after the cursor.
    package func duplicates(
        _ query: DuplicateQuery, in view: CatalogueView
    ) throws -> (count: Int, pairs: ArraySlice<CatalogueDuplicate>) {
        let distinct = try store.distinctPairs()
        let all = try view.duplicates(publisher.duplicateSearches)
            .prefix { $0.score >= query.minimumScore }.filter { !distinct.contains($0.pair) }
        guard let last = query.cursor.flatMap({ PageCursor($0, of: query.list) }) else { return (all.count, all[...]) }
        return (all.count, all.drop { !Self.precedes(last, Self.cursor($0)) })
    }

    package static func cursor(_ pair: CatalogueDuplicate) -> PageCursor {
        PageCursor(number: Int64(pair.score), ids: [pair.first, pair.second])
    }

    /// Whether a pair precedes another one: by descending score, then by ascending ids.
    private static func precedes(_ left: PageCursor, _ right: PageCursor) -> Bool {
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

    /// Undoes a change, the latest one without a `sequence`. Nil if the item is gone by that: it had just been added.
    package func undo(_ change: CatalogueUndo, _ call: AdminCall) throws -> CatalogueItem? {
        // A merged or deleted item has no revision to compare.
        let item = try store.undo(
            change.sequence, of: try call.id(), ifRevision: try revision(call), by: call.actor, logos: logos)
        try publisher.refresh()
        return item
    }
}

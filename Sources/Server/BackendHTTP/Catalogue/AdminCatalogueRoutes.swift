package import Catalogue
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
package import ServerAccess
package import ServerContract
package import SubGuardContract
package import SubGuardDomain

/// Routes that list and edit the catalogue.
package struct AdminCatalogueRoutes: Sendable {
    let gate: AdminGate
    package let store: CatalogueStore
    package let publisher: CataloguePublisher
    let logos: any LogoContents
    let imports: ImportTracker

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.categories) { request, _ in try categories(request) },
            gate.binding(.adminCatalogue) { request, _ in try list(request) },
            gate.binding(
                .createCatalogueItem, Self.item.created { "/api/v1/admin/catalogue/\($0.id.lowercased)" }, create),
            gate.binding(.adminCatalogueItem) { request, _ in try show(request, try request.parameters.uuid()) },
            gate.binding(.updateCatalogueItem, Self.item, update),
            gate.binding(.deleteCatalogueItem, .empty, delete),
            gate.binding(.catalogueItemBySlug) { request, _ in try show(request, try itemID(bySlug: request)) },
            gate.binding(.updateCatalogueItemBySlug, Self.item) { try update($0, try bySlug($1)) },
            gate.binding(.deleteCatalogueItemBySlug, .empty) { try delete(try bySlug($0)) },
        ] + logoBindings() + reviewBindings() + fileBindings()
    }

    private func categories(_ request: Request) throws -> Response {
        let query = try CategoryQuery(query: request)
        var counts: [String: Int] = [:]
        for item in try publisher.freshView().items { counts[item.category, default: 0] += 1 }
        // Category names are ASCII, so this is also their byte order.
        var rest = counts.sorted { $0.key < $1.key }[...]
        if let last = query.cursor.flatMap({ PageCursor($0, of: .categories) }) {
            rest = rest.drop { $0.key <= last.text }
        }
        return try ListPage(rest, limit: query.limit, of: .categories) {
            PageCursor(text: $0.key)
        } item: {
            CatalogueCategory(name: $0.key, count: $0.value)
        }.response(to: request)
    }

    private func list(_ request: Request) throws -> Response {
        let query = try AdminCatalogueQuery(query: request)
        let (filter, list) = (query.filter, query.filter.list)
        let page = try publisher.freshView().index.list(
            matching: filter, after: query.cursor.flatMap { PageCursor($0, of: list) }, limit: query.limit)
        return try ListPage(items: page.items.map(AdminCatalogueItem.init), nextCursor: page.next?.encoded(for: list))
            .response(to: request)
    }

    /// Adds an item. The change is visible to devices when it returns, as with the other changes.
    package func create(_ new: NewCatalogueItem, _ call: AdminCall) throws -> CatalogueItem {
        try published(try store.insert(new.draft(), id: new.id, by: call.actor))
    }

    private func itemID(bySlug request: Request) throws -> UUID {
        guard let id = try store.find(slug: try request.parameters.text())?.id else { throw Self.noSuchItem }
        return id
    }

    private func bySlug(_ call: AdminCall) throws -> AdminCall {
        AdminCall(call.request, by: call.actor, on: try itemID(bySlug: call.request))
    }

    private static let noSuchItem = HTTPFailure(.notFound, "There is no such item.")

    private func show(_ request: Request, _ id: UUID) throws -> Response {
        if let item = try store.find(id) { return try Self.document(item).response(for: request) }
        guard let primary = try store.primary(ofMerged: id) else { throw Self.noSuchItem }
        return Response(
            status: .movedPermanently,
            fields: [.location: "/api/v1/admin/catalogue/\(primary.lowercased)"])
    }

    package func update(_ change: CatalogueChange, _ call: AdminCall) throws -> CatalogueItem {
        try published(
            try store.update(try call.id(), ifRevision: try revision(call), by: call.actor) { item in
                try change.draft(of: item)
            })
    }

    package func delete(_ call: AdminCall) throws {
        try store.delete(try call.id(), ifRevision: try revision(call), by: call.actor)
        try publisher.refresh()
    }

    /// Makes a change visible to devices before it is answered.
    func published(_ item: CatalogueItem) throws -> CatalogueItem {
        try publisher.refresh()
        return item
    }

    /// The revision that the call may change. The database compares it again inside the transaction, so a concurrent
    /// change is detected. Throws 404 or 412.
    func revision(_ call: AdminCall) throws -> Int64? {
        try call.revision {
            guard let item = try store.find(try call.id()) else { throw Self.noSuchItem }
            return item.revision
        }
    }

    static let item = AnswerForm<CatalogueItem>.document(document)

    private static func document(_ item: CatalogueItem) -> RenderedDocument {
        RenderedDocument(
            body: AdminCatalogueItem(item).json(capacity: 512), contentType: "application/json",
            tag: EntityTag(revision: item.revision))
    }
}

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

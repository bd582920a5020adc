import Backend
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Routes that list and edit the catalogue.
struct AdminCatalogueRoutes: Sendable {
    let gate: AdminGate
    let store: CatalogueStore
    let publisher: CataloguePublisher
    let logos: any LogoContents
    let imports: ImportTracker

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.categories) { request, _ in try categories(request) },
            gate.binding(.adminCatalogue) { request, _ in try list(request) },
            gate.binding(.createCatalogueItem) { request, actor in try create(request, actor) },
            gate.binding(.adminCatalogueItem) { request, _ in try show(request) },
            gate.binding(.updateCatalogueItem) { request, actor in try update(request, actor) },
            gate.binding(.deleteCatalogueItem) { request, actor in try delete(request, actor) },
            gate.binding(.catalogueItemBySlug) { request, _ in try show(request) },
            gate.binding(.updateCatalogueItemBySlug) { request, actor in try update(request, actor) },
            gate.binding(.deleteCatalogueItemBySlug) { request, actor in try delete(request, actor) },
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

    private func create(_ request: Request, _ actor: Actor) throws -> Response {
        let new = try NewCatalogueItem(body: request)
        let item = try store.insert(new.draft(), id: new.id, by: actor)
        try publisher.refresh()
        var response = Self.document(item).plainResponse
        response.status = .created
        response.fields[.location] = "/api/v1/admin/catalogue/\(item.id.lowercased)"
        return response
    }

    /// The id in the path, or that of the item with the slug in it. Throws 404.
    private func itemID(_ request: Request) throws -> UUID {
        if let id = try? request.parameters.uuid() { return id }
        guard let id = try store.find(slug: try request.parameters.text())?.id else {
            throw HTTPFailure(.notFound, "There is no such item.")
        }
        return id
    }

    private func show(_ request: Request) throws -> Response {
        let id = try itemID(request)
        if let item = try store.find(id) { return try Self.document(item).response(for: request) }
        guard let primary = try store.primary(ofMerged: id) else {
            throw HTTPFailure(.notFound, "There is no such item.")
        }
        return Response(
            status: .movedPermanently,
            fields: [.location: "/api/v1/admin/catalogue/\(primary.lowercased)"])
    }

    private func update(_ request: Request, _ actor: Actor) throws -> Response {
        let change = try CatalogueChange(body: request)
        let id = try itemID(request)
        let item = try store.update(id, ifRevision: try matchedRevision(request, of: id), by: actor) { item in
            try change.draft(of: item)
        }
        return try changed(item, request)
    }

    private func delete(_ request: Request, _ actor: Actor) throws -> Response {
        let id = try itemID(request)
        try store.delete(id, ifRevision: try matchedRevision(request, of: id), by: actor)
        try publisher.refresh()
        return Response(status: .noContent)
    }

    /// The response to a change, sent after the change is visible to devices.
    func changed(_ item: CatalogueItem, _ request: Request) throws -> Response {
        try publisher.refresh()
        return request.method == .post
            ? Self.document(item).plainResponse : Self.document(item).wholeResponse(for: request)
    }

    /// The revision that satisfies `If-Match` and `If-None-Match`, or nil without them. The database compares it again
    /// inside the transaction, so a concurrent change is detected. Throws 404 or 412.
    ///
    /// - Parameter id: of the item; nil for the one in the path.
    func matchedRevision(_ request: Request, of id: UUID? = nil) throws -> Int64? {
        guard request.head.contains(.ifMatch) || request.head.contains(.ifNoneMatch) else { return nil }
        guard let item = try store.find(id ?? request.parameters.uuid()) else {
            throw HTTPFailure(.notFound, "There is no such item.")
        }
        let tag = EntityTag(revision: item.revision)
        guard tag.satisfiesMatch(of: request.head, isWrite: true), !tag.matchesNone(of: request.head) else {
            throw BackendError.preconditionFailed(currentRevision: item.revision)
        }
        return item.revision
    }

    private static func document(_ item: CatalogueItem) -> RenderedDocument {
        RenderedDocument(
            body: AdminCatalogueItem(item).json(capacity: 512), contentType: "application/json",
            tag: EntityTag(revision: item.revision))
    }
}

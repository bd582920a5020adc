import Backend
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Editing of the catalogue.
struct AdminCatalogueRoutes: Sendable {
    let gate: AdminGate
    let store: CatalogueStore
    let publisher: CataloguePublisher
    let logos: any LogoContents
    let imports: ImportTracker

    static let maximumBodyBytes = 65_536

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.adminCatalogue) { request, _ in try list(request) },
            gate.binding(.createCatalogueItem) { request, actor in try create(request, actor) },
            gate.binding(.adminCatalogueItem) { request, _ in try show(request) },
            gate.binding(.updateCatalogueItem) { request, actor in try update(request, actor) },
            gate.binding(.deleteCatalogueItem) { request, actor in try delete(request, actor) },
        ] + categoryBindings() + logoBindings() + reviewBindings() + fileBindings()
    }

    private func list(_ request: Request) throws -> Response {
        var reader = try QueryReader(
            request,
            known: ["limit", "cursor", "category", "q", "sort", "currency", "billing_cycle", "has_logo"])
        let limit = reader.integer("limit", in: 1...500, default: 50)
        let sortText = reader.text("sort")
        let sort = sortText.map { CatalogueSort(wire: $0) } ?? CatalogueSort(field: .name)
        if sort == nil {
            reader.note(
                "sort", .unknownValue, "Must be name, slug, category or updated_at, with - before it to reverse.")
        }
        let query = CatalogueListQuery(
            text: reader.text("q"), category: reader.text("category"), currency: reader.text("currency"),
            billingCycle: reader.text("billing_cycle"), hasLogo: reader.boolean("has_logo"),
            sort: sort ?? CatalogueSort(field: .name))
        let cursor = reader.cursor(of: query.list)
        try reader.requireValid()
        let page = try publisher.freshView().index.list(matching: query, after: cursor, limit: limit)
        return try JSONPage.response(page.items, next: page.next?.encoded(for: query.list), to: request) {
            Self.write($0, to: &$1)
        }
    }

    private func create(_ request: Request, _ actor: Actor) throws -> Response {
        var fields = CatalogueDraftFields(
            try RequestBody.object(request, maximumBytes: Self.maximumBodyBytes), allowsID: true)
        guard let draft = fields.draft() else {
            throw HTTPFailure.invalid(fields.faults)
        }
        let item = try store.insert(draft, id: fields.id, by: actor)
        try publisher.refresh()
        var response = Self.document(item).plainResponse
        response.status = .created
        response.fields[.location] = "/api/v1/admin/catalogue/\(item.id.lowercased)"
        return response
    }

    private func show(_ request: Request) throws -> Response {
        let id = try request.parameters.uuid()
        if let item = try store.find(id) { return try Self.document(item).response(for: request) }
        guard let primary = try store.primary(ofMerged: id) else {
            throw HTTPFailure(.notFound, "There is no such item.")
        }
        return Response(
            status: .movedPermanently,
            fields: [.location: "/api/v1/admin/catalogue/\(primary.lowercased)"])
    }

    private func update(_ request: Request, _ actor: Actor) throws -> Response {
        let object = try RequestBody.object(request, maximumBytes: Self.maximumBodyBytes)
        guard !object.members.isEmpty else {
            throw HTTPFailure.invalid("#", .required, "Must name a field to change.")
        }
        let revision = try matchedRevision(request)
        let item = try store.update(try request.parameters.uuid(), ifRevision: revision, by: actor) { item in
            var fields = CatalogueDraftFields(object, allowsID: false)
            guard let draft = fields.draft(changing: item) else {
                throw HTTPFailure.invalid(fields.faults)
            }
            return draft
        }
        return try changed(item, request)
    }

    private func delete(_ request: Request, _ actor: Actor) throws -> Response {
        try store.delete(try request.parameters.uuid(), ifRevision: try matchedRevision(request), by: actor)
        try publisher.refresh()
        return Response(status: .noContent)
    }

    /// The answer to a change: devices see it from now on.
    func changed(_ item: CatalogueItem, _ request: Request) throws -> Response {
        try publisher.refresh()
        return request.method == .post
            ? Self.document(item).plainResponse : Self.document(item).wholeResponse(for: request)
    }

    /// The revision that `If-Match` and `If-None-Match` agree to, or `nil` without such a field. The store compares it again inside the
    /// transaction, so that nothing can slip in between. Throws 404 or 412.
    func matchedRevision(_ request: Request) throws -> Int64? {
        guard request.head.contains(.ifMatch) || request.head.contains(.ifNoneMatch) else { return nil }
        guard let item = try store.find(try request.parameters.uuid()) else {
            throw HTTPFailure(.notFound, "There is no such item.")
        }
        let tag = EntityTag(revision: item.revision)
        guard tag.satisfiesMatch(of: request.head), !tag.matchesNone(of: request.head) else {
            throw BackendError.preconditionFailed(currentRevision: item.revision)
        }
        return item.revision
    }

    static func document(_ item: CatalogueItem) -> RenderedDocument {
        var writer = JSONWriter(capacity: 512)
        write(item, to: &writer)
        return RenderedDocument(
            body: writer.bytes, contentType: "application/json", tag: EntityTag(revision: item.revision))
    }

    static func write(_ item: CatalogueItem, to writer: inout JSONWriter) {
        item.write(to: &writer, more: [("revision", .number("\(item.revision)"))])
    }
}

import Backend
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import SubGuardAPI
import SubGuardDomain

/// Editing of the catalogue.
struct AdminCatalogueRoutes: Sendable {
    let gate: AdminGate
    let store: CatalogueStore
    let publisher: CataloguePublisher

    private static let maximumBodyBytes = 65_536

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.adminCatalogue) { request, _ in try list(request) },
            gate.binding(.createCatalogueItem) { request, actor in try create(request, actor) },
            gate.binding(.adminCatalogueItem) { request, _ in
                let item = try existing(request)
                return Self.document(item).response(for: request)
            },
            gate.binding(.updateCatalogueItem) { request, actor in try update(request, actor) },
            gate.binding(.deleteCatalogueItem) { request, actor in try delete(request, actor) },
        ]
    }

    private func list(_ request: Request) throws -> Response {
        var query = try QueryReader(request, known: ["limit", "cursor", "category", "q", "sort"])
        let limit = query.integer("limit", in: 1...500, default: 50)
        let sortText = query.text("sort")
        let sort = sortText.map { CatalogueSort(wire: $0) } ?? CatalogueSort(field: .name)
        if sort == nil {
            query.note(
                "sort", "unknown_sort", "Must be name, slug, category or updated_at, with - before it to reverse.")
        }
        let cursorText = query.text("cursor", maximumCharacters: 1024)
        let cursor = cursorText.flatMap { CatalogueListCursor(encoded: $0) }
        if cursorText != nil, cursor == nil || cursor?.sort != sort {
            query.note("cursor", "invalid_cursor", "Must be a next_cursor of this list, with the same parameters.")
        }
        let text = query.text("q")
        let category = query.text("category")
        try query.requireValid()
        let page = try store.list(
            matching: CatalogueListQuery(
                text: text, category: category, sort: sort ?? CatalogueSort(field: .name)),
            after: cursor, limit: limit)
        var writer = JSONWriter(capacity: 512 + page.items.count * 400)
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for item in page.items { Self.write(item, to: &writer) }
        writer.endArray()
        writer.field("next_cursor", page.next?.encoded)
        writer.endObject()
        return RenderedDocument(
            body: writer.bytes, contentType: "application/json", cacheControl: "private, no-cache"
        ).response(for: request)
    }

    private func create(_ request: Request, _ actor: Actor) throws -> Response {
        var fields = CatalogueDraftFields(
            try RequestBody.object(request, maximumBytes: Self.maximumBodyBytes), allowsID: true)
        guard let draft = fields.draft() else { throw HTTPFailure.invalid(fields.problems.map(HTTPFailure.Issue.init)) }
        let item = try store.insert(draft, id: fields.id, by: actor)
        try publisher.refresh()
        var response = Self.document(item).wholeResponse(for: request)
        response.status = .created
        response.fields[.location] = "/api/v1/admin/catalogue/\(item.id.lowercased)"
        return response
    }

    private func update(_ request: Request, _ actor: Actor) throws -> Response {
        let object = try RequestBody.object(request, maximumBytes: Self.maximumBodyBytes)
        guard !object.members.isEmpty else {
            throw HTTPFailure.invalid("#", "required", "Must name a field to change.")
        }
        let revision = try matchedRevision(request)
        let item = try store.update(try request.parameters.uuid(), ifRevision: revision, by: actor) { item in
            var fields = CatalogueDraftFields(object, allowsID: false)
            guard let draft = fields.draft(changing: item) else {
                throw HTTPFailure.invalid(fields.problems.map(HTTPFailure.Issue.init))
            }
            return draft
        }
        try publisher.refresh()
        return Self.document(item).wholeResponse(for: request)
    }

    private func delete(_ request: Request, _ actor: Actor) throws -> Response {
        try store.delete(try request.parameters.uuid(), ifRevision: try matchedRevision(request), by: actor)
        try publisher.refresh()
        return Response(status: .noContent)
    }

    private func existing(_ request: Request) throws -> CatalogueItem {
        guard let item = try store.find(try request.parameters.uuid()) else {
            throw HTTPFailure(.notFound, "There is no such item.")
        }
        return item
    }

    /// The revision that `If-Match` and `If-None-Match` agree to, or `nil` without such a field. The store compares it again inside the
    /// transaction, so that nothing can slip in between. Throws 404 or 412.
    private func matchedRevision(_ request: Request) throws -> Int64? {
        guard request.head.contains(.ifMatch) || request.head.contains(.ifNoneMatch) else { return nil }
        let item = try existing(request)
        let tag = EntityTag(revision: item.revision)
        guard tag.satisfiesMatch(of: request.head), !tag.matchesNone(of: request.head) else {
            throw BackendError.preconditionFailed(currentRevision: item.revision)
        }
        return item.revision
    }

    private static func document(_ item: CatalogueItem) -> RenderedDocument {
        var writer = JSONWriter(capacity: 512)
        write(item, to: &writer)
        return RenderedDocument(
            body: writer.bytes, contentType: "application/json", tag: EntityTag(revision: item.revision),
            cacheControl: "private, no-cache")
    }

    private static func write(_ item: CatalogueItem, to writer: inout JSONWriter) {
        item.write(to: &writer, more: [("revision", .number("\(item.revision)"))])
    }
}

extension HTTPFailure.Issue {
    init(_ problem: Problem.FieldProblem) {
        self.init(pointer: problem.pointer, code: problem.code, detail: problem.detail)
    }
}

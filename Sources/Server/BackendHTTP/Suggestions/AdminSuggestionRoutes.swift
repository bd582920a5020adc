import Backend
import Foundation
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// What moderators decide on.
struct AdminSuggestionRoutes: Sendable {
    let gate: AdminGate
    let store: SuggestionStore
    let publisher: CataloguePublisher
    private let nearestItems = NearestItems()

    init(gate: AdminGate, store: SuggestionStore, publisher: CataloguePublisher) {
        self.gate = gate
        self.store = store
        self.publisher = publisher
    }

    private static let maximumBulk = 500

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.adminSuggestions) { request, _ in try list(request) },
            gate.binding(.approveSuggestion) { request, actor in try approve(request, actor) },
            gate.binding(.rejectSuggestion) { request, actor in
                try answer(try store.reject(try request.parameters.uuid(), by: actor), nil)
            },
            gate.binding(.reopenSuggestion) { request, actor in
                try answer(try store.reopen(try request.parameters.uuid(), by: actor), nil)
            },
            gate.binding(.moderateSuggestions) { request, actor in try moderate(request, actor) },
        ]
    }

    private func list(_ request: Request) throws -> Response {
        var query = try QueryReader(request, known: ["limit", "cursor", "status", "sort", "q"])
        let limit = query.integer("limit", in: 1...500, default: 50)
        let status = query.choice("status", of: ["pending", "approved", "rejected", "all"], default: "pending")
        let sorts = SuggestionListQuery.Sort.allCases
        let sort = query.choice("sort", of: sorts.map(\.rawValue), default: sorts[0].rawValue)
        let wanted = SuggestionListQuery(
            status: SuggestionGroup.Status(rawValue: status),
            sort: SuggestionListQuery.Sort(rawValue: sort) ?? .count, text: query.text("q"))
        let cursor = query.cursor(of: wanted.list)
        try query.requireValid()
        let page = try store.list(wanted, after: cursor, limit: limit)
        let view = try publisher.freshView()
        let next = page.next?.encoded(for: wanted.list)
        return try JSONPage.response(page.groups, next: next, to: request) { group, writer in
            write(group, nearestIn: view, to: &writer)
        }
    }

    /// With `merge_into` the name becomes an alias of that item; else the body is a new item, named as suggested unless it
    /// says otherwise.
    private func approve(_ request: Request, _ actor: Actor) throws -> Response {
        let id = try request.parameters.uuid()
        let object = try RequestBody.object(request, maximumBytes: AdminCatalogueRoutes.maximumBodyBytes)
        if object["merge_into"] != nil {
            var body = try BodyReader(request, known: ["merge_into"])
            let itemID = body.optionalID("merge_into")
            if itemID == nil, body.faults.isEmpty {
                body.note(.root.member("merge_into"), .invalidID, "Must be a UUID.")
            }
            try body.requireValid()
            let approved = try store.approve(id, mergingInto: itemID ?? id, by: actor)
            return try answer(approved.group, approved.item)
        }
        var fields = CatalogueDraftFields(object, allowsID: true)
        let approved = try store.approve(id, as: fields.id, by: actor) { group in
            if object["name"] == nil {
                fields = CatalogueDraftFields(
                    JSONObject(object.members + [("name", .string(group.name))]), allowsID: true)
            }
            guard let draft = fields.draft() else {
                throw HTTPFailure.invalid(fields.faults)
            }
            return draft
        }
        return try answer(approved.group, approved.item)
    }

    private func moderate(_ request: Request, _ actor: Actor) throws -> Response {
        var body = try BodyReader(request, known: ["ids", "action", "reason"])
        let ids = body.ids("ids", count: 1...Self.maximumBulk)
        let action = body.string("action").flatMap(SuggestionStore.BulkAction.init(rawValue:))
        if action == nil, !body.faults.contains(where: { $0.pointer == "#/action" }) {
            let names = SuggestionStore.BulkAction.allCases.map(\.rawValue).joined(separator: ", ")
            body.note(.root.member("action"), .unknownValue, "Must be one of \(names).")
        }
        var reason: String?
        if let text = body.optionalString("reason") {
            do throws(Fault) {
                reason = try SuggestionStore.validateReason(text, pointer: JSONPointer.root.member("reason").text)
            } catch {
                body.note(.root.member("reason"), error.code, error.detail)
            }
        }
        try body.requireValid()
        guard let action else { throw HTTPFailure.invalid("#/action", .required, "Must be given.") }
        try gate.limits.take(.decisions, count: ids.count, for: request)
        let nearest = action == .approve ? try nearestItems(of: ids) : [:]
        let outcomes = try store.moderate(ids, action, nearest: nearest, reason: reason, by: actor)
        if action == .approve { try publisher.refresh() }
        var writer = JSONWriter(capacity: 64 + outcomes.count * 80)
        writer.beginObject()
        writer.key("results")
        writer.beginArray()
        for (id, outcome) in outcomes {
            writer.beginObject()
            writer.field("id", id.lowercased)
            writer.field("result", outcome.rawValue)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return Self.json(writer)
    }

    /// The items that the queue shows as nearest, by the ids of their groups. Looked for outside the transaction, so that
    /// it holds the lock no longer than it writes.
    private func nearestItems(of ids: [UUID]) throws -> [UUID: UUID] {
        let view = try publisher.freshView()
        var items: [UUID: UUID] = [:]
        for id in ids {
            guard let group = try store.find(id), group.status == .pending else { continue }
            items[id] = nearestItems.find(group.name, in: view)?.id
        }
        return items
    }

    private func answer(_ group: SuggestionGroup, _ item: CatalogueItem?) throws -> Response {
        try publisher.refresh()
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        writer.key("suggestion")
        write(group, nearestIn: publisher.view, to: &writer)
        writer.key("item")
        if let item { AdminCatalogueRoutes.write(item, to: &writer) } else { writer.null() }
        writer.endObject()
        return Self.json(writer)
    }

    private static func json(_ writer: JSONWriter) -> Response {
        Response(
            status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .bytes(writer.bytes))
    }

    private func write(_ group: SuggestionGroup, nearestIn view: CatalogueView, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", group.id.lowercased)
        writer.field("name", group.name)
        writer.field("status", group.status.rawValue)
        writer.field("count", group.count)
        writer.field("first_seen_at", group.firstSeenAt.rfc3339)
        writer.field("last_seen_at", group.lastSeenAt.rfc3339)
        writer.field("item_id", group.itemID?.lowercased)
        writer.field("decided_at", group.decidedAt?.rfc3339)
        let scripts = NameScripts(of: group.name)
        writer.field("mixed_scripts", scripts.isMixed)
        writer.field("scripts", .array(scripts.all.map { .string($0.rawValue) }))
        writer.key("nearest_item")
        if group.status == .pending,
            let nearest = nearestItems.find(scripts.lookalike, in: view)
        {
            writer.beginObject()
            writer.field("id", nearest.id.lowercased)
            writer.field("name", nearest.name)
            writer.field("score", nearest.score)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.endObject()
    }
}

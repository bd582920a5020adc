import Backend
import Foundation
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Routes that moderate suggestions.
struct AdminSuggestionRoutes: Sendable {
    let gate: AdminGate
    let store: SuggestionStore
    let publisher: CataloguePublisher
    let nearestItems: NearestItems

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
        let query = try SuggestionQuery(query: request)
        let (filter, list) = (query.filter, query.filter.list)
        let page = try store.list(
            filter, after: query.cursor.flatMap { PageCursor($0, of: list) }, limit: query.limit)
        let view = try publisher.freshView()
        return try ListPage(
            items: page.groups.map { shown($0, nearestIn: view) }, nextCursor: page.next?.encoded(for: list)
        ).response(to: request)
    }

    private func approve(_ request: Request, _ actor: Actor) throws -> Response {
        let id = try request.parameters.uuid()
        let object = try RequestBody.object(request, maximumBytes: 65_536)
        if object["merge_into"] != nil {
            let merge = try SuggestionMerge(object)
            let approved = try store.approve(id, mergingInto: merge.itemID, by: actor)
            return try answer(approved.group, approved.item)
        }
        let item = try SuggestedItem(object)
        let approved = try store.approve(id, as: item.id, by: actor) { item.draft(suggested: $0.name) }
        return try answer(approved.group, approved.item)
    }

    private func moderate(_ request: Request, _ actor: Actor) throws -> Response {
        let decision = try SuggestionDecision(body: request)
        let (ids, action) = (decision.ids, decision.action)
        try gate.limits.take(.decisions, count: ids.count, for: request)
        let nearest = action == .approve ? try nearestItems(of: ids) : [:]
        let outcomes = try store.moderate(ids, action, nearest: nearest, reason: decision.reason, by: actor)
        if [.approve, .undo].contains(action) { try publisher.refresh() }
        return SuggestionOutcomes(outcomes).response(.ok)
    }

    /// The items displayed as nearest in the queue, by group id. Found outside the transaction, so that the lock is
    /// held only for writing.
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
        return DecidedSuggestion(shown(group, nearestIn: publisher.view), item: item).response(.ok)
    }

    private func shown(_ group: SuggestionGroup, nearestIn view: CatalogueView) -> ModeratedSuggestion {
        ModeratedSuggestion(group) { nearestItems.find($0, in: view) }
    }
}

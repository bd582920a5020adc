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
            gate.binding(.approveSuggestion) { request, actor in
                let object = try RequestBody.object(request, maximumBytes: 65_536)
                return try decided.response(try approve(object, AdminCall(request, by: actor)), request)
            },
            gate.binding(.rejectSuggestion, decided) { call in
                Decided(group: try store.reject(try call.id(), by: call.actor))
            },
            gate.binding(.reopenSuggestion, decided, reopen),
            gate.binding(.moderateSuggestions, .object { SuggestionOutcomes($0) }, moderate),
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

    /// A decision on one suggestion.
    struct Decided: Sendable {
        let group: SuggestionGroup
        var item: CatalogueItem?
    }

    private var decided: AnswerForm<Decided> {
        .object { DecidedSuggestion(shown($0.group, nearestIn: publisher.view), item: $0.item) }
    }

    /// Approves a suggestion: as an alias with `merge_into`, otherwise as a new item.
    func approve(_ object: JSONObject, _ call: AdminCall) throws -> Decided {
        let approved: (group: SuggestionGroup, item: CatalogueItem)
        if object["merge_into"] != nil {
            let merge = try SuggestionMerge(object)
            approved = try store.approve(try call.id(), mergingInto: merge.itemID, by: call.actor)
        } else {
            let item = try SuggestedItem(object)
            approved = try store.approve(try call.id(), as: item.id, by: call.actor) { item.draft(suggested: $0.name) }
        }
        try publisher.refresh()
        return Decided(group: approved.group, item: approved.item)
    }

    func reopen(_ call: AdminCall) throws -> Decided {
        Decided(group: try store.reopen(try call.id(), by: call.actor))
    }

    func moderate(
        _ decision: SuggestionDecision, _ call: AdminCall
    ) throws -> [(id: UUID, outcome: SuggestionOutcome)] {
        try take(decision, call)
        return try carryOut(decision, call)
    }

    /// Takes the allowance of decisions, before anything is read for them.
    func take(_ decision: SuggestionDecision, _ call: AdminCall) throws {
        try gate.limits.take(.decisions, count: decision.ids.count, for: call.request)
    }

    /// Carries out decisions whose allowance is taken.
    func carryOut(
        _ decision: SuggestionDecision, _ call: AdminCall
    ) throws -> [(id: UUID, outcome: SuggestionOutcome)] {
        let (ids, action) = (decision.ids, decision.action)
        let nearest = action == .approve ? try nearestItems(of: ids) : [:]
        let outcomes = try store.moderate(ids, action, nearest: nearest, reason: decision.reason, by: call.actor)
        if [.approve, .undo].contains(action) { try publisher.refresh() }
        return outcomes
    }

    /// The items displayed as nearest in the queue, by group id, where the score leaves no doubt. Found outside the
    /// transaction, so that the lock is held only for writing.
    private func nearestItems(of ids: [UUID]) throws -> [UUID: UUID] {
        let view = try publisher.freshView()
        var items: [UUID: UUID] = [:]
        for id in ids {
            guard let group = try store.find(id), group.status == .pending else { continue }
            guard let nearest = nearestItems.find(group.name, in: view), nearest.isSure else { continue }
            items[id] = nearest.id
        }
        return items
    }

    private func shown(_ group: SuggestionGroup, nearestIn view: CatalogueView) -> ModeratedSuggestion {
        ModeratedSuggestion(group) { nearestItems.find($0, in: view) }
    }
}

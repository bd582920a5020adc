package import Catalogue
package import Foundation
import HTTPServer
import HTTPTypes
package import JSONWire
import ServerAccess
package import ServerContract
import SubGuardContract
import SubGuardDomain
import Synchronization

/// `POST /api/v1/suggestions`: one name, or the queue of a device that was offline.
struct SuggestionRoutes: Sendable {
    let store: SuggestionStore
    let limits: ClientLimits

    /// 100 names of 120 characters, each written as an escape of 12 bytes, are about 150 KB.
    private static let maximumBodyBytes = 256 << 10

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .suggestions, allowance: .suggest, maximumBodyBytes: Self.maximumBodyBytes, .blocking { try submit($0) }
            )
        ]
    }

    private func submit(_ request: Request) throws -> Response {
        let object = try RequestBody.object(request, maximumBytes: Self.maximumBodyBytes)
        // Only id and name are accepted, so no other data of a device is stored.
        let suggestions =
            object["suggestions"] == nil ? [try Suggestion(object)] : try SuggestionQueue(object).suggestions
        try limits.take(.suggestedNames, count: suggestions.count, for: request)
        return try store.submit(suggestions).response(.accepted)
    }
}

/// Routes that moderate suggestions.
package struct AdminSuggestionRoutes: Sendable {
    let gate: AdminGate
    package let store: SuggestionStore
    let publisher: CataloguePublisher
    package let nearestItems: NearestItems

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
        let pending = page.groups.filter { $0.status == .pending }
        let nearest = try nearestItems.find(pending.map { NameScripts(of: $0.name).lookalike }, in: view)
        return try ListPage(
            items: page.groups.map { ModeratedSuggestion($0) { nearest[$0] } },
            nextCursor: page.next?.encoded(for: list)
        ).response(to: request)
    }

    /// A decision on one suggestion.
    package struct Decided: Sendable {
        let group: SuggestionGroup
        var item: CatalogueItem?
    }

    private var decided: AnswerForm<Decided> {
        .object { decided in
            let view = publisher.view
            return DecidedSuggestion(
                ModeratedSuggestion(decided.group) { nearestItems.find($0, in: view) }, item: decided.item)
        }
    }

    /// Approves a suggestion: as an alias with `merge_into`, otherwise as a new item.
    package func approve(_ object: JSONObject, _ call: AdminCall) throws -> Decided {
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

    package func reopen(_ call: AdminCall) throws -> Decided {
        Decided(group: try store.reopen(try call.id(), by: call.actor))
    }

    package func moderate(
        _ decision: SuggestionDecision, _ call: AdminCall
    ) throws -> [(id: UUID, outcome: SuggestionOutcome)] {
        try take(decision, call)
        return try carryOut(decision, call)
    }

    /// Takes the allowance of decisions, before anything is read for them.
    package func take(_ decision: SuggestionDecision, _ call: AdminCall) throws {
        try gate.limits.take(.decisions, count: decision.ids.count, for: call.request)
    }

    /// Carries out decisions whose allowance is taken.
    package func carryOut(
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
    private func nearestItems(of ids: [UUID]) throws -> [UUID: CatalogueNearest] {
        let view = try publisher.freshView()
        var names: [UUID: String] = [:]
        for id in ids {
            guard let group = try store.find(id), group.status == .pending else { continue }
            names[id] = group.name
        }
        let nearest = try nearestItems.find(Array(names.values), in: view, needsAll: true)
        return names.compactMapValues { name in nearest[name].flatMap { $0.isSure ? $0 : nil } }
    }
}

/// Caches the nearest items of suggested names for one catalogue revision. Finding one compares a name with many
/// others, and moderators request pages of 500 names repeatedly.
package final class NearestItems: Sendable {
    private struct State {
        var epoch: [UInt8] = []
        var revision: Int64 = -1
        var found: [String: CatalogueNearest?] = [:]
    }

    private let state = Mutex(State())
    private let slots: Slots

    package init(slots: Slots) { self.slots = slots }

    /// Maximum number of cached names; when it is exceeded, the cache is cleared.
    private static let maximumNames = 20_000

    /// The nearest items by name, without names that no item is similar to. Many new names take a second, so where no
    /// slot is free, only names that are known are found, rather than take another worker; or it throws 503, if a
    /// decision needs them all.
    package func find(
        _ names: [String], in view: CatalogueView, needsAll: Bool = false
    ) throws(HTTPFailure) -> [String: CatalogueNearest] {
        func all() -> [String: CatalogueNearest] {
            var found: [String: CatalogueNearest] = [:]
            for name in names { found[name] = find(name, in: view) }
            return found
        }
        guard names.contains(where: { known($0, in: view) == nil }) else { return all() }
        if let found = slots.run(all) { return found }
        guard !needsAll else { throw .comparingNames }
        return names.reduce(into: [:]) { found, name in found[name] = known(name, in: view)?.flatMap(\.self) }
    }

    private func known(_ name: String, in view: CatalogueView) -> CatalogueNearest?? {
        state.withLock { state in
            if state.revision != view.revision || state.epoch != view.epoch || state.found.count >= Self.maximumNames {
                state = State(epoch: view.epoch, revision: view.revision)
            }
            return state.found[name]
        }
    }

    /// Nil if no item is similar to the name.
    package func find(_ name: String, in view: CatalogueView) -> CatalogueNearest? {
        if let known = known(name, in: view) { return known }
        let nearest = CatalogueNearest.find(name, in: view.matcher, names: view.names, item: view.item)
        state.withLock { state in
            guard state.revision == view.revision, state.epoch == view.epoch else { return }
            state.found[name] = .some(nearest)
        }
        return nearest
    }
}

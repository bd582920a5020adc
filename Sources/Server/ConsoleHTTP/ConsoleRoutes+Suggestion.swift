import BackendHTTP
import Catalogue
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The page of one suggestion. Decisions are calls of the API.
extension ConsoleRoutes {
    private static let suggestion = "/console/suggestions/{id:uuid}"
    private static let keyed = FormShape(["idempotency_key"], ofList: true)

    func suggestionPageBindings() -> [RouteBinding] {
        [
            gate.page(Self.suggestion, of: [.adminSuggestions]) { visit in
                visit.refuseLongText("item")
                return try suggestionPage(visit, list: Self.list(of: visit))
            },
            gate.action(
                "\(Self.suggestion)/approve", of: .approveSuggestion,
                form: FormShape(CatalogueForms.approve, ["idempotency_key"], optional: ["back"], ofList: true)
            ) { visit in
                let form = CatalogueForms.approve.resolved(try visit.form())
                return try decide(.approveSuggestion, visit, "approved", typed: form) { call in
                    _ = try features.suggestions.approve(CatalogueForms.approve.json(form), call)
                }
            },
            gate.action(
                "\(Self.suggestion)/merge", of: .approveSuggestion,
                form: FormShape(["idempotency_key", "merge_into"], ofList: true)
            ) { visit in
                let item = try visit.form()["merge_into"] ?? ""
                return try decide(.approveSuggestion, visit, "approved") { call in
                    _ = try features.suggestions.approve(["merge_into": .string(item)], call)
                }
            },
            gate.action(
                "\(Self.suggestion)/reject", of: .moderateSuggestions,
                form: FormShape(["idempotency_key", "reason"], ofList: true)
            ) { visit in try moderate(visit, .reject, "rejected", expecting: .rejected) },
            gate.action(
                "\(Self.suggestion)/undo", of: .moderateSuggestions,
                form: FormShape(["idempotency_key", "decided_at"], ofList: true)
            ) { visit in
                let form = try visit.form()
                // A decision that another person has made since stays.
                if let group = try suggestions.find(try visit.request.parameters.uuid()), group.status != .pending,
                    group.decidedAt?.rfc3339 != form["decided_at"]
                {
                    let faults = FormFaults(detail: "The suggestion was approved or rejected before.")
                    let list = ListAddress("suggestions", query: ConsoleVisit.listQuery(form))
                    return visit.show(try suggestionPage(visit, list: list, faults: faults), .conflict)
                }
                return try moderate(visit, .undo, "undone", expecting: .reopened)
            },
            gate.action("\(Self.suggestion)/reopen", of: .reopenSuggestion, form: Self.keyed) { visit in
                try decide(.reopenSuggestion, visit, "reopened") { call in
                    _ = try features.suggestions.reopen(call)
                }
            },
        ]
    }

    /// The list that led to a page: `list_status` and so on; in a link from the list without the prefix.
    private static func list(of visit: ConsoleVisit) -> ListAddress {
        let query = visit.query.filter { $0.name != "item" }.map { name, value in
            (name: name.hasPrefix("list_") ? String(name.dropFirst(5)) : name, value: value)
        }
        return ListAddress("suggestions", query: query)
    }

    private func suggestionPage(
        _ visit: ConsoleVisit, list: ListAddress, typed: FormFields? = nil, reason: String = "",
        faults: FormFaults = FormFaults()
    ) throws -> SuggestionPage {
        guard let group = try suggestions.find(try visit.request.parameters.uuid()) else {
            throw HTTPFailure(.notFound, "There is no such suggestion.")
        }
        let view = try publisher.freshView()
        let scripts = NameScripts(of: group.name)
        let isPending = group.status == .pending
        let nearest =
            isPending
            ? CatalogueNearest.list(scripts.lookalike, in: view.matcher, count: 5, names: view.names, item: view.item)
            : []
        let search = visit.parameter("item") ?? ""
        let found = search.isEmpty ? [] : view.matcher.search(search, limit: 10)
        let closest = nearest.first.flatMap { view.item($0.id) }
        return SuggestionPage(
            group: group, item: group.itemID.flatMap { try? catalogue.find($0) }, isMixed: scripts.isMixed,
            nearest: nearest.compactMap { near in view.item(near.id).map { ($0, near.score) } }, search: search,
            found: found.compactMap { match in view.item(match.id).map { ($0, nil) } },
            values: typed.map { FormValues($0) } ?? Self.prefilled(group, like: closest), faults: faults,
            categories: try categories(), reasons: isPending ? try suggestions.recentReasons() : [], reason: reason,
            list: list)
    }

    /// The name as suggested; the rest as of the most similar item, which is often of the same kind.
    static func prefilled(_ group: SuggestionGroup, like item: CatalogueItem?) -> FormValues {
        FormValues([
            "name": .string(group.name), "slug": .string(CatalogueDraft.slug(from: group.name)),
            "category": item.map { .string($0.category) } ?? .null,
            "currency": .string(item?.typicalAmount.currency.code ?? "EUR"),
            "billing_cycle": .string(item?.billingCycle.wire ?? "monthly"),
        ])
    }

    /// A decision that only the call for many takes, as it has a reason or undoes another.
    ///
    /// - Parameter expected: what the call answers if it did what was asked for.
    private func moderate(
        _ visit: ConsoleVisit, _ action: SuggestionStore.BulkAction, _ notice: String,
        expecting expected: SuggestionOutcome
    ) throws -> Response {
        let reason = try visit.form()["reason"] ?? ""
        return try decide(.moderateSuggestions, visit, notice) { call in
            var json: JSONObject = ["ids": [.string(try call.id().lowercased)], "action": .string(action.rawValue)]
            if !reason.isEmpty { json.set("reason", .string(reason)) }
            switch try features.suggestions.moderate(SuggestionDecision(json), call).first?.outcome {
            case expected?, nil: return
            case .notFound?: throw HTTPFailure.notFound
            case .itemChanged?:
                throw HTTPFailure(
                    .conflict, "The item was changed since, so it is not deleted. Delete it in the catalogue.")
            default: throw HTTPFailure(.conflict, "The suggestion was approved or rejected before.")
            }
        }
    }

    /// The list, which says that the suggestion was approved and offers to undo that.
    private func backToList(_ visit: ConsoleVisit, _ list: ListAddress) throws -> HTMLLink {
        let group = try suggestions.find(try visit.request.parameters.uuid())
        let kept = group.map {
            ConsoleNotices.DecidedSuggestion(id: $0.id, outcome: .approved, decidedAt: $0.decidedAt)
        }
        return notices.keep(
            .suggestions([kept].compactMap(\.self)), of: visit, counts: [SuggestionOutcome.approved.rawValue: 1]
        ) { list.here([$0]) }
    }

    /// Carries out a decision: its page again with what was refused, or with a notice. If the suggestion was deleted
    /// meanwhile, what was typed is shown.
    private func decide(
        _ operation: APIOperation, _ visit: ConsoleVisit, _ notice: String, typed: FormFields? = nil,
        _ carryOut: (AdminCall) throws -> Void
    ) throws -> Response {
        let form = try visit.form()
        let query = ConsoleVisit.listQuery(form)
        _ = try ConsoleVisit.read(SuggestionQuery.self, query)
        let (list, id) = (ListAddress("suggestions", query: query), try visit.request.parameters.uuid())
        return try submit(operation, for: visit, carryOut) {
            if form["back"] == "list" { return try backToList(visit, list) }
            return list.link(to: id, more: .given([("cursor", list.cursor), ("notice", notice)]))
        } refused: { faults in
            try suggestionPage(visit, list: list, typed: typed, reason: form["reason"] ?? "", faults: faults)
        } gone: { _ in
            visit.show(SimplePage.goneSuggestion(typed: FormValues(form), list: list), .notFound)
        }
    }
}

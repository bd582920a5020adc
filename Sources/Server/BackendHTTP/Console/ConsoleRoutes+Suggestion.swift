import Backend
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
    private static let keyed = FormShape(["idempotency_key"], ofList: true)

    func suggestionPageBindings() -> [RouteBinding] {
        [
            gate.page("/console/suggestions/{id:uuid}", of: [.adminSuggestions]) { visit in
                var visit = visit
                if (visit.query.last { $0.name == "item" }?.value.unicodeScalars.count ?? 0) > 200 {
                    visit.refuse("item", Fault("item", .outOfRange, "Must have 1 to 200 characters."))
                }
                return ConsoleResponse.page(try suggestionPage(visit, list: Self.list(visit.query)), visit.status)
            },
            gate.action(
                "/console/suggestions/{id:uuid}/approve", of: .approveSuggestion,
                form: FormShape(CatalogueForms.approve, ["idempotency_key"], ofList: true)
            ) { visit in
                let form = try visit.form()
                return try decide(visit, form, "approved", typed: form) { id in
                    try calls.attempt(
                        .approveSuggestion, path: [id], .json(CatalogueForms.approve.json(form)),
                        formKey: form["idempotency_key"], for: visit)
                }
            },
            gate.action(
                "/console/suggestions/{id:uuid}/merge", of: .approveSuggestion,
                form: FormShape(["idempotency_key", "merge_into"], ofList: true)
            ) { visit in
                let form = try visit.form()
                return try decide(visit, form, "approved") { id in
                    try calls.attempt(
                        .approveSuggestion, path: [id], .json(["merge_into": .string(form["merge_into"] ?? "")]),
                        formKey: form["idempotency_key"], for: visit)
                }
            },
            gate.action(
                "/console/suggestions/{id:uuid}/reject", of: .moderateSuggestions,
                form: FormShape(["idempotency_key", "reason"], ofList: true)
            ) { visit in
                let form = try visit.form()
                var json: JSONObject = [
                    "ids": [.string(try visit.request.parameters.uuid().lowercased)], "action": "reject",
                ]
                if let reason = form["reason"], !reason.isEmpty { json.set("reason", .string(reason)) }
                // With a reason, only the call for many takes it.
                return try decide(visit, form, "rejected", outcome: .rejected) { _ in
                    try calls.attempt(.moderateSuggestions, .json(json), formKey: form["idempotency_key"], for: visit)
                }
            },
            gate.action(
                "/console/suggestions/{id:uuid}/undo", of: .moderateSuggestions,
                form: FormShape(["idempotency_key", "decided_at"], ofList: true)
            ) { visit in
                let form = try visit.form()
                // What somebody else has decided since is theirs.
                if let group = try suggestions.find(try visit.request.parameters.uuid()), group.status != .pending,
                    group.decidedAt?.rfc3339 != form["decided_at"]
                {
                    let faults = FormFaults(detail: "The suggestion was approved or rejected before.")
                    let list = ConsoleVisit.listQuery(form)
                    return ConsoleResponse.page(try suggestionPage(visit, list: list, faults: faults), .conflict)
                }
                let json: JSONObject = [
                    "ids": [.string(try visit.request.parameters.uuid().lowercased)], "action": "undo",
                ]
                return try decide(visit, form, "undone", outcome: .reopened) { _ in
                    try calls.attempt(.moderateSuggestions, .json(json), formKey: form["idempotency_key"], for: visit)
                }
            },
            gate.action("/console/suggestions/{id:uuid}/reopen", of: .reopenSuggestion, form: Self.keyed) { visit in
                let form = try visit.form()
                return try decide(visit, form, "reopened") { id in
                    try calls.attempt(
                        .reopenSuggestion, path: [id], .none, formKey: form["idempotency_key"], for: visit)
                }
            },
        ]
    }

    /// The query of the list in that of a page: `list_status` and so on; in a link from the list without the prefix.
    private static func list(_ query: [(name: String, value: String)]) -> [(name: String, value: String)] {
        query.filter { $0.name != "item" }.map { name, value in
            (name.hasPrefix("list_") ? String(name.dropFirst(5)) : name, value)
        }
    }

    private func suggestionPage(
        _ visit: ConsoleVisit, list: [(name: String, value: String)], typed: FormFields? = nil, reason: String = "",
        faults: FormFaults = FormFaults()
    ) throws -> [UInt8] {
        guard let group = try suggestions.find(try visit.request.parameters.uuid()) else {
            throw HTTPFailure(.notFound, "There is no such suggestion.")
        }
        let view = try publisher.freshView()
        let scripts = NameScripts(of: group.name)
        let isPending = group.status == .pending
        let nearest =
            isPending
            ? CatalogueNearest.list(scripts.lookalike, in: view.matcher, count: 5, item: view.item) : []
        let search = visit.query.first { $0.name == "item" }?.value ?? ""
        let found = search.isEmpty ? [] : view.matcher.search(search, limit: 10)
        let closest = nearest.first.flatMap { view.item($0.id) }
        let page = SuggestionPage(
            group: group, item: group.itemID.flatMap { try? catalogue.find($0) }, isMixed: scripts.isMixed,
            nearest: nearest.compactMap { near in
                view.item(near.id).map { SuggestionPage.Candidate(item: $0, score: near.score) }
            }, search: search,
            found: found.compactMap { match in
                view.item(match.id).map { SuggestionPage.Candidate(item: $0, score: nil) }
            }, values: typed.map { FormValues($0) } ?? Self.prefilled(group, like: closest), faults: faults,
            categories: try categories(), reasons: isPending ? try suggestions.recentReasons() : [], reason: reason,
            mayOpenItems: visit.mayCall(.adminCatalogueItem), list: list,
            idempotencyKey: UUID().uuidString.lowercased(),
            notice: visit.notice.flatMap { SuggestionPage.Notice(rawValue: $0.code) })
        return page.page(visit.frame)
    }

    /// The name as suggested; the rest as of the most similar item, which is often of the same kind.
    private static func prefilled(_ group: SuggestionGroup, like item: CatalogueItem?) -> FormValues {
        FormValues([
            "name": .string(group.name), "slug": .string(CatalogueDraft.slug(from: group.name)),
            "category": item.map { .string($0.category) } ?? .null,
            "currency": .string(item?.typicalAmount.currency.code ?? "EUR"),
            "billing_cycle": .string(item?.billingCycle.wire ?? "monthly"),
        ])
    }

    /// Carries out a decision: its page again with what was refused, or with a notice. If the suggestion was deleted
    /// meanwhile, what was typed is shown.
    ///
    /// - Parameter expected: what the call for many answers if it did what was asked for.
    private func decide(
        _ visit: ConsoleVisit, _ form: FormFields, _ notice: String, outcome expected: SuggestionOutcome? = nil,
        typed: FormFields? = nil, _ call: (String) throws -> ConsoleCalls.Outcome
    ) throws -> Response {
        let id = try visit.request.parameters.uuid().lowercased
        let list = ConsoleVisit.listQuery(form)
        do throws(FaultList) { _ = try SuggestionQuery(texts: list) } catch { throw HTTPFailure.invalid(error) }
        func gone() -> Response {
            ConsoleResponse.page(GoneSuggestionPage(typed: FormValues(form), list: list).page(visit.frame), .notFound)
        }
        let result: ConsoleCalls.Outcome
        do { result = try call(id) } catch let failure as HTTPFailure where failure.code == .notFound { return gone() }
        switch result {
        case .done(let response):
            // The call for many answers with an outcome for each.
            let outcome = ConsoleCalls.object(in: response)["results"]?.arrayValue?.first?.objectValue?["result"]
            if let outcome = outcome?.stringValue, outcome != expected?.rawValue {
                if outcome == SuggestionOutcome.notFound.rawValue { return gone() }
                let detail: Sentence =
                    outcome == SuggestionOutcome.itemChanged.rawValue
                    ? "The item was changed since, so it is not deleted. Delete it in the catalogue."
                    : "The suggestion was approved or rejected before."
                return ConsoleResponse.page(
                    try suggestionPage(
                        visit, list: list, reason: form["reason"] ?? "", faults: FormFaults(detail: detail)), .conflict)
            }
            let link = HTMLLink(path: ["console", "suggestions", id], query: list + [("notice", notice)])
            return ConsoleResponse.seeOther(link.text)
        case .refused(let faults, let status):
            return ConsoleResponse.page(
                try suggestionPage(visit, list: list, typed: typed, reason: form["reason"] ?? "", faults: faults),
                status)
        case .lostRace: throw HTTPFailure(.preconditionFailed, "The suggestion was changed meanwhile.")
        }
    }
}

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

/// The queue of suggestions. Decisions are calls of the API.
extension ConsoleRoutes {
    func suggestionBindings() -> [RouteBinding] {
        [
            gate.page("/console/suggestions", of: [.adminSuggestions]) { visit in
                let query = try visit.read(SuggestionQuery.self)
                return ConsoleResponse.page(try list(query, visit).page(visit.frame))
            },
            gate.action("/console/suggestions", of: .moderateSuggestions) { visit in try decide(visit) },
        ]
    }

    private func list(
        _ query: SuggestionQuery, _ visit: ConsoleVisit, result: SuggestionsPage.Result? = nil, reason: String = ""
    ) throws -> SuggestionsPage {
        let (filter, list) = (query.filter, query.filter.list)
        let found = try suggestions.list(
            filter, after: query.cursor.flatMap { PageCursor($0, of: list) }, limit: query.limit)
        let view = try publisher.freshView()
        let rows = found.groups.map { group in
            let scripts = NameScripts(of: group.name)
            return SuggestionsPage.Row(
                group: group,
                nearest: group.status == .pending ? nearestItems.find(scripts.lookalike, in: view) : nil,
                isMixed: scripts.isMixed)
        }
        let counts = try suggestions.counts()
        return SuggestionsPage(
            query: filter, rows: rows, counts: counts, next: found.next?.encoded(for: list),
            isFirstPage: query.cursor == nil, idempotencyKey: UUID().uuidString.lowercased(), result: result,
            reason: reason)
    }

    /// The decision on one row or on all selected ones, and the list with its result.
    private func decide(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let listed = ConsoleVisit.listQuery(form)
        let query: SuggestionQuery
        do throws(FaultList) { query = try SuggestionQuery(texts: listed) } catch { throw HTTPFailure.invalid(error) }
        var (action, ids) = (form["action"], form.values("ids"))
        for name in ["approve", "reject", "reopen"] {
            if let id = form[name] { (action, ids) = (name, [id]) }
        }
        let reason = form["reason"] ?? ""
        guard let action, !ids.isEmpty else {
            return ConsoleResponse.page(
                try list(query, visit, result: .nothingSelected, reason: reason).page(visit.frame),
                .unprocessableContent)
        }
        var json = JSONObject([("ids", .array(ids.map { .string($0) })), ("action", .string(action))])
        if !reason.isEmpty { json.members.append(("reason", .string(reason))) }
        do {
            let response = try calls.perform(
                .moderateSuggestions, .json(json), formKey: form["idempotency_key"], for: visit)
            let outcomes = Self.outcomes(in: response)
            return ConsoleResponse.page(
                try list(query, visit, result: .decided(outcomes)).page(visit.frame))
        } catch let failure as HTTPFailure where [.validationFailed, .idempotencyKeyReused].contains(failure.code) {
            let sentences = failure.faults.isEmpty ? [failure.detail] : failure.faults.map(\.detail)
            return ConsoleResponse.page(
                try list(query, visit, result: .refused(sentences), reason: reason).page(visit.frame),
                .of(failure.code))
        }
    }

    private static func outcomes(in response: Response) -> [(id: UUID, outcome: SuggestionOutcome)] {
        guard case .bytes(let body) = response.body, let results = try? JSONValue.parse(body) else { return [] }
        return (results.objectValue?["results"]?.arrayValue ?? []).compactMap { result in
            guard let result = result.objectValue, let id = result["id"]?.stringValue.flatMap({ UUID(strict: $0) }),
                let outcome = result["result"]?.stringValue.flatMap({ SuggestionOutcome(rawValue: $0) })
            else { return nil }
            return (id, outcome)
        }
    }
}

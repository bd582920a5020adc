import BackendHTTP
import Catalogue
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The queue of suggestions. Decisions are calls of the API.
extension ConsoleRoutes {
    private static let listForm = FormShape(
        ["idempotency_key"], optional: ["action", "approve", "reject", "reopen", "undo", "reason", "confirmed"],
        repeated: ["ids"], ofList: true)

    /// A notice names what was decided of so many at most.
    private static let mostNamed = 3

    func suggestionBindings() -> [RouteBinding] {
        [
            gate.get("/console/suggestions", of: [.adminSuggestions]) { visit in
                let isFile = visit.query.contains { $0.name == "format" && $0.value == "csv" }
                if isFile {
                    visit.query.removeAll { $0.name == "format" }
                    return try suggestionCSV(try visit.read(SuggestionQuery.self).filter, visit)
                }
                let new = visit.parameter(SuggestionsPage.newName)
                visit.query.removeAll { $0.name == SuggestionsPage.newName }
                let query = try visit.read(SuggestionQuery.self, correcting: ["q"])
                return visit.show(try list(query, visit.query, result: result(visit), new: new))
            },
            gate.action("/console/suggestions", of: .moderateSuggestions, form: Self.listForm, decide),
        ]
    }

    /// What the address of the list says about the form before.
    private func result(_ visit: ConsoleVisit) -> SuggestionsPage.Result? {
        guard let notice = BulkNotice(visit) else { return nil }
        var undo: SuggestionsPage.Undo?
        var named: [(name: String, item: String?)] = []
        if case .suggestions(let outcomes)? = notices.result(notice.id, for: visit) {
            let undoable = outcomes.filter { $0.decidedAt != nil }.map(\.outcome)
            if !undoable.isEmpty {
                undo = (notice.id, undoable.count, undoable.contains(.approved))
            }
            if undoable.count <= Self.mostNamed {
                named = outcomes.filter { $0.decidedAt != nil }.compactMap { outcome in
                    guard let group = try? suggestions.find(outcome.id) else { return nil }
                    let item = group.itemID.flatMap { try? catalogue.find($0) }
                    let isSame = item.map { TextFolding.fold($0.name) } == TextFolding.fold(group.name)
                    return (group.name, isSame ? nil : item?.name)
                }
            }
        }
        let counts = notice.counts(of: SuggestionOutcome.self)
        return counts.isEmpty ? nil : .decided(counts, named: named, undo: undo)
    }

    /// - Parameters:
    ///   - parameters: the query as the address has it.
    ///   - new: the id of the row whose name is added as a new item.
    private func list(
        _ query: SuggestionQuery, _ parameters: [NamedValue], result: SuggestionsPage.Result? = nil,
        reason: String = "", new: String? = nil
    ) throws -> SuggestionsPage {
        let (filter, list) = (query.filter, query.filter.list)
        let found = try suggestions.list(
            filter, after: query.cursor.flatMap { PageCursor($0, of: list) }, limit: query.limit)
        let view = try publisher.freshView()
        let scripts = found.groups.map { NameScripts(of: $0.name) }
        let names = zip(found.groups, scripts).filter { $0.0.status == .pending }.map(\.1.lookalike)
        let nearest = try nearestItems.find(names, in: view)
        let rows = zip(found.groups, scripts).map { group, scripts -> SuggestionsPage.Row in
            (group, group.status == .pending ? nearest[scripts.lookalike] : nil, scripts.isMixed)
        }
        let counts = try suggestions.counts()
        gate.waiting.note(.suggestions, counts[.pending] ?? 0)
        var adding: SuggestionsPage.Adding?
        if let row = rows.first(where: { $0.group.id.lowercased == new && $0.group.status == .pending }) {
            let values = Self.prefilled(row.group, like: row.nearest.flatMap { view.item($0.id) })
            adding = (id: row.group.id, values: values, categories: try categories())
        }
        let mayReject = filter.status == .pending || filter.status == nil
        return SuggestionsPage(
            query: filter, rows: rows, counts: counts,
            address: ListAddress("suggestions", query: parameters.defaulting("status", "pending")),
            next: found.next?.encoded(for: list), result: result, reason: reason,
            reasons: mayReject ? try suggestions.recentReasons() : [], adding: adding)
    }

    /// All suggestions that match, up to a number that a spreadsheet opens.
    private func suggestionCSV(_ filter: SuggestionListQuery, _ visit: ConsoleVisit) throws -> Response {
        let most = 100_000
        var groups: [SuggestionGroup] = []
        var cursor: PageCursor?
        repeat {
            let found = try suggestions.list(filter, after: cursor, limit: 1000)
            groups += found.groups
            cursor = found.next
        } while cursor != nil && groups.count < most
        return try visit.csv(SuggestionStore.csv(groups), "suggestions", header: "; header=present")
    }

    /// The decision on one row or on all selected ones, then the list with its result.
    private func decide(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let listed = ConsoleVisit.listQuery(form)
        let query = try ConsoleVisit.read(SuggestionQuery.self, listed)
        let address = ListAddress("suggestions", query: listed)
        var (action, ids) = (form["action"], form.values("ids"))
        for name in ["approve", "reject", "reopen"] {
            if let id = form[name] { (action, ids) = (name, [id]) }
        }
        let reason = form["reason"] ?? ""
        func page(_ result: SuggestionsPage.Result, _ status: HTTPResponse.Status) throws -> Response {
            visit.show(try list(query, listed, result: result, reason: reason), status)
        }
        func tooLate() throws -> Response {
            try page(.refused([.problem("This can no longer be undone here. Decide again in the list.")]), .conflict)
        }
        var left = 0
        if let undo = form["undo"] {
            guard case .suggestions(let outcomes)? = notices.result(undo, for: visit) else { return try tooLate() }
            action = "undo"
            // A decision that another person has made since stays.
            let decided = outcomes.filter { $0.decidedAt != nil }
            let same = try decided.filter { outcome in
                let group = try suggestions.find(outcome.id)
                return group?.status == .pending || group?.decidedAt == outcome.decidedAt
            }
            guard !same.isEmpty else { return try tooLate() }
            ids = same.map(\.id.lowercased)
            left = decided.count - same.count
        }
        guard let action, !ids.isEmpty else { return try page(.nothingSelected, .unprocessableContent) }
        var json = JSONObject([("ids", .array(ids.map { .string($0) })), ("action", .string(action))])
        if !reason.isEmpty { json.members.append(("reason", .string(reason))) }
        do {
            // Nothing is read for a form that the call would refuse.
            let (decision, call) = (
                try SuggestionDecision(body: json), try gate.call(.moderateSuggestions, for: visit)
            )
            try features.suggestions.take(decision, call)
            if decision.action == .delete, form["confirmed"] == nil {
                let groups = try decision.ids.compactMap { try suggestions.find($0) }
                guard !groups.isEmpty else { return try page(.nothingSelected, .unprocessableContent) }
                return visit.show(SimplePage.deletion(of: groups, in: address, reason: reason))
            }
            let outcomes = try features.suggestions.carryOut(decision, call)
            let more = Array(repeating: SuggestionOutcome.alreadyDecided.rawValue, count: left)
            let counts = (outcomes.map(\.outcome.rawValue) + more).counts
            let kept = try outcomes.map { outcome in
                let isUndoable = [.approved, .rejected].contains(outcome.outcome)
                return ConsoleNotices.DecidedSuggestion(
                    id: outcome.id, outcome: outcome.outcome,
                    decidedAt: isUndoable ? try suggestions.find(outcome.id)?.decidedAt : nil)
            }
            return ConsoleResponse.seeOther(
                notices.keep(.suggestions(kept), of: visit, counts: counts) { address.here([$0]) })
        } catch let failure as HTTPFailure where failure.code == .validationFailed {
            return try page(.refused(failure.refusals), .of(failure.code))
        }
    }
}

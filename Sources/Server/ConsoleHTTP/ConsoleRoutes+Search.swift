import BackendHTTP
import Catalogue
import Console
import Foundation
import HTML
import HTTPServer
import HTTPWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

/// The search over items, suggestions, crashes and the audit log: each only with its permission.
extension ConsoleRoutes {
    private static let hits = 5

    func searchBindings() -> [RouteBinding] {
        [
            gate.page("/console/search", for: .session) { visit in
                var visit = visit
                let query = try visit.read(ConsoleSearchQuery.self, correcting: ["q"])
                let text = CatalogueRules.trimmed(query.text ?? "")
                return visit.show(SearchPage(text, try groups(text, visit)))
            }
        ]
    }

    private func groups(_ text: String, _ visit: ConsoleVisit) throws -> [SearchPage.Group] {
        guard !text.isEmpty else { return [] }
        func link(_ area: String, _ more: [NamedValue] = []) -> HTMLLink {
            HTMLLink("console", area, query: more + [("q", text)])
        }
        var groups: [SearchPage.Group] = []
        if visit.mayCall(.adminCatalogue) {
            let view = try publisher.freshView()
            let hits = view.matcher.search(text, limit: Self.hits).compactMap { view.item($0.id) }
                .map { ($0.name, $0.slug, HTMLLink("console", "catalogue", $0.id.lowercased)) }
            groups.append((.catalogue, hits, link("catalogue")))
        }
        if visit.mayCall(.adminSuggestions) {
            let found = try suggestions.list(
                SuggestionListQuery(status: nil, text: text), after: nil, limit: Self.hits)
            let hits = found.groups.map { group -> SearchPage.Hit in
                // The page of the name leads back to the list with the same search.
                let query = [(name: "status", value: group.status.rawValue), ("q", text)]
                return (
                    group.name, "\(group.status.rawValue), \(group.count) ×",
                    HTMLLink("console", "suggestions", group.id.lowercased, query: query)
                )
            }
            groups.append((.suggestions, hits, link("suggestions", [("status", "all")])))
        }
        if visit.mayCall(.crashGroups) {
            let found = try crashes.list(CrashListQuery(search: text), after: nil, limit: Self.hits)
            let hits = found.groups
                .map { ($0.title, $0.culprit ?? "", HTMLLink("console", "crashes", $0.id.lowercased)) }
            groups.append((.crashes, hits, link("crashes", [("status", "all")])))
        }
        if visit.mayCall(.audit) { groups.append(try auditGroup(text, visit)) }
        return groups
    }

    /// Rows about an id, or by an author whose name has the text.
    private func auditGroup(_ text: String, _ visit: ConsoleVisit) throws -> SearchPage.Group {
        let subject = UUID(strict: text)
        let filter = subject.map { AuditFilter(subjectID: $0) } ?? AuditFilter(actor: text)
        let rows = try auditLog.list(matching: filter, after: nil, limit: Self.hits)
        let hits = rows.map { row -> SearchPage.Hit in
            let about = "\(row.change.actor.name), \(visit.words.instant(row.happenedAt))"
            return (
                visit.words.auditAction(row.change.action), about, HTMLLink("console", "audit", "\(row.sequence)")
            )
        }
        let parameter = (name: subject == nil ? "actor" : "subject_id", value: text)
        return (.audit, hits, HTMLLink("console", "audit", query: [parameter]))
    }
}

/// What is searched for.
struct ConsoleSearchQuery: WireObject {
    let text: String?

    static let wire = WireSchema<ConsoleSearchQuery>(
        nil, make: ConsoleSearchQuery.init, Field("q", \.text, optional: .text(1...200), "The text."))
}

/// The audit log.
extension ConsoleRoutes {
    func auditBindings() -> [RouteBinding] {
        [
            gate.page("/console/audit", of: [.audit], auditList),
            gate.page("/console/audit/{sequence}", of: [.audit]) { visit in
                let text = try visit.request.parameters.text()
                guard let sequence = Int64(text), let entry = try auditLog.find(sequence) else {
                    throw BackendError.notFound(what: "row of the audit log")
                }
                return visit.show(AuditEntryPage(entry, suggestions: try suggestionNames([entry], visit)))
            },
        ]
    }

    private func auditList(_ visit: ConsoleVisit) throws -> Response {
        var visit = visit
        let isVerifying = visit.query.contains { $0.name == "verify" && $0.value == "1" }
        visit.query.removeAll { $0.name == "verify" }
        let query = try visit.read(AuditQuery.self, correcting: ["actor", "from", "to", "subject_id", "token_id"])
        var filter = query.filter
        // Without a filter, the gap to the row that follows says how many an import has.
        filter.joinsImports = query.format != .csv && filter == AuditFilter()
        let rows = try auditLog.list(matching: filter, after: query.after, limit: query.limit + 1)
        let page = query.page(rows)
        if query.format == .csv { return try AccessRoutes.csv(page.items).response(for: visit.request) }
        var verification: AuditPage.Verification?
        if isVerifying {
            // It reads the whole log, so pages of others cannot cause it.
            try gate.origin.requireOwnPage(visit.request)
            verification = try verifications.run(auditLog.verify).map { .done($0) } ?? .busy
        }
        return visit.show(
            AuditPage(
                page.items, following: filter.joinsImports ? rows : nil,
                suggestions: try suggestionNames(page.items, visit), total: try auditLog.count(),
                filters: visit.query.filter { !["cursor", "format"].contains($0.name) }, next: page.nextCursor,
                isFirstPage: query.after == nil, today: gate.now().day, verification: verification))
    }

    /// The names of suggestions that rows are about, which the rows do not have, so that deleted ones are forgotten;
    /// none for those who may not see suggestions.
    private func suggestionNames(_ entries: [AuditEntry], _ visit: ConsoleVisit) throws -> [UUID: String] {
        guard visit.mayCall(.adminSuggestions) else { return [:] }
        let own = entries.filter { $0.change.action.hasPrefix("suggestion.") }
        return try suggestions.names(of: Set(own.compactMap(\.change.subjectID)))
    }
}

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
                let query = try visit.read(ConsoleSearchQuery.self, correcting: ["q"])
                let text = CatalogueRules.trimmed(query.text ?? "")
                return SimplePage.search(text, try groups(text, visit))
            }
        ]
    }

    private func groups(_ text: String, _ visit: ConsoleVisit) throws -> [SearchGroup] {
        guard !text.isEmpty else { return [] }
        func link(_ area: String, _ more: [NamedValue] = []) -> HTMLLink {
            HTMLLink("console", area, query: more + [("q", text)])
        }
        var groups: [SearchGroup] = []
        if visit.mayCall(.adminCatalogue) {
            let view = try publisher.freshView()
            let hits = view.matcher.search(text, limit: Self.hits).compactMap { view.item($0.id) }
                .map { ($0.name, $0.slug, HTMLLink("console", "catalogue", $0.id.lowercased)) }
            groups.append((.catalogue, hits, link("catalogue")))
        }
        if visit.mayCall(.adminSuggestions) {
            let found = try suggestions.list(
                SuggestionListQuery(status: nil, text: text), after: nil, limit: Self.hits)
            let hits = found.groups.map { group -> SearchHit in
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
    private func auditGroup(_ text: String, _ visit: ConsoleVisit) throws -> SearchGroup {
        let subject = UUID(strict: text)
        let filter = subject.map { AuditFilter(subjectID: $0) } ?? AuditFilter(actor: text)
        let rows = try auditLog.list(matching: filter, after: nil, limit: Self.hits)
        let hits = rows.map { row -> SearchHit in
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

import BackendHTTP
import Catalogue
import Console
import Foundation
import HTTPServer
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The audit log.
extension ConsoleRoutes {
    func auditBindings() -> [RouteBinding] {
        [
            gate.get("/console/audit", of: [.audit]) { try auditList(&$0) },
            gate.page("/console/audit/{sequence}", of: [.audit]) { visit in
                let text = try visit.request.parameters.text()
                guard let sequence = Int64(text), let entry = try auditLog.find(sequence) else {
                    throw BackendError.notFound(what: "row of the audit log")
                }
                return AuditEntryPage(entry, suggestions: try suggestionNames([entry], visit))
            },
        ]
    }

    private func auditList(_ visit: inout ConsoleVisit) throws -> Response {
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
                list: ListAddress("audit", query: visit.query), next: page.nextCursor, today: gate.now().day,
                verification: verification))
    }

    /// The names of suggestions that rows are about, which the rows do not have, so that deleted ones are forgotten;
    /// none for those who may not see suggestions.
    private func suggestionNames(_ entries: [AuditEntry], _ visit: ConsoleVisit) throws -> [UUID: String] {
        guard visit.mayCall(.adminSuggestions) else { return [:] }
        let own = entries.filter { $0.change.action.hasPrefix("suggestion.") }
        return try suggestions.names(of: Set(own.compactMap(\.change.subjectID)))
    }
}

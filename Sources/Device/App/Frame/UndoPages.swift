import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// Taking a change back, and making it again.
enum UndoPages {
    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.form("/undo") { visit, form in
                // Only the change that the page has shown: another one may have come in between.
                guard let number = form["number"].flatMap({ Int64($0) }) else {
                    throw AppRefusal.stale
                }
                let report: JournalReport
                do {
                    report = try visit.store.journal.undo(entry: number, at: visit.moment)
                } catch let error as DeviceStoreError where error == .nothingToUndo || !error.faults.isEmpty {
                    throw AppRefusal.stale
                }
                let place = back(visit, form)
                return AppResponse.seeOther(visit.place(place, report.entries.first.map { ("undone", "\($0.id)") }))
            },
            gate.form("/redo") { visit, form in
                let report = try visit.store.journal.redo(at: visit.moment)
                let place = back(visit, form)
                return AppResponse.seeOther(visit.place(place, report.entries.first.map { ("done", "\($0.id)") }))
            },
        ]
    }

    /// The page of what was undone may no longer exist.
    private static func back(_ visit: AppVisit, _ form: FormFields) -> HTMLLink {
        let link = AppVisit.back(form["back"])
        let parts = link.text.split(separator: "/")
        guard let place = parts.lastIndex(where: { UUID(uuidString: String($0)) != nil }), place > 0,
            let id = UUID(uuidString: String(parts[place]))
        else { return link }
        let (store, sharing) = (visit.store, visit.store.sharing)
        switch parts[place - 1] {
        case "subscriptions": return (try? store.subscriptions.load(id)) == nil ? HTMLLink() : link
        case "groups": return (try? sharing.group(id)) == nil ? TogetherPages.link : link
        case "people": return (try? sharing.person(id)) == nil ? TogetherPages.link : link
        case "expenses":
            return (try? sharing.expenses())?.contains { $0.id == id } ?? false ? link : TogetherPages.link
        case "transactions":
            return (try? store.transactions.list())?.contains { $0.id == id } ?? false ? link : TransactionPages.link
        default: return link
        }
    }
}

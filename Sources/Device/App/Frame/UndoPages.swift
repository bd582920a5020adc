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
                let report = try replay(form) { try visit.store.journal.undo(entry: $0, at: visit.moment) }
                return end(visit, form, report, "undone")
            },
            gate.form("/redo") { visit, form in
                let report = try replay(form) { try visit.store.journal.redo(entry: $0, at: visit.moment) }
                return end(visit, form, report, "done")
            },
        ]
    }

    /// Only the change that the page has shown: another one may have come in between.
    private static func replay(_ form: FormFields, _ body: (Int64) throws -> JournalReport) throws -> JournalReport {
        guard let number = form["number"].flatMap({ Int64($0) }) else { throw AppRefusal.stale }
        do {
            return try body(number)
        } catch let error as DeviceStoreError
            where error == .nothingToUndo || error == .nothingToRedo || !error.faults.isEmpty
        {
            throw AppRefusal.stale
        }
    }

    private static func end(_ visit: AppVisit, _ form: FormFields, _ report: JournalReport, _ name: String) -> FormEnd {
        let place = visit.place(back(visit, form), report.entries.first.map { (name, "\($0.id)") })
        return .answer(AppResponse.seeOther(place))
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
        case "expenses": return (try? sharing.expense(id)) == nil ? TogetherPages.link : link
        case "transactions": return (try? store.transactions.load(id)) == nil ? TransactionPages.link : link
        default: return link
        }
    }
}

import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// What a restore would change.
struct RestorePreview {
    let visit: AppVisit
    let id: UUID
    /// When it was made, or the name of its file.
    let backup: String
    let report: StoreDifferences
    /// Whether something has changed since the comparison that was accepted.
    var isRepeated = false

    func page() -> [UInt8] {
        BackupPages.document(visit, visit.text("Restore this backup?")) { html in
            if isRepeated {
                html.refusal(visit.text("Something was changed since you looked. Nothing was restored; look again."))
            }
            html.facts(
                [
                    (visit.text("Now"), report.subscriptionsBefore),
                    (visit.text("Backup of \(backup)"), report.subscriptionsAfter),
                ].map { name, count in (name, visit.text("\(count) subscription|\(count) subscriptions")) })
            if report.isEmpty {
                html.hint(visit.text("This backup has exactly what is here now."), "empty")
            }
            let list = DifferenceList(visit)
            list.write(
                visit.text("Would disappear"), report.disappearing, charges: report.charges.disappearing, to: &html)
            list.write(visit.text("Would come back"), report.appearing, charges: report.charges.appearing, to: &html)
            list.write(visit.text("Would change back"), report.changing, charges: report.charges.changing, to: &html)
            if report.others > 0 {
                let count = report.others
                html.hint(
                    visit.text(
                        "\(count) more difference that no page shows|\(count) more differences that no page shows"),
                    "muted after")
            }
            writeForm(to: &html)
        }
    }

    private func writeForm(to html: inout HTMLWriter) {
        html.hint(
            visit.text("What is there now is kept as a backup; the restore can be undone.") + " "
                + visit.text("Settings stay as they are."), "after")
        html.post(HTMLLink("backups", "restore", "accept"), "actions after") { html in
            html.hidden("id", id.lowercased)
            if !report.isEmpty { html.submit(visit.text("Restore"), "danger") }
            html.linkButton(visit.text("Back"), BackupPages.link)
        }
    }
}

import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// What a restore would change.
struct RestorePreview {
    private let visit: AppVisit
    private let id: UUID
    private let backup: String
    private let report: StoreDifferences
    private let isRepeated: Bool

    /// - Parameters:
    ///   - backup: when it was made, or the name of its file.
    ///   - isRepeated: whether something has changed since the comparison that was accepted.
    init(_ visit: AppVisit, _ id: UUID, _ backup: String, _ report: StoreDifferences, isRepeated: Bool = false) {
        self.isRepeated = isRepeated
        self.visit = visit
        self.id = id
        self.backup = backup
        self.report = report
    }

    func page() -> [UInt8] {
        BackupPages.document(visit, visit.text("Restore this backup?")) { html in
            if isRepeated {
                html.add(
                    .p, .class("notice bad"), .role("alert"), .tabindex(-1), .data("focus"),
                    text: visit.text("Something was changed since you looked. Nothing was restored; look again."))
            }
            html.add(.ul, .class("waits")) { html in
                for (name, count) in [
                    (visit.text("Now"), report.subscriptionsBefore),
                    (visit.text("Backup of \(backup)"), report.subscriptionsAfter),
                ] {
                    html.add(.li) { html in
                        html.add(.b, text: name)
                        html.add(.span, text: visit.text("\(count) subscription|\(count) subscriptions"))
                    }
                }
            }
            if report.isEmpty {
                html.add(.p, .class("empty"), text: visit.text("This backup has exactly what is here now."))
            }
            let list = DifferenceList(visit)
            list.write(
                visit.text("Would disappear"), report.disappearing, charges: report.charges.disappearing, to: &html)
            list.write(visit.text("Would come back"), report.appearing, charges: report.charges.appearing, to: &html)
            list.write(visit.text("Would change back"), report.changing, charges: report.charges.changing, to: &html)
            if report.others > 0 {
                let count = report.others
                html.add(
                    .p, .class("muted after"),
                    text: visit.text(
                        "\(count) more difference that no page shows|\(count) more differences that no page shows"))
            }
            writeForm(to: &html)
        }
    }

    private func writeForm(to html: inout HTMLWriter) {
        html.add(
            .p, .class("after"),
            text: visit.text("What is there now is kept as a backup; the restore can be undone.") + " "
                + visit.text("Settings stay as they are."))
        html.add(
            .form, .methodPost, .action(HTMLLink("backups", "restore", "accept")), .class("actions after")
        ) { html in
            html.hidden("id", id.lowercased)
            if !report.isEmpty {
                html.add(.button, .type("submit"), .class("danger"), text: visit.text("Restore"))
            }
            html.add(.a, .class("button"), .href(BackupPages.link), text: visit.text("Back"))
        }
    }
}

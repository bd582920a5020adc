import DeviceWords
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

/// What would be different after a restore or an import: a list for each effect.
struct DifferenceList {
    private let visit: AppVisit
    private let wording: MergeWording

    init(_ visit: AppVisit) {
        self.visit = visit
        wording = MergeWording(visit.words, visit.moment)
    }

    /// - Parameter charges: how many charges would be different so, too.
    func write(_ title: String, _ group: StoreDifferences.Group, charges: Int = 0, to html: inout HTMLWriter) {
        guard group.count > 0 || charges > 0 else { return }
        html.section(title) { html in
            html.add(.ul, .class("waits changes wide")) { html in
                for difference in group.differences { write(difference, to: &html) }
                if charges > 0 {
                    html.add(
                        .li,
                        text: visit.text(
                            "\(charges) charge, with what was confirmed|\(charges) charges, with what was confirmed"))
                }
            }
            visit.writeMore(group.rest, to: &html)
        }
    }

    private func write(_ difference: StoreDifferences.Difference, to html: inout HTMLWriter) {
        html.add(.li) { html in
            html.add(.span, .class("entry")) { html in
                html.add(.b, text: wording.name(difference))
                html.add(.small, .class("muted"), text: wording.word(difference.kind))
                for change in difference.changes { html.add(.span, text: wording.line(change)) }
            }
            let facts =
                if let before = difference.before, let after = difference.after {
                    wording.facts(from: before, to: after)
                } else {
                    (difference.before ?? difference.after).map { wording.facts($0) } ?? ""
                }
            if !facts.isEmpty { html.add(.span, .class("price"), text: facts) }
        }
    }
}

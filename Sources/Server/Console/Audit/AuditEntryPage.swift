package import Foundation
import HTML
package import ServerAccess
import SubGuardDomain

/// One row of the audit log with the difference that it records.
package struct AuditEntryPage: ConsolePage {
    private let entry: AuditEntry
    /// The names of suggestions that still exist.
    private let suggestions: [UUID: String]

    package init(_ entry: AuditEntry, suggestions: [UUID: String] = [:]) {
        self.entry = entry
        self.suggestions = suggestions
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        let diff = FieldDiff(entry.change)
        return frame.page(.audit, title: words.text("Audit row %1", words.number(entry.sequence))) { html in
            html.crumb(ConsoleSection.audit.link, words["The audit log"])
            html.top(words.name(entry.change.action)) { html in
                if entry.sequence > 1 { html.linkButton(words["Previous row"], link(to: entry.sequence - 1)) }
                html.linkButton(words["Next row"], link(to: entry.sequence + 1))
            }
            writeFacts(diff, words, to: &html)
            html.section(words["Changed fields"]) { html in writeDiff(diff, words, to: &html) }
        }
    }

    private func link(to sequence: Int64) -> HTMLLink { HTMLLink("console", "audit", "\(sequence)") }

    private func writeFacts(_ diff: FieldDiff, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let (change, actor) = (entry.change, entry.change.actor)
        html.facts([
            Fact(words["Row"], words.number(entry.sequence)),
            Fact(words["Time"]) { $0.instant(entry.happenedAt, words) },
            Fact(words["Author"]) { html in
                html.bdi(actor.name)
                guard let id = actor.tokenID else { return }
                html.text(" ")
                html.link(
                    words["all of this token"], HTMLLink("console", "audit", query: [("token_id", id.lowercased)]))
            },
            Fact(words["Action"]) { $0.add(.code, text: change.action) },
            change.subjectID.map { id in
                Fact(words["Subject"]) { writeSubject(id.lowercased, diff.subject ?? suggestions[id], words, to: &$0) }
            },
            actor.requestID.map { id in Fact(words["Request"]) { $0.add(.code, text: id) } },
            Fact(words["Hash"]) { $0.add(.code, .class("breaks"), text: entry.hashText) },
        ])
    }

    private func writeSubject(_ id: String, _ name: String?, _ words: ConsoleWords, to html: inout HTMLWriter) {
        if let place = Self.place(of: entry.change.action, id) {
            html.link(named: name ?? words["Subject"], place)
            html.text(" ")
        }
        html.add(.code, text: id)
        html.text(" ")
        html.link(words["all of this subject"], HTMLLink("console", "audit", query: [("subject_id", id)]))
    }

    private func writeDiff(_ diff: FieldDiff, _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard !diff.rows.isEmpty else {
            return html.add(.p, .class("muted"), text: words["This action records no state."])
        }
        html.table(
            .label(words["Changed fields"]), caption: words["The state before and after; changed fields say so."],
            style: "stacked compared", of: diff.rows, row: { $0.isChanged ? .class("changed") : nil },
            [
                .heading(words["Field"]) { field, html in
                    if field.name.isEmpty { html.text(words["state"]) } else { html.add(.code, text: field.name) }
                    guard field.isChanged else { return }
                    html.text(" ")
                    html.rating(words[field.before == nil ? "added" : field.after == nil ? "removed" : "changed"])
                },
                state("Before", words, \.before), state("After", words, \.after),
            ])
    }

    private func state(
        _ name: Sentence, _ words: ConsoleWords, _ text: @escaping (FieldDiff.Row) -> String?
    ) -> TableColumn<FieldDiff.Row> {
        .text(words[name], .class("breaks")) { field, html in
            if let text = text(field) { html.bdi(text) } else { html.muted("–") }
        }
    }

    /// The page of what was changed.
    private static func place(of action: String, _ id: String) -> HTMLLink? {
        switch action.prefix(while: { $0 != "." }) {
        case "catalogue": HTMLLink("console", "catalogue", id)
        case "suggestion": HTMLLink("console", "suggestions", id)
        case "crash": HTMLLink("console", "crashes", id)
        case "token": HTMLLink("console", "access", "tokens", id)
        default: nil
        }
    }
}

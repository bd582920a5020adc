package import Backend
import HTML
import SubGuardDomain

/// One row of the audit log with the difference that it records.
package struct AuditEntryPage: Sendable {
    private let entry: AuditEntry

    package init(_ entry: AuditEntry) { self.entry = entry }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        let change = entry.change
        let diff = AuditDiff(change)
        return frame.page(.audit, title: words.text("Audit row %1", words.number(entry.sequence))) { html in
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: words.name(change.action))
                    html.add(.p) { html in
                        html.add(.a, .href(HTMLLink("console", "audit")), text: words["The audit log"])
                    }
                }
                html.add(.div, .class("actions")) { html in
                    if entry.sequence > 1 { neighbour(-1, "Previous row", words, to: &html) }
                    neighbour(1, "Next row", words, to: &html)
                }
            }
            html.add(.dl, .class("panel sheet")) { html in
                fact("Row", words, to: &html) { $0.text(words.number(entry.sequence)) }
                fact("Time", words, to: &html) { html in
                    html.add(.time, .datetime(entry.happenedAt.rfc3339), text: words.instant(entry.happenedAt))
                }
                fact("Author", words, to: &html) { html in
                    html.add(.bdi, text: change.actor.name)
                    guard let id = change.actor.tokenID else { return }
                    html.text(" ")
                    html.add(
                        .a, .href(HTMLLink("console", "audit", query: [("token_id", id.lowercased)])),
                        text: words["all of this token"])
                }
                fact("Action", words, to: &html) { $0.add(.code, text: change.action) }
                if let id = change.subjectID?.lowercased {
                    fact("Subject", words, to: &html) { html in
                        if let place = Self.place(of: change.action, id) {
                            html.add(.a, .href(place)) { html in
                                html.add(.bdi, text: diff.subject ?? words["Subject"])
                            }
                            html.text(" ")
                        }
                        html.add(.code, text: id)
                        html.text(" ")
                        html.add(
                            .a, .href(HTMLLink("console", "audit", query: [("subject_id", id)])),
                            text: words["all of this subject"])
                    }
                }
                if let id = change.actor.requestID {
                    fact("Request", words, to: &html) { $0.add(.code, text: id) }
                }
                fact("Hash", words, to: &html) { $0.add(.code, .class("breaks"), text: entry.hashText) }
            }
            writeDiff(diff, words, to: &html)
        }
    }

    private func neighbour(_ step: Int64, _ name: Sentence, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(
            .a, .class("button"), .href(HTMLLink("console", "audit", "\(entry.sequence + step)")), text: words[name])
    }

    private func fact(
        _ label: Sentence, _ words: ConsoleWords, to html: inout HTMLWriter, value: (inout HTMLWriter) -> Void
    ) {
        html.add(.div) { html in
            html.add(.dt, text: words[label])
            html.add(.dd) { value(&$0) }
        }
    }

    private func writeDiff(_ diff: AuditDiff, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: words["Changed fields"])
            guard !diff.fields.isEmpty else {
                return html.add(.p, .class("muted"), text: words["This action records no state."])
            }
            html.table(
                .label(words["Changed fields"]), caption: words["The state before and after; changed fields say so."],
                style: "stacked compared", of: diff.fields, row: { $0.isChanged ? .class("changed") : nil },
                [
                    .heading(words["Field"]) { field, html in
                        if field.name.isEmpty {
                            html.text(words["state"])
                        } else {
                            html.add(.code, text: field.name)
                        }
                        guard field.isChanged else { return }
                        html.text(" ")
                        html.add(.span, .class("rating"), text: words[kind(field)])
                    },
                    state("Before", words, \.before), state("After", words, \.after),
                ])
        }
    }

    private func state(
        _ name: Sentence, _ words: ConsoleWords, _ text: @escaping (AuditDiff.Field) -> String?
    ) -> TableColumn<AuditDiff.Field> {
        .text(words[name], .class("breaks")) { field, html in
            guard let text = text(field) else { return html.add(.span, .class("muted"), text: "–") }
            html.add(.bdi, text: text)
        }
    }

    private func kind(_ field: AuditDiff.Field) -> Sentence {
        field.before == nil ? "added" : field.after == nil ? "removed" : "changed"
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

package import Foundation
import HTML
package import ServerAccess
package import SubGuardDomain

/// The audit log: filters, rows, and the state of its chain.
package struct AuditPage: ConsolePage {
    /// The result of a verification on request.
    package enum Verification: Sendable {
        case done(AuditVerification)
        /// Another one is running.
        case busy
    }

    private let entries: [AuditEntry]
    /// How many rows an import has, by the sequence of the newest, if they are one.
    private let importSizes: [Int64: Int64]
    /// The names of suggestions that still exist.
    private let suggestions: [UUID: String]
    private let total: Int64
    private let list: ListAddress
    private let next: String?
    private let today: CalendarDay
    private let verification: Verification?

    /// - Parameter rows: if imports are joined, the entries and the one after them.
    package init(
        _ entries: [AuditEntry], following rows: [AuditEntry]? = nil, suggestions: [UUID: String] = [:],
        total: Int64, list: ListAddress, next: String?, today: CalendarDay, verification: Verification? = nil
    ) {
        self.entries = entries
        let rows = rows ?? []
        importSizes = Dictionary(
            uniqueKeysWithValues: rows.indices.filter { rows[$0].change.action == AuditAction.catalogueImport.rawValue }
                .map { index in
                    let next = index + 1 < rows.count ? rows[index + 1].sequence : 0
                    return (rows[index].sequence, rows[index].sequence - next)
                })
        self.suggestions = suggestions
        self.total = total
        self.list = list
        self.next = next
        self.today = today
        self.verification = verification
    }

    private func value(_ name: String) -> String { list[name] ?? "" }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            .audit, "Audit",
            "Every change with its author, newest first. Rows are never altered: each hash "
                + "covers the row before."
        ) { html in
            frame.csvLink(list.link([("format", "csv")]), to: &html)
            html.add(.form, .action(HTMLLink("console", "audit"))) { html in
                html.hidden("verify", "1")
                html.add(
                    .button, .type("submit"),
                    .title(words.text("Reads all %1 rows and recomputes their hashes.", words.number(total))),
                    text: words["Verify the chain"])
            }
        } main: { html in
            writeVerification(words, to: &html)
            writeFilters(frame, to: &html)
            frame.list(
                entries, empty: "No rows match",
                "Widen the days, or clear a filter. The author’s name is matched with its case.", to: &html
            ) { writeTable(words, to: &$0) }
            Paging(words.shown(entries.count, of: nil), of: list, next: next, isByTime: true).write(words, to: &html)
        }
    }

    private func writeVerification(_ words: ConsoleWords, to html: inout HTMLWriter) {
        switch verification {
        case nil: return
        case .busy:
            html.notice(.warning, text: words["Another verification is running. Try again in a moment."])
        case .done(let result):
            guard let broken = result.firstBroken else {
                return html.done(words.text("The chain is intact: %1 rows verified.", words.number(result.count)))
            }
            html.notice(.bad) { html in
                let sentence = words.text(
                    "The chain is broken at row %1: %2", words.number(broken.sequence), words.name(broken.reason))
                html.add(.p) { $0.add(.strong, text: sentence) }
                html.paragraph(words["Rows from there on cannot be trusted. Compare with a backup."])
            }
        }
    }

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        let days = [("from", "From" as Sentence), ("to", "To")].map { name, label in
            frame.dayFilter(name, label, value: value(name), maximum: today.iso, isActive: !value(name).isEmpty)
        }
        let tokenID = frame.typed("token_id", value("token_id"))
        let fields = [
            frame.choice(
                "action", "Action", every: "All", of: "actions",
                AuditAction.allCases.map { ($0.rawValue, words.name($0.rawValue)) }, chosen: value("action"))
        ]
        let ids = [
            frame.textFilter("subject_id", "Subject (id)", value: value("subject_id"), isGrowing: true),
            tokenID.isEmpty ? nil : frame.textFilter("token_id", "Token (id)", value: tokenID, isGrowing: true),
        ]
        frame.filters(HTMLLink("console", "audit")).write(
            fields + days + ids, to: &html,
            search: { frame.searchField("actor", "Author", value: value("actor"), to: &$0) }
        ) { html in
            frame.clearButton(ConsoleSection.audit.link, isNeeded: !list.parameters.isEmpty, to: &html)
        }
    }

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Audit"]), caption: words.text("Times in UTC. Rows in all: %1.", words.number(total)),
            of: entries.map { (entry: $0, diff: FieldDiff($0.change)) },
            [
                .heading(words["Action"]) { row, html in
                    let action = row.entry.change.action
                    html.add(
                        .a, .href(HTMLLink("console", "audit", "\(row.entry.sequence)")), .title(action),
                        text: words.name(action))
                },
                .instant("Time", words) { $0.entry.happenedAt },
                .text(words["Author"]) { row, html in html.bdi(row.entry.change.actor.name) },
                .text(words["Subject"]) { row, html in
                    writeSubject(row.entry, row.diff, words, to: &html)
                },
                .text(words["Changed fields"]) { row, html in
                    // The last two change with every write.
                    let changed = row.diff.changes.map(\.name).filter { !["", "updated_at", "revision"].contains($0) }
                    let isUpdate =
                        importSizes[row.entry.sequence] ?? 1 == 1 && row.entry.change.before != nil
                        && row.entry.change.after != nil
                    let names = changed.prefix(4).joined(separator: ", ") + (changed.count > 4 ? " …" : "")
                    html.muted(isUpdate && !names.isEmpty ? names : "–")
                },
            ])
    }

    private func writeSubject(
        _ entry: AuditEntry, _ diff: FieldDiff, _ words: ConsoleWords, to html: inout HTMLWriter
    ) {
        if let size = importSizes[entry.sequence], size > 1 {
            let day = entry.happenedAt.day.iso
            let query = [(name: "action", value: entry.change.action), ("from", day), ("to", day)]
            return html.link(words["\(size) item|\(size) items"], HTMLLink("console", "audit", query: query))
        }
        guard let id = entry.change.subjectID?.lowercased else { return html.muted("–") }
        html.add(.a, .href(HTMLLink("console", "audit", query: [("subject_id", id)]))) { html in
            if let subject = diff.subject ?? entry.change.subjectID.flatMap({ suggestions[$0] }) {
                html.bdi(String(subject.prefix(60)))
            } else {
                html.add(.code, text: String(id.suffix(12)))
            }
        }
    }
}

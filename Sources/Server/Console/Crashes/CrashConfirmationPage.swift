package import Backend
import HTML
import SubGuardDomain

/// Asks before crash groups, releases or symbols are deleted, and says exactly which.
package struct CrashConfirmationPage: Sendable {
    package enum Subject: Sendable {
        /// Several groups of a list.
        case groups([CrashGroup], CrashListQuery, cursor: String?)
        case group(CrashGroup)
        case releases([ReleaseHealth], days: Int)
        case symbols(SymbolFile)
    }

    private let subject: Subject
    private let idempotencyKey: String

    package init(_ subject: Subject, idempotencyKey: String) {
        self.subject = subject
        self.idempotencyKey = idempotencyKey
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        let title =
            switch subject {
            case .group: words.count(1, "Delete %1 crash group?|Delete %1 crash groups?")
            case .groups(let groups, _, _):
                words.count(Int64(groups.count), "Delete %1 crash group?|Delete %1 crash groups?")
            case .releases(let releases, _):
                words.count(Int64(releases.count), "Delete %1 release?|Delete %1 releases?")
            case .symbols: words["Remove these symbols?"]
            }
        return frame.page(.crashes, title: title) { html in
            html.add(.div, .class("confirm")) { html in
                html.add(.h1, text: title)
                html.add(.p, text: lead(words))
                writeScope(words, to: &html)
                html.add(.form, .methodPost, .action(target)) { html in
                    writeFields(to: &html)
                    html.add(.p, .class("actions")) { html in
                        html.add(.button, .type("submit"), .class("danger"), text: words[button])
                        html.add(.a, .class("button"), .href(back), text: words["Cancel"])
                    }
                }
            }
        }
    }

    private var button: Sentence {
        if case .symbols = subject { "Remove" } else { "Delete for good" }
    }

    private func lead(_ words: ConsoleWords) -> String {
        switch subject {
        case .group(let group):
            words.text(
                "This deletes %1 with releases and trends. It cannot be undone. A further report of "
                    + "the same fault makes a new group.", words.reports(group.count))
        case .groups(let groups, _, _):
            words.text(
                "This deletes %1 with releases and trends. It cannot be undone. A further report of "
                    + "the same fault makes a new group.", words.reports(groups.reduce(0) { $0 + $1.count }))
        case .releases:
            words[
                "Their sessions no longer count in the crash-free rate, and their crash reports "
                    + "count under “(other)”. This cannot be undone. Use it for invented releases."]
        case .symbols:
            words[
                "Crashes of this image show offsets again, and groups that only these names made one "
                    + "are parted. Adding the same file again restores both."]
        }
    }

    private func writeScope(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let rows: [(name: String, text: String)] =
            switch subject {
            case .group(let group): [(group.title, words.reports(group.count))]
            case .groups(let groups, _, _): groups.map { ($0.title, words.reports($0.count)) }
            case .releases(let releases, _):
                releases.map {
                    (
                        $0.release,
                        "\(words["Sessions"]): \(words.number($0.tally.sessions)), \(words.reports($0.reports))"
                    )
                }
            case .symbols(let file):
                [(file.name.isEmpty ? file.debugID : file.name, "\(file.architecture ?? "") \(file.debugID)")]
            }
        html.add(.ul, .class("waits")) { html in
            for row in rows {
                html.add(.li) { html in
                    html.add(.bdi, text: row.name)
                    html.add(.span, .class("muted"), text: row.text)
                }
            }
        }
    }

    private var target: HTMLLink {
        switch subject {
        case .group(let group): HTMLLink("console", "crashes", group.id.lowercased, "delete")
        case .groups: back
        case .releases: HTMLLink("console", "crashes", "releases")
        case .symbols(let file): HTMLLink("console", "crashes", "symbols", file.debugID, "delete")
        }
    }

    private var back: HTMLLink {
        switch subject {
        case .group(let group): HTMLLink("console", "crashes", group.id.lowercased)
        case .groups(_, let query, let cursor):
            HTMLLink("console", "crashes", query: CrashesPage.address(query, cursor: cursor))
        case .releases(_, let days): HTMLLink("console", "crashes", "releases", query: [("days", "\(days)")])
        case .symbols: HTMLLink("console", "crashes", "symbols")
        }
    }

    private func writeFields(to html: inout HTMLWriter) {
        func hidden(_ name: String, _ value: String) {
            html.hidden(name, value)
        }
        switch subject {
        case .group(let group):
            hidden("idempotency_key", idempotencyKey)
            hidden("revision", "\(group.revision)")
        case .groups(let groups, let query, let cursor):
            CrashesPage.writeHidden(query, cursor: cursor, key: idempotencyKey, to: &html)
            for group in groups { hidden("groups", "\(group.status.rawValue).\(group.id.lowercased)") }
            hidden("action", "delete")
            hidden("confirmed", "yes")
        case .releases(let releases, let days):
            hidden("idempotency_key", idempotencyKey)
            hidden("days", "\(days)")
            for release in releases { hidden("releases", release.release) }
            hidden("confirmed", "yes")
        case .symbols: hidden("idempotency_key", idempotencyKey)
        }
    }
}

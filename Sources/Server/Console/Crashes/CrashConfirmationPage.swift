import HTML
import SubGuardDomain
package import Telemetry

/// Asks before crash groups, releases or symbols are deleted, and says exactly which.
package struct CrashConfirmationPage: ConsolePage {
    package enum Subject: Sendable {
        /// Several groups of a list.
        case groups([CrashGroup], CrashListQuery, cursor: String?)
        case group(CrashGroup)
        case releases([ReleaseHealth], days: Int)
        case symbols(SymbolFile)
    }

    private let subject: Subject

    package init(_ subject: Subject) { self.subject = subject }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        let title = title(words)
        let (target, back, hidden) = form(frame)
        return frame.page(.crashes, title: title) { html in
            html.confirmation(
                title, target, hidden, button: words[isOfSymbols ? "Remove" : "Delete for good"],
                cancel: (words["Cancel"], back)
            ) { html in
                html.paragraph(lead(words))
                html.scope(scope(words))
            }
        }
    }

    private var isOfSymbols: Bool {
        if case .symbols = subject { true } else { false }
    }

    private func title(_ words: ConsoleWords) -> String {
        switch subject {
        case .group: words.count(1, "Delete %1 crash group?|Delete %1 crash groups?")
        case .groups(let groups, _, _):
            words.count(Int64(groups.count), "Delete %1 crash group?|Delete %1 crash groups?")
        case .releases(let releases, _):
            words.count(Int64(releases.count), "Delete %1 release?|Delete %1 releases?")
        case .symbols: words["Remove these symbols?"]
        }
    }

    private func lead(_ words: ConsoleWords) -> String {
        func deletion(_ groups: [CrashGroup]) -> String {
            words.text(
                "This deletes %1 with releases and trends. It cannot be undone. A further report of "
                    + "the same fault makes a new group.", words.reports(groups.reduce(0) { $0 + $1.count }))
        }
        return switch subject {
        case .group(let group): deletion([group])
        case .groups(let groups, _, _): deletion(groups)
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

    private func scope(_ words: ConsoleWords) -> [(name: String, text: String)] {
        switch subject {
        case .group(let group): [(group.title, words.reports(group.count))]
        case .groups(let groups, _, _): groups.map { ($0.title, words.reports($0.count)) }
        case .releases(let releases, _):
            releases.map { release in
                let sessions = "\(words["Sessions"]): \(words.number(release.tally.sessions))"
                return (release.release, "\(sessions), \(words.reports(release.reports))")
            }
        case .symbols(let file):
            [(file.name.isEmpty ? file.debugID : file.name, "\(file.architecture ?? "") \(file.debugID)")]
        }
    }

    /// Where the answer is sent, the way back, and the hidden fields.
    private func form(_ frame: ConsoleFrame) -> (target: HTMLLink, back: HTMLLink, hidden: [NamedValue]) {
        switch subject {
        case .group(let group):
            let path = ["console", "crashes", group.id.lowercased]
            return (
                HTMLLink(path: path + ["delete"]), HTMLLink(path: path),
                [frame.keyed(), ("revision", "\(group.revision)")]
            )
        case .groups(let groups, let query, let cursor):
            let back = HTMLLink("console", "crashes", query: CrashesPage.address(query, cursor: cursor))
            let ids = groups.map { (name: "groups", value: "\($0.status.rawValue).\($0.id.lowercased)") }
            let hidden = CrashesPage.hidden(query, cursor: cursor, frame.keyed())
            return (back, back, hidden + ids + [("action", "delete"), ("confirmed", "yes")])
        case .releases(let releases, let days):
            let back = HTMLLink("console", "crashes", "releases", query: [("days", "\(days)")])
            let names = releases.map { (name: "releases", value: $0.release) }
            return (
                HTMLLink("console", "crashes", "releases"), back,
                [frame.keyed(), ("days", "\(days)")] + names + [("confirmed", "yes")]
            )
        case .symbols(let file):
            return (
                HTMLLink("console", "crashes", "symbols", file.debugID, "delete"),
                HTMLLink("console", "crashes", "symbols"), [frame.keyed()]
            )
        }
    }
}

extension CrashOutcome {
    /// The status of a group after it; nil if there is no group.
    package var status: CrashStatus? {
        switch self {
        case .resolved: .resolved
        case .ignored: .ignored
        case .reopened: .open
        case .deleted, .notFound: nil
        }
    }
}

extension CrashAction {
    /// The status of a group after it; nil after a deletion.
    var status: CrashStatus? { CrashStatus.allCases.first { CrashAction(giving: $0) == self } }

    /// The decision that gives a group a status.
    package init(giving status: CrashStatus) {
        self =
            switch status {
            case .open: .reopen
            case .resolved: .resolve
            case .ignored: .ignore
            }
    }
}

import HTML
import SubGuardDomain
package import Telemetry

/// Asks before crash groups, releases or symbols are deleted, and says exactly which.
extension SimplePage {
    /// One group, from its page.
    package static func deletion(of group: CrashGroup) -> SimplePage {
        let page = ["console", "crashes", group.id.lowercased]
        return deletion(
            of: [group], HTMLLink(path: page + ["delete"]), [("revision", "\(group.revision)")],
            back: HTMLLink(path: page))
    }

    /// Several groups of a list.
    package static func deletion(of groups: [CrashGroup], in list: ListAddress) -> SimplePage {
        let ids = groups.map { (name: "groups", value: "\($0.status.rawValue).\($0.id.lowercased)") }
        return deletion(
            of: groups, list.here(), list.hidden + ids + [("action", "delete"), ("confirmed", "yes")],
            back: list.here())
    }

    private static func deletion(
        of groups: [CrashGroup], _ target: HTMLLink, _ hidden: [NamedValue], back: HTMLLink
    ) -> SimplePage {
        question(
            .crashes, "Delete \(groups.count) crash group?|Delete \(groups.count) crash groups?", "Delete for good",
            target, hidden, back: back
        ) { _, words, html in
            html.paragraph(
                words.text(
                    "This deletes %1 with releases and trends. It cannot be undone. A further report of "
                        + "the same fault makes a new group.", words.reports(groups.reduce(0) { $0 + $1.count })))
            html.scope(groups.map { ($0.title, words.reports($0.count)) })
        }
    }

    /// - Parameter days: of the page that lists them.
    package static func deletion(of releases: [ReleaseHealth], days: Int) -> SimplePage {
        let (page, days) = (HTMLLink("console", "crashes", "releases"), (name: "days", value: "\(days)"))
        let names = releases.map { (name: "releases", value: $0.release) }
        return question(
            .crashes, "Delete \(releases.count) release?|Delete \(releases.count) releases?", "Delete for good", page,
            [days] + names + [("confirmed", "yes")], back: HTMLLink("console", "crashes", "releases", query: [days])
        ) { _, words, html in
            html.paragraph(
                words[
                    "Their sessions no longer count in the crash-free rate, and their crash reports "
                        + "count under “(other)”. This cannot be undone. Use it for invented releases."])
            html.scope(
                releases.map { release in
                    let sessions = "\(words["Sessions"]): \(words.number(release.tally.sessions))"
                    return (release.release, "\(sessions), \(words.reports(release.reports))")
                })
        }
    }

    package static func removal(of file: SymbolFile) -> SimplePage {
        question(
            .crashes, "Remove these symbols?", "Remove",
            HTMLLink("console", "crashes", "symbols", file.debugID, "delete"),
            back: HTMLLink("console", "crashes", "symbols")
        ) { _, words, html in
            html.paragraph(
                words[
                    "Crashes of this image show offsets again, and groups that only these names made one "
                        + "are parted. Adding the same file again restores both."])
            html.scope([
                (file.name.isEmpty ? file.debugID : file.name, "\(file.architecture ?? "") \(file.debugID)")
            ])
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

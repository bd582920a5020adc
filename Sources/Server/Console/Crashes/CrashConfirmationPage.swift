import HTML
import SubGuardDomain
package import Telemetry

/// Asks before crash groups, releases or symbols are deleted, and says exactly which.
extension SimplePage {
    /// One group, from its page.
    package static func deletion(of group: CrashGroup) -> SimplePage {
        let path = ["console", "crashes", group.id.lowercased]
        return deletion(
            of: [group], HTMLLink(path: path + ["delete"]), back: HTMLLink(path: path)
        ) { [$0.keyed(), ("revision", "\(group.revision)")] }
    }

    /// Several groups of a list.
    package static func deletion(of groups: [CrashGroup], in list: ListAddress) -> SimplePage {
        let ids = groups.map { (name: "groups", value: "\($0.status.rawValue).\($0.id.lowercased)") }
        return deletion(of: groups, list.here(), back: list.here()) { frame in
            [frame.keyed()] + list.hidden + ids + [("action", "delete"), ("confirmed", "yes")]
        }
    }

    private static func deletion(
        of groups: [CrashGroup], _ target: HTMLLink, back: HTMLLink,
        hidden: @escaping @Sendable (ConsoleFrame) -> [NamedValue]
    ) -> SimplePage {
        SimplePage { frame, words in
            frame.question(
                .crashes, words.count(Int64(groups.count), "Delete %1 crash group?|Delete %1 crash groups?"), target,
                hidden(frame), button: words["Delete for good"], cancel: (words["Cancel"], back)
            ) { html in
                html.paragraph(
                    words.text(
                        "This deletes %1 with releases and trends. It cannot be undone. A further report of "
                            + "the same fault makes a new group.", words.reports(groups.reduce(0) { $0 + $1.count })))
                html.scope(groups.map { ($0.title, words.reports($0.count)) })
            }
        }
    }

    /// - Parameter days: of the page that lists them.
    package static func deletion(of releases: [ReleaseHealth], days: Int) -> SimplePage {
        SimplePage { frame, words in
            frame.question(
                .crashes, words.count(Int64(releases.count), "Delete %1 release?|Delete %1 releases?"),
                HTMLLink("console", "crashes", "releases"),
                [frame.keyed(), ("days", "\(days)")] + releases.map { (name: "releases", value: $0.release) }
                    + [("confirmed", "yes")], button: words["Delete for good"],
                cancel: (
                    words["Cancel"], HTMLLink("console", "crashes", "releases", query: [("days", "\(days)")])
                )
            ) { html in
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
    }

    package static func removal(of file: SymbolFile) -> SimplePage {
        SimplePage { frame, words in
            frame.question(
                .crashes, words["Remove these symbols?"],
                HTMLLink("console", "crashes", "symbols", file.debugID, "delete"), [frame.keyed()],
                button: words["Remove"], cancel: (words["Cancel"], HTMLLink("console", "crashes", "symbols"))
            ) { html in
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

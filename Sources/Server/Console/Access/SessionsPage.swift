package import Foundation
import HTML
package import ServerAccess
import ServerContract
import SubGuardDomain

/// The sessions of the console: one's own, or all with the permission to manage access.
package struct SessionsPage: ConsolePage {
    private let sessions: [ListedConsoleSession]
    private let currentID: UUID
    private let tokenID: UUID

    package init(_ sessions: [ListedConsoleSession], currentID: UUID, tokenID: UUID) {
        self.sessions = sessions
        self.currentID = currentID
        self.tokenID = tokenID
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        let seesAll = frame.may(.revokeAccessToken)
        return frame.page(
            seesAll ? .access : nil, "Sessions",
            seesAll
                ? "The browsers that are signed in to the console. A session ends after 12 hours "
                    + "without a request." : "The browsers in which your token is signed in."
        ) { html in
            AccessTab.write(.sessions, frame, to: &html)
            frame.notice(["one": "The session has ended.", "others": "The other sessions have ended."], to: &html)
            html.form(AccessTab.sessionsLink) { html in writeTable(words, seesAll: seesAll, to: &html) }
            writeOthers(words, seesAll: seesAll, to: &html)
        }
    }

    private var others: Int { sessions.count { $0.session.id != currentID && $0.token.id == tokenID } }
    private var everybodys: Int { sessions.count { $0.session.id != currentID } }

    private func name(of row: ListedConsoleSession, _ words: ConsoleWords) -> String {
        guard let text = row.session.browser, !text.isEmpty else { return words["unknown browser"] }
        return BrowserName.text(text) ?? String(text.prefix(40))
    }

    private func writeTable(_ words: ConsoleWords, seesAll: Bool, to html: inout HTMLWriter) {
        html.table(
            .label(words["Sessions"]), caption: words.count(Int64(sessions.count), "%1 session|%1 sessions"),
            of: sessions,
            [
                .heading(words["Browser"]) { row, html in
                    html.add(.bdi, .title(row.session.browser ?? ""), text: name(of: row, words))
                    guard row.session.id == currentID else { return }
                    html.text(" ")
                    html.rating(words["this session"], isGood: true)
                },
                seesAll
                    ? .text(words["Access token"]) { row, html in
                        html.link(named: row.token.name, row.token.link)
                        html.text(" ")
                        html.add(.small, .class("muted"), text: row.token.role.name)
                    } : nil,
                .instant("Signed in", words) { $0.session.createdAt },
                .instant("Last used", words) { $0.session.lastUsedAt },
                .actions { row, html in
                    guard row.session.id != currentID else { return }
                    let label = words.text("End the session in %1 of %2", name(of: row, words), row.token.name)
                    html.submit(
                        words["End"], .name("end"), .value(row.session.id.lowercased), .aria("label", label))
                },
            ])
    }

    private func writeOthers(_ words: ConsoleWords, seesAll: Bool, to html: inout HTMLWriter) {
        guard everybodys > 0 else { return }
        html.actions("actions below-table") { html in
            if others > 0 {
                html.linkButton(
                    words.text("End my other sessions (%1)…", words.number(Int64(others))),
                    HTMLLink("console", "sessions", query: [("end", "own")]))
            }
            if seesAll, everybodys > others {
                html.linkButton(
                    words.text("End all other sessions (%1)…", words.number(Int64(everybodys))),
                    HTMLLink("console", "sessions", query: [("end", "all")]), style: "button danger")
            }
        }
    }

    /// Asks before several sessions end.
    package func confirmation(ofAll isAll: Bool, in section: ConsoleSection?) -> SimplePage {
        let count = isAll ? everybodys : others
        return .question(
            section, "End other sessions?", "End them", AccessTab.sessionsLink, [("others", isAll ? "all" : "own")],
            isKeyed: false, cancel: "Change nothing", back: AccessTab.sessionsLink
        ) { _, words, html in
            html.paragraph(
                words.text(
                    isAll
                        ? "Other sessions, of all tokens: %1. Those browsers are signed out at once; this one "
                            + "stays signed in."
                        : "Other sessions of your token: %1. Those browsers are signed out at once; this one "
                            + "stays signed in.", words.number(Int64(count))))
        }
    }
}

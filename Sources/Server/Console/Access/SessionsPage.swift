package import Backend
package import Foundation
import HTML
import SubGuardDomain

/// The sessions of the console: one's own, or all with the permission to manage access.
package struct SessionsPage: Sendable {
    package enum Notice: Sendable {
        case one
        case others
    }

    private let sessions: [ListedConsoleSession]
    private let currentID: UUID
    private let tokenID: UUID
    private let seesAll: Bool
    private let notice: Notice?

    package init(
        _ sessions: [ListedConsoleSession], currentID: UUID, tokenID: UUID, seesAll: Bool, notice: Notice? = nil
    ) {
        self.sessions = sessions
        self.currentID = currentID
        self.tokenID = tokenID
        self.seesAll = seesAll
        self.notice = notice
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(seesAll ? .access : nil, title: words["Sessions"]) { html in
            frame.top(
                "Sessions",
                seesAll
                    ? "The browsers that are signed in to the console. A session ends after 12 hours "
                        + "without a request." : "The browsers in which your token is signed in.", to: &html)
            AccessTab.write(.sessions, frame, to: &html)
            frame.notice(
                notice.map { $0 == .one ? "The session has ended." : "The other sessions have ended." }, to: &html)
            writeTable(words, to: &html)
            writeOthers(words, to: &html)
        }
    }

    private var others: Int { sessions.count { $0.session.id != currentID && $0.token.id == tokenID } }
    private var everybodys: Int { sessions.count { $0.session.id != currentID } }

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.form, .methodPost, .action(HTMLLink("console", "sessions"))) { html in
            html.add(.div, .class("scroll"), .role("region"), .aria("label", words["Sessions"]), .tabindex(0)) {
                html in
                html.add(.table, .class("stacked")) { html in
                    html.add(
                        .caption,
                        text: words.count(Int64(sessions.count), "%1 session|%1 sessions"))
                    html.add(.thead) { html in
                        html.add(.tr) { html in
                            html.add(.th, .scope("col"), text: words["Browser"])
                            if seesAll { html.add(.th, .scope("col"), text: words["Access token"]) }
                            html.add(.th, .scope("col"), text: words["Signed in"])
                            html.add(.th, .scope("col"), text: words["Last used"])
                            html.add(.td) { _ in }
                        }
                    }
                    html.add(.tbody) { html in for row in sessions { write(row, words, to: &html) } }
                }
            }
        }
    }

    private func write(_ row: ListedConsoleSession, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let isCurrent = row.session.id == currentID
        let name = BrowserName.read(row.session.browser)
        html.add(.tr) { html in
            html.add(.th, .scope("row")) { html in
                html.add(.bdi, .title(row.session.browser ?? ""), text: name ?? words["unknown browser"])
                if isCurrent {
                    html.text(" ")
                    html.add(.span, .class("rating good"), text: words["this session"])
                }
            }
            if seesAll {
                html.add(.td, .data("label", words["Access token"])) { html in
                    html.add(.a, .href(HTMLLink("console", "access", "tokens", row.token.id.lowercased))) { html in
                        html.add(.bdi, text: row.token.name)
                    }
                    html.text(" ")
                    html.add(.small, .class("muted"), text: row.token.role.name)
                }
            }
            for (label, instant) in [
                ("Signed in" as Sentence, row.session.createdAt), ("Last used", row.session.lastUsedAt),
            ] {
                html.add(.td, .data("label", words[label])) { html in
                    html.add(.time, .datetime(instant.rfc3339), text: words.instant(instant))
                }
            }
            html.add(.td, .class("rowactions")) { html in
                guard !isCurrent else { return }
                html.add(
                    .button, .type("submit"), .name("end"), .value(row.session.id.lowercased),
                    .aria(
                        "label",
                        words.text("End the session in %1 of %2", name ?? words["unknown browser"], row.token.name)),
                    text: words["End"])
            }
        }
    }

    private func writeOthers(_ words: ConsoleWords, to html: inout HTMLWriter) {
        guard everybodys > 0 else { return }
        html.add(.p, .class("actions below-table")) { html in
            if others > 0 {
                html.add(
                    .a, .class("button"), .href(HTMLLink("console", "sessions", query: [("end", "own")])),
                    text: words.text("End my other sessions (%1)…", words.number(Int64(others))))
            }
            if seesAll, everybodys > others {
                html.add(
                    .a, .class("button danger"), .href(HTMLLink("console", "sessions", query: [("end", "all")])),
                    text: words.text("End all other sessions (%1)…", words.number(Int64(everybodys))))
            }
        }
    }

    /// Asks before several sessions end.
    package func confirmation(_ frame: ConsoleFrame, ofAll isAll: Bool) -> [UInt8] {
        let words = frame.words
        let count = words.number(Int64(isAll ? everybodys : others))
        return frame.page(seesAll ? .access : nil, title: words["End other sessions?"]) { html in
            html.add(.div, .class("top")) { $0.add(.h1, text: words["End other sessions?"]) }
            html.add(.div, .class("panel stack")) { html in
                html.add(
                    .p,
                    text: words.text(
                        isAll
                            ? "Other sessions, of all tokens: %1. Those browsers are signed out at once; this one "
                                + "stays signed in."
                            : "Other sessions of your token: %1. Those browsers are signed out at once; this one "
                                + "stays signed in.", count))
                html.add(.form, .methodPost, .action(HTMLLink("console", "sessions"))) { html in
                    html.add(.input, .type("hidden"), .name("others"), .value(isAll ? "all" : "own"))
                    html.add(.p, .class("actions")) { html in
                        html.add(.button, .type("submit"), .class("danger"), text: words["End them"])
                        html.add(
                            .a, .class("button"), .href(HTMLLink("console", "sessions")), text: words["Change nothing"])
                    }
                }
            }
        }
    }
}

/// What a browser calls itself, in a few words.
enum BrowserName {
    /// The order matters: most browsers also name the others.
    private static let browsers = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Version/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    /// Such as "Firefox, Linux"; the text itself for programs that are not known; nil for nil.
    static func read(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let browser = browsers.first { text.contains($0.0) }?.1
        let system = systems.first { text.contains($0.0) }?.1
        guard let browser else { return String(text.prefix(40)) }
        return system.map { "\(browser), \($0)" } ?? browser
    }
}

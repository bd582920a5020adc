import Foundation
package import HTML
package import PageAssets
import SubGuardContract
import SubGuardDomain

/// A page of the console: its data, which it writes in the words of a frame.
package protocol ConsolePage: Sendable {
    func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8]
}

extension ConsolePage {
    package func page(_ frame: ConsoleFrame) -> [UInt8] { page(frame, frame.words) }
}

/// A page that is written in one go, such as a question.
package struct SimplePage: ConsolePage {
    private let content: @Sendable (ConsoleFrame, ConsoleWords) -> [UInt8]

    init(_ content: @escaping @Sendable (ConsoleFrame, ConsoleWords) -> [UInt8]) { self.content = content }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] { content(frame, words) }
}

/// The frame of every page: head, navigation, account, main part.
package struct ConsoleFrame: Sendable {
    package let words: ConsoleWords
    /// Nil on pages before the sign-in.
    package let viewer: ConsoleViewer?
    /// Path and query of the request, for links that change only the language.
    private let path: [String]
    private let query: [NamedValue]
    /// Why parameters of the query were left out; each stands beside its field.
    let queryFaults: FormFaults
    /// How much waits in areas, as far as it is known.
    private let waiting: [ConsoleSection: Int64]
    /// What the address says about the form before: a code, and a value.
    let noticed: (code: String, value: String?)?
    /// A new key for the forms of the page: one that is sent twice is carried out once.
    let key = UUID().lowercased

    package init(
        words: ConsoleWords, viewer: ConsoleViewer? = nil, path: [String] = [], query: [NamedValue] = [],
        queryFaults: FormFaults = FormFaults(), waiting: [ConsoleSection: Int64] = [:],
        noticed: (code: String, value: String?)? = nil
    ) {
        self.noticed = noticed
        self.words = words
        self.viewer = viewer
        self.path = path
        self.query = query.filter { $0.name != "lang" }
        self.queryFaults = queryFaults
        self.waiting = waiting
    }

    /// What the address has for a field that was not accepted; otherwise the value that applies.
    func typed(_ name: String, _ value: String) -> String {
        guard !queryFaults.of(name).isEmpty else { return value }
        return query.first { $0.name == name }?.value ?? value
    }

    /// The hidden field with the key of a form.
    ///
    /// - Parameter part: tells the forms of a page apart that may be sent one after the other.
    func keyed(_ part: String? = nil) -> NamedValue {
        ("idempotency_key", part.map { "\(key)-\($0)" } ?? key)
    }

    /// Whether the viewer's role has the permission that a call of the API needs.
    func may(_ operation: APIOperation) -> Bool {
        guard let permission = operation.permission else { return true }
        return viewer?.permissions.contains(permission) ?? false
    }

    /// A page with navigation.
    package func page(
        _ section: ConsoleSection?, title: String, main: (inout HTMLWriter) -> Void
    ) -> [UInt8] {
        document(title: title) { html in
            html.add(.a, .class("skip"), .href(.fragment("main")), text: words["Skip to content"])
            html.add(.div, .class("frame")) { html in
                html.add(.header, .class("side")) { html in writeSide(section, to: &html) }
                html.add(.main, .id("main"), .tabindex(-1)) { html in main(&html) }
            }
        }
    }

    /// A page with a single narrow column, for the sign-in and errors.
    ///
    /// - Parameter lead: below the heading.
    package func card(
        title: String, heading: String? = nil, lead: String? = nil, main: (inout HTMLWriter) -> Void
    ) -> [UInt8] {
        document(title: title) { html in
            html.add(.main, .class("card"), .id("main")) { html in
                html.add(.p, .class("brand")) { html in
                    html.icon(ConsoleAsset.icons.link, "mark", .class("icon"))
                    html.text("SubGuard")
                }
                html.add(.h1, text: heading ?? title)
                if let lead { html.add(.p, .class("lead"), text: lead) }
                main(&html)
                html.add(.p, .class("languages")) { html in writeLanguages(to: &html) }
            }
        }
    }

    private func document(title: String, body: (inout HTMLWriter) -> Void) -> [UInt8] {
        var html = HTMLWriter(capacity: 16_384)
        html.doctype()
        html.add(.html, .lang(words.language.rawValue)) { html in
            html.head(
                title: title, icon: ConsoleAsset.favicon, styles: [ConsoleAsset.base, ConsoleAsset.styles],
                script: ConsoleAsset.script)
            html.add(.body) { html in body(&html) }
        }
        return html.bytes
    }

    // MARK: Navigation

    private func writeSide(_ section: ConsoleSection?, to html: inout HTMLWriter) {
        html.add(.div, .class("bar")) { html in
            html.add(.a, .class("brand"), .href(ConsoleSection.overview.link)) { html in
                html.icon(ConsoleAsset.icons.link, "mark", .class("icon"))
                html.text("SubGuard")
            }
            html.add(.button, .class("menu"), .type("button"), .popoverTarget("nav")) { html in
                html.icon(ConsoleAsset.icons.link, "menu", .class("icon"))
                html.text(words["Menu"])
            }
        }
        html.add(.div, .class("nav"), .id("nav"), .popover) { html in
            html.add(.form, .class("find"), .role("search"), .action(HTMLLink("console", "search"))) { html in
                html.add(
                    .input, .type("search"), .name("q"), .data("find"), .maxLength(200),
                    .aria("label", words["Search everything"]), .placeholder(words["Search"]))
            }
            html.add(.nav, .aria("label", words["Pages"])) { html in
                for (name, sections) in ConsoleSection.groups {
                    let items = sections.filter { viewer?.mayOpen($0) ?? false }
                    guard !items.isEmpty else { continue }
                    html.add(.ul, .aria("label", words[name])) { html in
                        for item in items { write(item, isCurrent: item == section, to: &html) }
                    }
                }
            }
            writeAccount(to: &html)
        }
    }

    private func write(_ item: ConsoleSection, isCurrent: Bool, to html: inout HTMLWriter) {
        html.add(.li) { html in
            html.add(.a, .href(item.link), isCurrent ? .aria("current", "page") : nil) { html in
                html.icon(ConsoleAsset.icons.link, item.entry.icon, .class("icon"))
                html.text(words[item.entry.name])
                guard let count = waiting[item], count > 0 else { return }
                html.add(.small, .aria("label", words["\(count) waits|\(count) wait"]), .role("img")) { html in
                    html.text(words.number(count))
                }
            }
        }
    }

    private func writeAccount(to html: inout HTMLWriter) {
        guard let viewer else { return }
        html.add(.div, .class("account")) { html in
            html.add(.p, .class("who"), .title(words.text("Signed in as %1, role %2", viewer.name, viewer.role))) {
                html in
                html.add(.bdi, text: viewer.name)
                html.add(.small, text: viewer.role)
            }
            html.add(.p, .class("languages")) { html in writeLanguages(to: &html) }
            html.add(.p, .class("languages")) { html in
                html.link(words["Sessions"], AccessTab.sessionsLink)
                html.add(.a, .href(HTMLLink("console", "keys")), .data("keys"), text: words["Keys"])
            }
            html.postButton(words["Sign out"], HTMLLink("console", "logout"), [], .class("quiet"))
        }
    }

    private func writeLanguages(to html: inout HTMLWriter) {
        for language in ConsoleLanguage.allCases {
            let link = HTMLLink(path: path, query: query + [("lang", language.rawValue)])
            html.add(
                .a, .href(link), .lang(language.rawValue), .hreflang(language.rawValue),
                language == words.language ? .aria("current", "true") : nil, text: language.name)
        }
    }
}

/// The files that pages of the console refer to.
package enum ConsoleAsset {
    private static let folder = ["console", "assets"]

    static let base = PageAsset(EmbeddedAsset.baseCSS, in: folder)
    static let styles = PageAsset(EmbeddedAsset.consoleCSS, in: folder)
    static let script = PageAsset(EmbeddedAsset.consoleJS, in: folder)
    static let icons = PageAsset(EmbeddedAsset.iconsSVG, in: folder)
    static let favicon = PageAsset(EmbeddedAsset.faviconSVG, in: folder)

    package static let all = [base, styles, script, icons, favicon]
}

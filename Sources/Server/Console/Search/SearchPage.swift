package import HTML
import SubGuardDomain

/// The search over everything that the viewer may see.
package struct SearchPage: ConsolePage {
    /// What was found, with what tells it from others of the same name.
    package typealias Hit = (name: String, detail: String, link: HTMLLink)
    /// The hits of an area, and its own list with the same search.
    package typealias Group = (area: ConsoleSection, hits: [Hit], more: HTMLLink)

    private let text: String
    /// Areas that the viewer may open.
    private let groups: [Group]

    package init(_ text: String, _ groups: [Group]) {
        self.text = text
        self.groups = groups
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            nil, "Search everything", "Items, suggestions, crashes and the audit log, as far as your role may see them."
        ) { html in
            frame.filters(HTMLLink("console", "search"), isSearch: false, submit: "Search").write(
                [], to: &html, search: { frame.searchField(value: text, to: &$0) })
            guard !text.isEmpty else { return }
            let found = groups.filter { !$0.hits.isEmpty }
            frame.list(
                found, empty: "Nothing found",
                "Audit rows are found by the author’s name, with its case, or by the id of their subject.", to: &html
            ) { html in for group in found { write(group, words, to: &html) } }
        }
    }

    private func write(_ group: Group, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.section(words[group.area.entry.name]) { html in
            html.rows(group.hits) { hit, html in
                html.link(named: hit.name, hit.link)
                html.add(.span, .class("muted")) { $0.bdi(hit.detail) }
            }
            html.add(.p, .class("below-table")) { html in
                html.link(words.text("Continue in: %1", words[group.area.entry.name]), group.more)
            }
        }
    }
}

extension ConsoleWords {
    /// The action of an audit row in words.
    package func auditAction(_ action: String) -> String { name(action) }
}

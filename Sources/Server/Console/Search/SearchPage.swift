package import HTML
import SubGuardDomain

/// What was found, with what tells it from others of the same name.
package typealias SearchHit = (name: String, detail: String, link: HTMLLink)
/// The hits of an area, and its own list with the same search.
package typealias SearchGroup = (area: ConsoleSection, hits: [SearchHit], more: HTMLLink)

extension SimplePage {
    /// The search over everything that the viewer may see.
    ///
    /// - Parameter groups: of areas that the viewer may open.
    package static func search(_ text: String, _ groups: [SearchGroup]) -> SimplePage {
        SimplePage { frame, words in
            frame.page(
                nil, "Search everything",
                "Items, suggestions, crashes and the audit log, as far as your role may see them."
            ) { html in
                frame.filters(HTMLLink("console", "search"), isSearch: false, submit: "Search").write(
                    [], to: &html, search: { frame.searchField(value: text, to: &$0) })
                guard !text.isEmpty else { return }
                let found = groups.filter { !$0.hits.isEmpty }
                frame.list(
                    found, empty: "Nothing found",
                    "Audit rows are found by the author’s name, with its case, or by the id of their subject.",
                    to: &html
                ) { html in for group in found { write(group, words, to: &html) } }
            }
        }
    }

    private static func write(_ group: SearchGroup, _ words: ConsoleWords, to html: inout HTMLWriter) {
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

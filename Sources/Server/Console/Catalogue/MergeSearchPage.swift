package import Backend
import Foundation
import HTML
package import SubGuardDomain

/// The choice of the item that an item is merged with: similar ones, or those that a search finds.
package struct MergeSearchPage: Sendable {
    /// Another item, and what would move.
    package struct Candidate: Sendable {
        let item: CatalogueItem
        let uses: CatalogueItemUses

        package init(_ item: CatalogueItem, _ uses: CatalogueItemUses) {
            self.item = item
            self.uses = uses
        }
    }

    private let item: CatalogueItem
    private let address: CatalogueAddress
    private let search: String
    private let candidates: [Candidate]

    /// - Parameter candidates: what the search finds; without a search, similar items.
    package init(item: CatalogueItem, address: CatalogueAddress, search: String, candidates: [Candidate]) {
        self.item = item
        self.address = address
        self.search = search
        self.candidates = candidates
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        let title = words.text("Merge %1 with…", item.name)
        return frame.page(.catalogue, title: title) { html in
            html.crumb(address.link(to: item.id), words["Back to the item"])
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: title)
                    html.add(
                        .p,
                        text: words[
                            "Choose the other item. The next page asks which one stays and which values it gets; "
                                + "nothing is merged before."])
                }
            }
            frame.writeQueryFaults(to: &html)
            frame.filters(
                HTMLLink("console", "catalogue", item.id.lowercased, "merge"), hidden: address.parameters,
                submit: "Search"
            ).write(
                [], to: &html,
                search: {
                    frame.searchField("item", "Search the catalogue for another item", value: search, to: &$0)
                })
            let caption = search.isEmpty ? words["Similar items"] : words["Items found"]
            if candidates.isEmpty {
                html.add(
                    .p, .class("muted"), .role("status"),
                    text: words[search.isEmpty ? "No item of the catalogue is similar." : "No item matches"])
            } else {
                html.add(.section, .class("stack")) { html in
                    html.add(.h2, text: caption)
                    writeTable(caption, words, to: &html)
                }
            }
        }
    }

    private func writeTable(_ caption: String, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(caption), caption: caption, unseen: true, of: candidates,
            [
                .heading(words["Name"]) { candidate, html in
                    let other = candidate.item
                    ItemMark.writeNamed(
                        other, HTMLLink("console", "catalogue", other.id.lowercased),
                        "\(other.slug) · \(other.category)", to: &html)
                },
                .number(words["Additions"]) { words.number($0.uses.additions) },
                .number(words["Suggested names"]) { words.number($0.uses.suggestions) },
                .number(words["Aliases"]) { words.number(Int64($0.item.aliases.count)) },
                .actions { candidate, html in
                    let pair = [item.id, candidate.item.id].map(\.lowercased)
                    html.add(
                        .a, .class("button"), .href(HTMLLink(path: ["console", "catalogue", "duplicates"] + pair)),
                        .aria("label", words.text("Merge %1 with %2", item.name, candidate.item.name)),
                        text: words["Merge…"])
                },
            ])
    }
}

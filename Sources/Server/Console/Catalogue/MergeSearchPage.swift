package import Catalogue
import HTML
package import SubGuardDomain

/// The choice of the item that an item is merged with: similar ones, or those that a search finds.
package struct MergeSearchPage: ConsolePage {
    /// Another item, and what would move.
    package typealias Candidate = (item: CatalogueItem, uses: CatalogueItemUses)

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

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        let title = words.text("Merge %1 with…", item.name)
        return frame.page(.catalogue, title: title) { html in
            html.crumb(address.link(to: item.id), words["Back to the item"])
            html.top(
                title,
                lead: words[
                    "Choose the other item. The next page asks which one stays and which values it gets; "
                        + "nothing is merged before."])
            frame.writeQueryFaults(to: &html)
            frame.itemSearch(
                HTMLLink("console", "catalogue", item.id.lowercased, "merge"), address.parameters, search, to: &html)
            guard !candidates.isEmpty else {
                let none: Sentence = search.isEmpty ? "No item of the catalogue is similar." : "No item matches"
                return html.add(.p, .class("muted"), .role("status"), text: words[none])
            }
            let caption = search.isEmpty ? words["Similar items"] : words["Items found"]
            html.section(caption, style: "stack") { html in writeTable(caption, words, to: &html) }
        }
    }

    private func writeTable(_ caption: String, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(caption), caption: caption, unseen: true, of: candidates,
            [
                .heading(words["Name"]) { candidate, html in ItemMark.writeNamed(candidate.item, words, to: &html) },
                .number(words["Additions"]) { words.number($0.uses.additions) },
                .number(words["Suggested names"]) { words.number($0.uses.suggestions) },
                .number(words["Aliases"]) { words.number(Int64($0.item.aliases.count)) },
                .actions { candidate, html in
                    html.linkButton(
                        words["Merge…"], MergePage.link(item.id, candidate.item.id),
                        label: words.text("Merge %1 with %2", item.name, candidate.item.name))
                },
            ])
    }
}

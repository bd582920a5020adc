import Catalogue
import HTML
import ServerContract
import SubGuardDomain

extension SuggestionPage {
    func writeName(_ item: CatalogueItem, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        ItemMark(item).write(to: &html)
        html.add(.span, .class("titled")) { html in
            if frame.may(.adminCatalogueItem) {
                html.link(named: item.name, HTMLLink("console", "catalogue", item.id.lowercased))
            } else {
                html.bdi(item.name)
            }
            html.add(
                .small, .class("muted"),
                text: "\(frame.words.category(item.category)) · \(frame.words.money(item.typicalAmount))")
        }
    }

    func writeSimilar(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.section(words["Similar items"], style: "stack", id: "similar") { html in
            if nearest.isEmpty {
                html.add(.p, .class("muted"), text: words["No item of the catalogue is similar."])
            } else {
                writeCandidates(nearest, words["Similar items"], frame, to: &html)
            }
            frame.itemSearch(link(), list.hidden, search, to: &html)
            guard !search.isEmpty else { return }
            if found.isEmpty {
                html.add(.p, .role("status"), text: words["No item matches"])
            } else {
                writeCandidates(found, words["Search the catalogue for another item"], frame, to: &html)
            }
        }
    }

    func writeCandidates(
        _ candidates: [Candidate], _ caption: String, _ frame: ConsoleFrame, to html: inout HTMLWriter
    ) {
        let words = frame.words
        let isScored = candidates.contains { $0.score != nil }
        html.form(link("merge"), hidden("merge", frame)) { html in
            html.table(
                .label(caption), caption: caption, unseen: true, of: candidates,
                [
                    .heading(words["Name"]) { candidate, html in
                        html.add(.span, .class("named")) { html in writeName(candidate.item, frame, to: &html) }
                    },
                    .text(words["Aliases"], isLabelled: false, .class("names")) {
                        $0.item.aliases.prefix(5).joined(separator: ", ")
                    },
                    isScored ? .number(words["Score"]) { $0.score.map { "\($0)" } ?? "" } : nil,
                    .actions { candidate, html in
                        let item = candidate.item
                        html.submit(
                            words["Add as alias"], .name("merge_into"), .value(item.id.lowercased),
                            .aria("label", words.text("Add %1 as an alias of %2", group.name, item.name)))
                    },
                ])
        }
    }
}

package import Catalogue
package import Foundation
import HTML
package import SubGuardDomain

/// Two items side by side: which one stays, and which value each field gets.
package struct MergePage: ConsolePage {
    /// One of the two; the raw value is that of the radio buttons.
    package enum Side: String, Sendable, CaseIterable {
        case first, second

        package var other: Side { self == .first ? .second : .first }
    }

    /// The fields of which one value is chosen. The currency goes with the amount; aliases of both are kept.
    package static let fields = CatalogueForms.edit.fields.map(\.name).filter { !["currency", "aliases"].contains($0) }

    private let items: [(side: Side, item: CatalogueItem, values: FormValues)]
    private let uses: [UUID: CatalogueItemUses]
    private let primary: Side
    private let chosen: [String: Side]
    private let faults: FormFaults
    private let hasChanged: Bool

    /// - Parameters:
    ///   - uses: how much each of the two is used.
    ///   - primary: the item that stays.
    ///   - chosen: the side of each field, if it is not that of `primary`.
    package init(
        _ first: (item: CatalogueItem, values: FormValues), _ second: (item: CatalogueItem, values: FormValues),
        uses: [UUID: CatalogueItemUses], primary: Side = .first, chosen: [String: Side] = [:],
        faults: FormFaults = FormFaults(), hasChanged: Bool = false
    ) {
        items = [(.first, first.item, first.values), (.second, second.item, second.values)]
        self.uses = uses
        self.primary = primary
        self.chosen = chosen
        self.faults = faults
        self.hasChanged = hasChanged
    }

    static func link(_ first: UUID, _ second: UUID) -> HTMLLink {
        HTMLLink("console", "catalogue", "duplicates", first.lowercased, second.lowercased)
    }

    /// The text of a field; an amount has its currency.
    private static func text(_ name: String, of values: FormValues, _ words: ConsoleWords) -> String {
        name == "typical_amount"
            ? "\(values[name]) \(values["currency"])" : CatalogueForms.text(name, values[name], words)
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            .catalogue, "Merge two items",
            "Choose the item that stays and, for each field, the value that it gets. Names and "
                + "aliases of both stay as aliases; approved suggestions and the ranking follow. The "
                + "id of the other one leads to the item that stays, on devices too.",
            back: ("Back: they are different", DuplicatesPage.link)
        ) { html in
            CatalogueForms.edit.writeSummary(faults, words, to: &html)
            if hasChanged { frame.changedMeanwhile(to: &html) }
            let revisions = items.map { (name: "revision_\($0.side.rawValue)", value: "\($0.item.revision)") }
            html.form(Self.link(items[0].item.id, items[1].item.id), [frame.keyed()] + revisions) { html in
                writeTable(words, to: &html)
                html.actions("actions paging") { $0.submit(words["Merge"], .class("primary")) }
            }
        }
    }

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.div, .class("scroll"), .role("region"), .aria("label", words["Merge two items"]), .tabindex(0)) {
            html in
            html.add(.table, .class("stacked sides")) { html in
                html.add(.caption, .class("unseen"), text: words["Merge two items"])
                html.add(.thead) { html in
                    html.add(.tr) { html in
                        html.add(.td) { _ in }
                        for (_, item, _) in items {
                            html.add(.th, .scope("col")) { html in
                                html.add(.span, .class("named")) { html in
                                    ItemMark(item).write(to: &html)
                                    html.bdi(item.name)
                                }
                            }
                        }
                    }
                }
                html.add(.tbody) { html in writeRows(words, to: &html) }
            }
        }
    }

    private func writeRows(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.tr) { html in
            html.add(.th, .scope("row"), text: words["Stays"])
            for (side, item, _) in items {
                html.add(.td) { html in
                    let text = words.text("Keep %1 and its id", item.name)
                    radio("primary", side, primary, text, item.id.lowercased, &html)
                }
            }
        }
        for name in Self.fields { write(name, words, to: &html) }
        // What moves to the item that stays.
        let moving: [(name: Sentence, count: (CatalogueItem) -> Int64)] = [
            ("Aliases", { Int64($0.aliases.count) }), ("Suggested names", { uses[$0.id]?.suggestions ?? 0 }),
            ("Additions", { uses[$0.id]?.additions ?? 0 }),
        ]
        for (name, count) in moving {
            html.add(.tr) { html in
                html.add(.th, .scope("row"), text: words[name])
                for (_, item, _) in items { html.add(.td, text: words.number(count(item))) }
            }
        }
    }

    private func write(_ name: String, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let texts = items.map { Self.text(name, of: $0.values, words) }
        func shown(_ text: String) -> String { text.isEmpty ? words["(empty)"] : text }
        html.add(.tr) { html in
            html.add(.th, .scope("row"), text: CatalogueForms.label(name, words))
            guard texts[0] != texts[1] else {
                return html.add(.td, .columnSpan(2)) { html in
                    html.bdi(shown(texts[0]))
                    html.text(" ")
                    html.add(.small, .class("muted"), text: words["same in both"])
                }
            }
            // A value is better than none.
            let preferred = texts[primary == .first ? 0 : 1].isEmpty ? primary.other : primary
            for (side, text) in zip(Side.allCases, texts) {
                html.add(.td) { html in
                    radio("use_\(name)", side, chosen[name] ?? preferred, shown(text), nil, &html)
                }
            }
        }
    }

    private func radio(
        _ name: String, _ side: Side, _ chosen: Side, _ text: String, _ note: String?, _ html: inout HTMLWriter
    ) {
        html.add(.label, .class("choice")) { html in
            html.add(
                .input, .type("radio"), .name(name), .value(side.rawValue), side == chosen ? .checked : nil)
            html.add(.span, .class("titled")) { html in
                html.bdi(text)
                if let note { html.add(.small, .class("muted"), text: note) }
            }
        }
    }
}

/// Another item, and what would move.
package typealias MergeCandidate = (item: CatalogueItem, uses: CatalogueItemUses)

extension SimplePage {
    /// The choice of the item that an item is merged with: similar ones, or those that a search finds.
    package static func mergeSearch(
        _ item: CatalogueItem, address: ListAddress, search: String, candidates: [MergeCandidate]
    ) -> SimplePage {
        SimplePage { frame, words in
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
                    HTMLLink("console", "catalogue", item.id.lowercased, "merge"), address.parameters, search,
                    to: &html)
                guard !candidates.isEmpty else {
                    let none: Sentence = search.isEmpty ? "No item of the catalogue is similar." : "No item matches"
                    return html.add(.p, .class("muted"), .role("status"), text: words[none])
                }
                let caption = search.isEmpty ? words["Similar items"] : words["Items found"]
                html.section(caption, style: "stack") { html in
                    html.table(
                        .label(caption), caption: caption, unseen: true, of: candidates,
                        [
                            .heading(words["Name"]) { ItemMark.writeNamed($0.item, words, to: &$1) },
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
        }
    }
}

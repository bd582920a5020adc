package import Backend
package import Foundation
import HTML
package import SubGuardDomain

/// Pairs of items that may be the same service.
package struct DuplicatesPage: Sendable {
    package struct Pair: Sendable {
        let duplicate: CatalogueDuplicate
        let first: CatalogueItem
        let second: CatalogueItem

        package init(_ duplicate: CatalogueDuplicate, _ first: CatalogueItem, _ second: CatalogueItem) {
            self.duplicate = duplicate
            self.first = first
            self.second = second
        }
    }

    /// What a button of a row, or of the notice after it, did with two items.
    package struct Decision: Sendable {
        let first: CatalogueItem
        let second: CatalogueItem
        /// Otherwise the pair is back in the list.
        let isDismissed: Bool

        package init(_ first: CatalogueItem, _ second: CatalogueItem, isDismissed: Bool) {
            self.first = first
            self.second = second
            self.isDismissed = isDismissed
        }
    }

    private let pairs: [Pair]
    private let count: Int
    private let minimumScore: Int
    /// Nil on the first page.
    private let cursor: String?
    private let next: String?
    private let mayEdit: Bool
    private let decision: Decision?
    private let faults: FormFaults

    package init(
        pairs: [Pair], count: Int, minimumScore: Int, cursor: String?, next: String?, mayEdit: Bool,
        decision: Decision? = nil, faults: FormFaults = FormFaults()
    ) {
        self.pairs = pairs
        self.count = count
        self.minimumScore = minimumScore
        self.cursor = cursor
        self.next = next
        self.mayEdit = mayEdit
        self.decision = decision
        self.faults = faults
    }

    private static let scores = [100, 90, 80, 70, 60]

    private func link(_ score: Int, cursor: String? = nil) -> HTMLLink {
        var query = [(name: "min_score", value: "\(score)")]
        if let cursor { query.append(("cursor", cursor)) }
        return HTMLLink("console", "catalogue", "duplicates", query: query)
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.catalogue, title: words["Duplicates"]) { html in
            html.crumb(HTMLLink("console", "catalogue"), words["Back to the list"])
            frame.top(
                "Duplicates", "Pairs of items with similar names or the same website, most similar first.", to: &html)
            if let decision { write(decision, words, to: &html) }
            if !faults.isEmpty { FormNotice.refused(faults.refusals, words, to: &html) }
            html.chips(
                words["Score"],
                Self.scores.map { score in
                    Chip(words.text("From %1", "\(score)"), link(score), isCurrent: score == minimumScore)
                })
            if pairs.isEmpty {
                frame.empty(
                    "No likely duplicates", "Lower the score to see pairs that resemble each other less.", to: &html)
            } else {
                writeTable(words, to: &html)
            }
            Paging(
                summary: words.text(
                    "%1 of %2 pairs shown", words.number(Int64(pairs.count)), words.number(Int64(count))),
                first: cursor == nil ? nil : link(minimumScore), next: next.map { link(minimumScore, cursor: $0) }
            ).write(words, to: &html)
        }
    }

    private func write(_ decision: Decision, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let (first, second) = (decision.first.name, decision.second.name)
        guard decision.isDismissed else {
            return FormNotice.done(words.text("%1 and %2 are listed again.", first, second), to: &html)
        }
        html.add(.div, .class("notice good"), .role("status"), .tabindex(-1), .data("focus")) { html in
            html.add(
                .p, text: words.text("%1 and %2 are different services and are no longer listed.", first, second))
            guard mayEdit else { return }
            writeForm("restore", decision.first, decision.second, to: &html) { html in
                html.add(.button, .type("submit"), text: words["Undo"])
            }
        }
    }

    private func writeForm(
        _ action: String, _ first: CatalogueItem, _ second: CatalogueItem, to html: inout HTMLWriter,
        button: (inout HTMLWriter) -> Void
    ) {
        html.add(.form, .methodPost, .action(link(minimumScore, cursor: cursor))) { html in
            html.hidden("list_min_score", "\(minimumScore)")
            if let cursor { html.hidden("list_cursor", cursor) }
            html.hidden("action", action)
            html.hidden("first", first.id.lowercased)
            html.hidden("second", second.id.lowercased)
            button(&html)
        }
    }

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Duplicates"]), caption: words["Duplicates"], unseen: true, of: pairs,
            [
                .heading(words["Items"]) { pair, html in
                    html.add(.div, .class("pair")) { html in
                        for item in [pair.first, pair.second] {
                            ItemMark.writeNamed(
                                item, HTMLLink("console", "catalogue", item.id.lowercased),
                                "\(item.slug) · \(item.category)", to: &html)
                        }
                    }
                },
                .number(words["Score"]) { "\($0.duplicate.score)" },
                .text(words["Why"]) { $0.duplicate.reasons.map { words.name($0) }.joined(separator: ", ") },
                .actions { pair, html in
                    html.add(
                        .a, .class("button"),
                        .href(
                            HTMLLink(
                                "console", "catalogue", "duplicates", pair.first.id.lowercased,
                                pair.second.id.lowercased)),
                        .aria("label", words.text("Compare %1 and %2", pair.first.name, pair.second.name)),
                        text: words["Compare"])
                    guard mayEdit else { return }
                    writeForm("dismiss", pair.first, pair.second, to: &html) { html in
                        html.add(
                            .button, .type("submit"),
                            .aria(
                                "label", words.text("%1 and %2 are no duplicates", pair.first.name, pair.second.name)),
                            text: words["Not a duplicate"])
                    }
                },
            ])
    }
}

/// Two items side by side: which one stays, and which value each field gets.
package struct MergePage: Sendable {
    /// One of the two; the raw value is that of the radio buttons.
    package enum Side: String, Sendable, CaseIterable {
        case first, second

        package var other: Side { self == .first ? .second : .first }
    }

    /// The fields of which one value is chosen. Aliases of both are kept.
    package static let fields = [
        "name", "slug", "category", "typical_amount", "billing_cycle", "website", "cancel_url", "notice_days",
    ]

    private let items: [Side: (item: CatalogueItem, values: FormValues)]
    private let uses: [UUID: CatalogueItemUses]
    private let primary: Side
    private let chosen: [String: Side]
    private let idempotencyKey: String
    private let faults: FormFaults
    private let hasChanged: Bool

    /// - Parameters:
    ///   - uses: how much each of the two is used.
    ///   - primary: the item that stays.
    ///   - chosen: the side of each field, if it is not that of `primary`.
    package init(
        _ first: (item: CatalogueItem, values: FormValues), _ second: (item: CatalogueItem, values: FormValues),
        uses: [UUID: CatalogueItemUses], primary: Side = .first, chosen: [String: Side] = [:], idempotencyKey: String,
        faults: FormFaults = FormFaults(), hasChanged: Bool = false
    ) {
        items = [.first: first, .second: second]
        self.uses = uses
        self.primary = primary
        self.chosen = chosen
        self.idempotencyKey = idempotencyKey
        self.faults = faults
        self.hasChanged = hasChanged
    }

    /// The text of a field; an amount has its currency.
    package static func text(_ name: String, of values: FormValues) -> String {
        name == "typical_amount" ? "\(values[name]) \(values["currency"])" : values[name]
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.catalogue, title: words["Merge two items"]) { html in
            html.crumb(HTMLLink("console", "catalogue", "duplicates"), words["Back: they are different"])
            frame.top(
                "Merge two items",
                "Choose the item that stays and, for each field, the value that it gets. Names and "
                    + "aliases of both stay as aliases; approved suggestions and the ranking follow. The "
                    + "id of the other one leads to the item that stays, on devices too.", to: &html)
            CatalogueForms.edit.writeSummary(faults, words, to: &html)
            if hasChanged {
                html.add(
                    .p, .class("notice warn"), .role("alert"),
                    text: words["The item was changed meanwhile. This is its present state; check it before you go on."]
                )
            }
            let ids = Side.allCases.compactMap { items[$0]?.item.id.lowercased }
            html.add(
                .form, .methodPost, .action(HTMLLink(path: ["console", "catalogue", "duplicates"] + ids))
            ) { html in
                html.hidden("idempotency_key", idempotencyKey)
                for side in Side.allCases {
                    guard let item = items[side]?.item else { continue }
                    html.hidden("revision_\(side.rawValue)", "\(item.revision)")
                }
                writeTable(words, to: &html)
                html.add(.p, .class("actions paging")) { html in
                    html.add(.button, .type("submit"), .class("primary"), text: words["Merge"])
                }
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
                        for side in Side.allCases {
                            guard let item = items[side]?.item else { continue }
                            html.add(.th, .scope("col")) { html in
                                html.add(.span, .class("named")) { html in
                                    ItemMark(item).write(to: &html)
                                    html.add(.bdi, text: item.name)
                                }
                            }
                        }
                    }
                }
                html.add(.tbody) { html in
                    html.add(.tr) { html in
                        html.add(.th, .scope("row"), text: words["Stays"])
                        for side in Side.allCases {
                            guard let item = items[side]?.item else { continue }
                            html.add(.td) { html in
                                radio(
                                    "primary", side, primary, words.text("Keep %1 and its id", item.name),
                                    item.id.lowercased,
                                    &html)
                            }
                        }
                    }
                    for name in Self.fields { write(name, words, to: &html) }
                    writeMoving("Aliases", words, to: &html) { $0.aliases.count }
                    writeMoving("Suggested names", words, to: &html) { uses[$0.id].map { Int($0.suggestions) } ?? 0 }
                    writeMoving("Additions", words, to: &html) { uses[$0.id].map { Int($0.additions) } ?? 0 }
                }
            }
        }
    }

    /// What moves to the item that stays: a number of each.
    private func writeMoving(
        _ name: Sentence, _ words: ConsoleWords, to html: inout HTMLWriter, count: (CatalogueItem) -> Int
    ) {
        html.add(.tr) { html in
            html.add(.th, .scope("row"), text: words[name])
            for side in Side.allCases {
                guard let item = items[side]?.item else { continue }
                html.add(.td, text: words.number(Int64(count(item))))
            }
        }
    }

    private func write(_ name: String, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let texts = Side.allCases.compactMap { items[$0].map { Self.text(name, of: $0.values) } }
        html.add(.tr) { html in
            html.add(.th, .scope("row"), text: CatalogueForms.label(name, words))
            guard let first = texts.first, let second = texts.last else { return }
            if first == second {
                html.add(.td, .columnSpan(2)) { html in
                    html.add(.bdi, text: first.isEmpty ? words["(empty)"] : first)
                    html.text(" ")
                    html.add(.small, .class("muted"), text: words["same in both"])
                }
                return
            }
            // A value is better than none.
            let preferred = texts[primary == .first ? 0 : 1].isEmpty ? primary.other : primary
            for (side, text) in zip(Side.allCases, texts) {
                html.add(.td) { html in
                    radio(
                        "use_\(name)", side, chosen[name] ?? preferred, text.isEmpty ? words["(empty)"] : text, nil,
                        &html)
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
                html.add(.bdi, text: text)
                if let note { html.add(.small, .class("muted"), text: note) }
            }
        }
    }
}

package import Catalogue
import HTML
import ServerContract
package import SubGuardDomain

/// Pairs of items that may be the same service.
package struct DuplicatesPage: ConsolePage {
    package typealias Pair = (duplicate: CatalogueDuplicate, first: CatalogueItem, second: CatalogueItem)
    /// What a button of a row, or of the notice after it, did with two items: dismissed, or back in the list.
    package typealias Decision = (first: CatalogueItem, second: CatalogueItem, isDismissed: Bool)

    private let pairs: [Pair]
    private let count: Int
    private let minimumScore: Int
    private let list: ListAddress
    private let next: String?
    private let decision: Decision?
    private let faults: FormFaults

    package init(
        pairs: [Pair], count: Int, minimumScore: Int, list: ListAddress, next: String?, decision: Decision? = nil,
        faults: FormFaults = FormFaults()
    ) {
        self.pairs = pairs
        self.count = count
        self.minimumScore = minimumScore
        self.list = list
        self.next = next
        self.decision = decision
        self.faults = faults
    }

    private static let scores = [100, 90, 80, 70, 60]
    static let link = HTMLLink("console", "catalogue", "duplicates")

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        let mayEdit = frame.may(.dismissDuplicate)
        return frame.page(
            .catalogue, "Duplicates", "Pairs of items with similar names or the same website, most similar first.",
            back: ("Back to the list", ConsoleSection.catalogue.link)
        ) { html in
            if let decision { write(decision, mayEdit: mayEdit, words, to: &html) }
            if !faults.isEmpty { frame.refusal(faults.refusals, to: &html) }
            frame.chips("Score", Self.scores, chosen: minimumScore, to: &html) { score in
                (words.text("From %1", "\(score)"), list.with("min_score", "\(score)").link(), nil)
            }
            frame.list(
                pairs, empty: "No likely duplicates", "Lower the score to see pairs that resemble each other less.",
                to: &html
            ) { writeTable(mayEdit: mayEdit, words, to: &$0) }
            let summary = words.text(
                count == 1 ? "%1 of %2 pair shown" : "%1 of %2 pairs shown", words.number(Int64(pairs.count)),
                words.number(Int64(count)))
            Paging(summary, of: list, next: next).write(words, to: &html)
        }
    }

    private func write(_ decision: Decision, mayEdit: Bool, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let (first, second) = (decision.first.name, decision.second.name)
        guard decision.isDismissed else { return html.done(words.text("%1 and %2 are listed again.", first, second)) }
        html.done(words.text("%1 and %2 are different services and are no longer listed.", first, second)) { html in
            guard mayEdit else { return }
            html.postButton(words["Undo"], list.here(), hidden("restore", decision.first, decision.second))
        }
    }

    private func hidden(_ action: String, _ first: CatalogueItem, _ second: CatalogueItem) -> [NamedValue] {
        list.hidden + [("action", action), ("first", first.id.lowercased), ("second", second.id.lowercased)]
    }

    private func writeTable(mayEdit: Bool, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Duplicates"]), caption: words["Duplicates"], unseen: true, of: pairs,
            [
                .heading(words["Items"]) { pair, html in
                    html.add(.div, .class("pair")) { html in
                        for item in [pair.first, pair.second] { ItemMark.writeNamed(item, words, to: &html) }
                    }
                },
                .number(words["Score"]) { "\($0.duplicate.score)" },
                .text(words["Why"]) { $0.duplicate.reasons.map { words.name($0) }.joined(separator: ", ") },
                .actions { pair, html in
                    let (_, first, second) = pair
                    html.linkButton(
                        words["Compare"], MergePage.link(first.id, second.id),
                        label: words.text("Compare %1 and %2", first.name, second.name))
                    guard mayEdit else { return }
                    html.postButton(
                        words["Not a duplicate"], list.here(), hidden("dismiss", first, second),
                        .aria("label", words.text("%1 and %2 are no duplicates", first.name, second.name)))
                },
            ])
    }
}

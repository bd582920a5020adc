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
    /// Nil on the first page.
    private let cursor: String?
    private let next: String?
    private let decision: Decision?
    private let faults: FormFaults

    package init(
        pairs: [Pair], count: Int, minimumScore: Int, cursor: String?, next: String?, decision: Decision? = nil,
        faults: FormFaults = FormFaults()
    ) {
        self.pairs = pairs
        self.count = count
        self.minimumScore = minimumScore
        self.cursor = cursor
        self.next = next
        self.decision = decision
        self.faults = faults
    }

    private static let scores = [100, 90, 80, 70, 60]
    static let link = HTMLLink("console", "catalogue", "duplicates")

    private func parameters(_ score: Int, cursor: String? = nil) -> [NamedValue] {
        .given([("min_score", "\(score)"), ("cursor", cursor)])
    }

    private func link(_ score: Int, cursor: String? = nil) -> HTMLLink {
        HTMLLink("console", "catalogue", "duplicates", query: parameters(score, cursor: cursor))
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        let mayEdit = frame.may(.dismissDuplicate)
        return frame.page(
            .catalogue, "Duplicates", "Pairs of items with similar names or the same website, most similar first.",
            back: ("Back to the list", ConsoleSection.catalogue.link)
        ) { html in
            if let decision { write(decision, mayEdit: mayEdit, words, to: &html) }
            if !faults.isEmpty { frame.refusal(faults.refusals, to: &html) }
            frame.chips("Score", Self.scores, chosen: minimumScore, to: &html) { score in
                (words.text("From %1", "\(score)"), link(score), nil)
            }
            frame.list(
                pairs, empty: "No likely duplicates", "Lower the score to see pairs that resemble each other less.",
                to: &html
            ) { html in
                writeTable(mayEdit: mayEdit, words, to: &html)
            }
            Paging(
                summary: words.text(
                    count == 1 ? "%1 of %2 pair shown" : "%1 of %2 pairs shown", words.number(Int64(pairs.count)),
                    words.number(Int64(count))),
                first: cursor == nil ? nil : link(minimumScore), next: next.map { link(minimumScore, cursor: $0) }
            ).write(words, to: &html)
        }
    }

    private func write(_ decision: Decision, mayEdit: Bool, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let (first, second) = (decision.first.name, decision.second.name)
        guard decision.isDismissed else { return html.done(words.text("%1 and %2 are listed again.", first, second)) }
        html.done(words.text("%1 and %2 are different services and are no longer listed.", first, second)) { html in
            if mayEdit { html.postButton(words["Undo"], here, hidden("restore", decision.first, decision.second)) }
        }
    }

    private var here: HTMLLink { link(minimumScore, cursor: cursor) }

    private func hidden(_ action: String, _ first: CatalogueItem, _ second: CatalogueItem) -> [NamedValue] {
        parameters(minimumScore, cursor: cursor).ofList
            + [("action", action), ("first", first.id.lowercased), ("second", second.id.lowercased)]
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
                        words["Not a duplicate"], here, hidden("dismiss", first, second),
                        .aria("label", words.text("%1 and %2 are no duplicates", first.name, second.name)))
                },
            ])
    }
}

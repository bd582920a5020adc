package import Foundation
import HTML
import SubGuardDomain
package import Telemetry

/// The items added most often, as bars in a table.
package struct RankingPage: ConsolePage {
    private let ranking: Ranking
    private let limit: Int
    /// The category of an item.
    private let category: @Sendable (UUID) -> String?

    package init(_ ranking: Ranking, limit: Int, category: @escaping @Sendable (UUID) -> String?) {
        self.ranking = ranking
        self.limit = limit
        self.category = category
    }

    private static let limits = [10, 25, 50, 100]

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(.ranking, "Ranking", "The services that users add most often, counted once a day.") { html in
            let query = [(name: "limit", value: "\(limit)"), (name: "format", value: "csv")]
            frame.csvLink(HTMLLink("console", "ranking", query: query), to: &html)
        } main: { html in
            frame.chips("Places", Self.limits, chosen: limit, to: &html) { choice in
                let link = HTMLLink("console", "ranking", query: [("limit", "\(choice)")])
                return (words.text("Top %1", "\(choice)"), link, nil)
            }
            frame.list(
                ranking.items, empty: "Nothing to rank yet",
                "The ranking appears when devices add services of the catalogue.", to: &html
            ) { writeTable(words, to: &$0) }
            frame.below(
                words[
                    "Accepted events of an added subscription, by the catalogue item that they name. An "
                        + "item merged into another counts for that one; deleted items are left out."],
                ranking.standing, to: &html)
        }
    }

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let most = ranking.items.first?.count ?? 1
        html.table(
            .label(words["Ranking"]), of: ranking.items.enumerated(),
            [
                .place(words["Rank"]) { words.number(Int64($0.offset) + 1) },
                .heading(words["Service"]) { row, html in
                    html.add(.span, .class("named")) { html in
                        ItemMark(
                            name: row.element.name, category: category(row.element.id) ?? "",
                            logoURL: row.element.logoURL
                        ).write(to: &html)
                        html.add(.bdi, text: row.element.name)
                    }
                },
                .share { Double($0.element.count) / Double(max(most, 1)) },
                .number(words["Additions"]) { words.number($0.element.count) },
            ])
    }
}

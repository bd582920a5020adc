package import Backend
package import Foundation
import HTML
import SubGuardDomain

/// The items added most often, as bars in a table.
package struct RankingPage: Sendable {
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

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.ranking, title: words["Ranking"]) { html in
            frame.top("Ranking", "The services that users add most often, counted once a day.", to: &html) { html in
                let query = [(name: "limit", value: "\(limit)"), (name: "format", value: "csv")]
                frame.csvLink(HTMLLink("console", "ranking", query: query), to: &html)
            }
            html.add(.nav, .class("chips"), .aria("label", words["Places"])) { html in
                for choice in Self.limits {
                    html.add(
                        .a, .href(HTMLLink("console", "ranking", query: [("limit", "\(choice)")])),
                        choice == limit ? .aria("current", "true") : nil,
                        text: words.text("Top %1", "\(choice)"))
                }
            }
            frame.standingNotice(ranking.standing, to: &html)
            if ranking.items.isEmpty {
                frame.empty(
                    "Nothing to rank yet", "The ranking appears when devices add services of the catalogue.", to: &html)
            } else {
                writeTable(words, to: &html)
            }
            frame.below(
                words[
                    "Accepted events of an added subscription, by the catalogue item that they name. An "
                        + "item merged into another counts for that one; deleted items are left out."],
                ranking.standing, to: &html)
        }
    }

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let most = ranking.items.first?.count ?? 1
        html.add(.div, .class("scroll"), .role("region"), .aria("label", words["Ranking"]), .tabindex(0)) { html in
            html.add(.table, .class("stacked")) { html in
                html.add(.thead) { html in
                    html.add(.tr) { html in
                        html.add(.th, .scope("col"), .class("number"), text: words["Rank"])
                        html.add(.th, .scope("col"), text: words["Service"])
                        html.add(.td) { _ in }
                        html.add(.th, .scope("col"), .class("number"), text: words["Additions"])
                    }
                }
                html.add(.tbody) { html in
                    for (index, item) in ranking.items.enumerated() {
                        html.add(.tr) { html in
                            html.add(.td, .class("number place"), text: words.number(Int64(index) + 1))
                            html.add(.th, .scope("row")) { html in
                                html.add(.span, .class("named")) { html in
                                    ItemMark(name: item.name, category: category(item.id) ?? "", logoURL: item.logoURL)
                                        .write(to: &html)
                                    html.add(.bdi, text: item.name)
                                }
                            }
                            html.add(.td, .class("meters")) { html in
                                MeterBar(share: Double(item.count) / Double(max(most, 1))).write(to: &html)
                            }
                            html.add(
                                .td, .class("number"), .data("label", words["Additions"]),
                                text: words.number(item.count))
                        }
                    }
                }
            }
        }
    }
}

package import Foundation
import HTML
import SubGuardDomain
package import Telemetry

extension SimplePage {
    /// The items added most often, as bars in a table.
    ///
    /// - Parameter category: of an item.
    package static func ranking(
        _ ranking: Ranking, limit: Int, category: @escaping @Sendable (UUID) -> String?
    ) -> SimplePage {
        SimplePage { frame, words in
            frame.page(.ranking, "Ranking", "The services that users add most often, counted once a day.") { html in
                let query = [(name: "limit", value: "\(limit)"), (name: "format", value: "csv")]
                frame.csvLink(HTMLLink("console", "ranking", query: query), to: &html)
            } main: { html in
                frame.chips("Places", [10, 25, 50, 100], chosen: limit, to: &html) { choice in
                    let link = HTMLLink("console", "ranking", query: [("limit", "\(choice)")])
                    return (words.text("Top %1", "\(choice)"), link, nil)
                }
                frame.list(
                    ranking.items, empty: "Nothing to rank yet",
                    "The ranking appears when devices add services of the catalogue.", to: &html
                ) { html in
                    let most = ranking.items.first?.count ?? 1
                    html.table(
                        .label(words["Ranking"]), of: ranking.items.enumerated(),
                        [
                            .place(words["Rank"]) { words.number(Int64($0.offset) + 1) },
                            .heading(words["Service"]) { row, html in
                                let item = row.element
                                html.add(.span, .class("named")) { html in
                                    ItemMark(name: item.name, category: category(item.id) ?? "", logoURL: item.logoURL)
                                        .write(to: &html)
                                    html.bdi(item.name)
                                }
                            },
                            .share { Double($0.element.count) / Double(max(most, 1)) },
                            .number(words["Additions"]) { words.number($0.element.count) },
                        ])
                }
                frame.below(
                    words[
                        "Accepted events of an added subscription, by the catalogue item that they name. An "
                            + "item merged into another counts for that one; deleted items are left out."],
                    ranking.standing, to: &html)
            }
        }
    }
}

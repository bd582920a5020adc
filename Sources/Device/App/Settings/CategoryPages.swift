import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// The scopes and categories that subscriptions have, one's own among them.
enum CategoryPages {
    static let link = HTMLLink("categories")

    static func routes(_ gate: AppGate) -> [Route] {
        [gate.page("/categories") { try page($0) }]
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        let list = try visit.store.subscriptions.list(at: visit.moment)
        let isPremium = try visit.store.premium.isActive(at: visit.moment)
        let categories = Dictionary(grouping: list, by: \.category).map { ($0, $1.count) }
            .sorted { SubscriptionCategory.inOrder($0.0, $1.0, visit.words) }
        let scopes = Dictionary(grouping: list, by: \.scope)
        func write(_ name: String, _ count: Int, _ link: HTMLLink, note: String? = nil, to html: inout HTMLWriter) {
            html.add(.span) { html in
                html.add(.a, .href(link), text: name)
                if let note { html.add(.small, .class("muted"), text: " " + note) }
            }
            html.add(.span, text: visit.text("\(count) subscription|\(count) subscriptions"))
        }
        return visit.subpage(visit.text("Categories")) { html in
            html.add(.section) { html in
                html.add(.h2, text: visit.text("Scope"))
                html.rows(SubscriptionScope.allCases, style: "waits after") { scope, html in
                    write(
                        scope.displayName(visit.words), scopes[scope]?.count ?? 0,
                        HTMLLink(query: [("scope", scope.rawValue)]), to: &html)
                }
            }
            html.section(visit.text("Categories")) { html in
                visit.list(
                    categories, "waits after", empty: visit.text("No subscriptions yet."), to: &html
                ) { row, html in
                    let (category, count) = row
                    write(
                        category.displayName(visit.words), count, HTMLLink(query: [("category", category.wire)]),
                        note: category.isCustom ? visit.text("your own") : nil, to: &html)
                }
                html.hint(
                    visit.text("A category of your own is entered with a subscription; that needs premium.") + " "
                        + visit.text(
                            isPremium ? "Premium is on." : "Premium is off. The ones that are there can be kept."),
                    "hint after")
            }
        }
    }
}

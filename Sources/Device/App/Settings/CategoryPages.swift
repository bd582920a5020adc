import DeviceWords
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// The scopes and categories that subscriptions have, one's own among them.
enum CategoryPages {
    static let link = HTMLLink("categories")

    static func routes(_ gate: AppGate) -> [Route] {
        [gate.page("/categories") { visit in AppResponse.page(try page(visit)) }]
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        let list = try visit.store.subscriptions.list(at: visit.moment)
        let isPremium = try visit.store.premium.isActive(at: visit.moment)
        let categories = Dictionary(grouping: list, by: \.category).map { ($0, $1.count) }
            .sorted { SubscriptionCategory.inOrder($0.0, $1.0) }
        let scopes = Dictionary(grouping: list, by: \.scope)
        return visit.subpage(visit.text("Categories")) { html in
            html.add(.section) { html in
                html.add(.h2, text: visit.text("Scope"))
                html.add(.ul, .class("waits after")) { html in
                    for scope in SubscriptionScope.allCases {
                        row(
                            scope.displayName(visit.words), nil, scopes[scope]?.count ?? 0,
                            HTMLLink(query: [("scope", scope.rawValue)]), visit, to: &html)
                    }
                }
            }
            html.add(.section, .class("section")) { html in
                html.add(.h2, text: visit.text("Categories"))
                if categories.isEmpty { html.add(.p, .class("muted"), text: visit.text("No subscriptions yet.")) }
                html.add(.ul, .class("waits after")) { html in
                    for (category, count) in categories {
                        row(
                            category.displayName(visit.words), category.isCustom ? visit.text("your own") : nil, count,
                            HTMLLink(query: [("category", category.wire)]), visit, to: &html)
                    }
                }
                html.add(
                    .p, .class("hint after"),
                    text: visit.text("A category of your own is entered with a subscription; that needs premium.")
                        + " "
                        + visit.text(
                            isPremium ? "Premium is on." : "Premium is off. The ones that are there can be kept."))
            }
        }
    }

    private static func row(
        _ name: String, _ note: String?, _ count: Int, _ link: HTMLLink, _ visit: AppVisit, to html: inout HTMLWriter
    ) {
        html.add(.li) { html in
            html.add(.span) { html in
                html.add(.a, .href(link), text: name)
                if let note { html.add(.small, .class("muted"), text: " " + note) }
            }
            html.add(.span, text: visit.text("\(count) subscription|\(count) subscriptions"))
        }
    }
}

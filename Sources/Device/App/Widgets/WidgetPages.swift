import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// The widget as a page that fits a side bar or a second screen: the next charges, confirmed from there (FR20 to FR24).
enum WidgetPages {
    static func routes(_ gate: AppGate) -> [Route] {
        WidgetFamily.allCases.map { family in
            gate.answer("/widget/\(family.rawValue)") { visit in try response(visit, family) }
        }
    }

    static func link(_ family: WidgetFamily) -> HTMLLink { HTMLLink("widget", family.rawValue) }

    private static func response(_ visit: AppVisit, _ family: WidgetFamily) throws -> Response {
        let timeline = try visit.store.ledger.widget(family, at: visit.moment)
        let annual = try visit.annualCost()
        let ids = Set(timeline.entries.first?.payments.map(\.id.subscriptionID) ?? [])
        let yearly = try Dictionary(
            uniqueKeysWithValues: ids.map {
                ($0, try visit.store.subscriptions.summary($0, at: visit.moment).annualAmount)
            })
        let page = visit.widget(title: visit.text("Widget")) { html in
            html.mutedLine(visit.text("Cost per year"))
            html.hint(visit.money(annual), "annual amount")
            let payments = timeline.entries.first?.payments ?? []
            if payments.isEmpty { html.paragraph(visit.text("All confirmed ✓")) }
            html.add(.ul, .class("subscriptions")) { html in
                for payment in payments { write(payment, yearly[payment.id.subscriptionID], family, visit, to: &html) }
            }
        }
        var response = AppResponse.page(page)
        // The engine names the moments at which it shows something else, such as midnight; other changes are told live.
        let next = timeline.entries.dropFirst().first?.at ?? visit.moment.now.adding(seconds: 3600)
        let seconds = max(1, (visit.moment.now.milliseconds(until: next) + 999) / 1000)
        // Without what was done before.
        if let name = HTTPField.Name("Refresh") { response.fields[name] = "\(seconds); url=\(link(family).text)" }
        return response
    }

    private static func write(
        _ payment: Occurrence, _ yearly: Money?, _ family: WidgetFamily, _ visit: AppVisit, to html: inout HTMLWriter
    ) {
        html.add(.li, .class("charge")) { html in
            html.add(.a, .href(DuePages.link(to: payment.id))) { html in
                html.entry(payment.name) { html in
                    html.add(.small, .class("muted")) {
                        $0.amount(visit.money(payment.amount), after: visit.when(payment.billingOn) + " · ")
                    }
                    if let yearly, yearly.minorUnits > 0 {
                        html.add(.small, .class("muted amount"), text: visit.text("\(visit.money(yearly)) per year"))
                    }
                }
            }
            html.button(
                visit.text("Confirm"), post: HTMLLink("due", "confirm"),
                ["occurrence": payment.id.wire, "back": link(family).text],
                label: visit.label(visit.text("Confirm"), payment))
        }
    }
}

extension AppVisit {
    func name(_ family: WidgetFamily) -> String {
        switch family {
        case .small: text("small")
        case .medium: text("medium")
        case .large: text("large")
        }
    }
}

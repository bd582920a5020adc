import DeviceWords
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// What is free, what premium adds, and whether it is on.
enum PremiumPages {
    static let link = HTMLLink("premium")

    static func routes(_ gate: AppGate) -> [Route] {
        [gate.page("/premium") { try page($0) }]
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        let isPremium = try visit.store.premium.isActive(at: visit.moment)
        let proof = try visit.store.premium.proof()
        let used = try visit.store.subscriptions.list(at: visit.moment).count
        return visit.subpage(visit.text("Premium")) { html in
            html.add(.p) { html in
                html.add(
                    .b, text: visit.text(isPremium ? "Premium is on." : "Premium is off; you use the free version."))
                if let proof {
                    html.text(" " + visit.text(proof.status.phrase).capitalisedFirst)
                    if let end = proof.expiresAt { html.text(", " + visit.text("until \(visit.time(end))")) }
                    if proof.source == .granted {
                        html.text(", " + visit.text("given by the operator of your server"))
                    }
                    html.text(".")
                }
            }
            if isPremium, let proof, proof.expiresAt != nil, let end = proof.holdsUntil {
                html.mutedLine(visit.text("Without an answer of the server it holds until \(visit.time(end))."))
            }
            let limit = PremiumGate.freeSubscriptions
            list(
                visit.text("Free"),
                [
                    visit.text("\(limit) subscriptions; you have \(used)"),
                    visit.text("The categories that are there, Pro and Personal"),
                    visit.text("Reminders, budgets, forecasts and the last days to cancel"),
                    visit.text("Sharing, groups and receipts"),
                    visit.text("Bank statements and other imports"),
                    visit.text("Backups, merges and the export of everything (JSON)"),
                ], to: &html)
            list(
                visit.text("Premium adds"),
                [
                    visit.text("More subscriptions"), visit.text("Categories of your own"),
                    visit.text("Exports for spreadsheets (CSV), calendars (iCalendar) and accounting"),
                ], to: &html)
            html.hint(
                visit.text(
                    "It is checked only when you add something. When it ends, nothing is hidden or deleted."), "after")
            if let id = proof?.accountID {
                html.sentence(
                    visit.text("The operator of your server can give it to you, and finds your account by its id:"),
                    id.lowercased, of: "breaks")
            }
            html.add(.p) { html in
                html.text(visit.text("It is bought and managed in the App Store:") + " ")
                if let link = HTMLLink(checking: CancellationRoute.appStoreURL) {
                    html.add(
                        .a, .class("breaks"), .href(link), .rel("noreferrer noopener"),
                        text: CancellationRoute.appStoreURL)
                }
            }
        }
    }

    private static func list(_ title: String, _ lines: [String], to html: inout HTMLWriter) {
        html.section(title) { $0.rows(lines, "bullets") }
    }
}

import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// The first run: what the app is, what stays here, and the first subscription. Each screen can be skipped.
enum WelcomePages {
    private static let steps = 3

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/welcome") { visit in
                let step = visit.parameter("step").flatMap { Int($0) } ?? 1
                return try page(visit, min(max(step, 1), steps))
            },
            gate.form("/welcome", again: { try page($0, 2) }) { visit, form in
                try visit.store.settings.set(.homeCurrency, to: form.code("home_currency"), at: visit.moment)
                return .page(link(3))
            },
        ]
    }

    /// Where a browser begins: here while nothing was ever done, else with the list.
    static func start(_ visit: AppVisit) throws -> HTMLLink {
        let isNew =
            try visit.store.subscriptions.list(at: visit.moment).isEmpty
            && visit.store.journal.entries(limit: 1, at: visit.moment).isEmpty
        return isNew ? link(1) : HTMLLink()
    }

    private static func link(_ step: Int) -> HTMLLink { HTMLLink("welcome", query: [("step", "\(step)")]) }

    private static func page(_ visit: AppVisit, _ step: Int) throws -> [UInt8] {
        let home =
            try visit.sent?.fields["home_currency"] ?? visit.store.settings.value(.homeCurrency)
            ?? visit.usualCurrency()
        return visit.card(title: title(visit, step)) { html in
            switch step {
            case 1:
                html.rows(
                    [
                        visit.text("See what all your subscriptions cost in a year."),
                        visit.text("Confirm each charge, so that none slips by."),
                        visit.text("Know the last day to cancel, and where."),
                    ], "bullets")
            case 2:
                html.rows(
                    [
                        visit.text("No account. Everything is in one file on this device, which you can back up."),
                        visit.text("Nothing is sent unless you set a server and allow it."),
                    ], "bullets")
                html.post(HTMLLink("welcome"), "stack after", .id("home")) { html in
                    visit.field(
                        "home_currency", visit.text("Home currency"), value: home,
                        hint: visit.text("Sums over several currencies are shown in it, such as EUR."),
                        faults: visit.sent.faults, to: &html)
                }
            default:
                html.add(.form, .class("stack"), .action(HTMLLink("add"))) { html in
                    visit.field(
                        "q", visit.text("Name of the service"), value: "", hint: visit.text("Such as Netflix."),
                        type: "search", .required, to: &html)
                    html.submit(visit.text("Search"), "primary")
                }
                html.add(.p, .class("after")) {
                    $0.linkButton(visit.text("Import a bank statement"), ImportPages.link)
                }
            }
            writeSteps(visit, step, to: &html)
        }
    }

    private static func title(_ visit: AppVisit, _ step: Int) -> String {
        switch step {
        case 1: visit.text("Your subscriptions under control")
        case 2: visit.text("It all stays here")
        default: visit.text("The first subscription")
        }
    }

    private static func writeSteps(_ visit: AppVisit, _ step: Int, to html: inout HTMLWriter) {
        html.add(.div, .class("actions after")) { html in
            switch step {
            case 1: html.linkButton(visit.text("Next"), link(2), style: "button primary")
            case 2:
                html.add(.button, .type("submit"), .form("home"), .class("primary"), text: visit.text("Next"))
            default: break
            }
            html.linkButton(visit.text("Skip"), HTMLLink())
            html.add(.span, .class("muted"), text: "\(step) / \(steps)")
        }
    }
}

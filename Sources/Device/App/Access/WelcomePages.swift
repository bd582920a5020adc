import DeviceWords
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// The first run: what the app is, what stays here, and the first subscription. Each screen can be skipped.
enum WelcomePages {
    private static let steps = 3

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/welcome") { visit in
                let step = visit.parameter("step").flatMap { Int($0) } ?? 1
                return AppResponse.page(try page(visit, min(max(step, 1), steps)))
            },
            gate.form("/welcome", refill: { visit, form in try page(visit, 2, typed: form["home_currency"]) }) {
                visit, form in
                let typed = (form["home_currency"] ?? "").trimmingBlanks.uppercased()
                do {
                    try visit.store.settings.set(.homeCurrency, to: typed, at: visit.moment)
                    return AppResponse.seeOther(link(3).text)
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    return AppResponse.page(try page(visit, 2, typed: typed, error.faults), .unprocessableContent)
                }
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

    private static func page(
        _ visit: AppVisit, _ step: Int, typed: String? = nil, _ faults: [Fault] = []
    ) throws -> [UInt8] {
        let home = try typed ?? visit.store.settings.value(.homeCurrency) ?? visit.usualCurrency()
        return visit.card(title: title(visit, step)) { html in
            switch step {
            case 1:
                lines(
                    [
                        visit.text("See what all your subscriptions cost in a year."),
                        visit.text("Confirm each charge, so that none slips by."),
                        visit.text("Know the last day to cancel, and where."),
                    ], to: &html)
            case 2:
                lines(
                    [
                        visit.text("No account. Everything is in one file on this device, which you can back up."),
                        visit.text("Nothing is sent unless you set a server and allow it."),
                    ], to: &html)
                html.add(.form, .methodPost, .action(HTMLLink("welcome")), .class("stack after"), .id("home")) { html in
                    visit.field(
                        "home_currency", visit.text("Home currency"), value: home,
                        hint: visit.text("Sums over several currencies are shown in it, such as EUR."),
                        faults: faults, to: &html)
                }
            default:
                html.add(.form, .class("stack"), .action(HTMLLink("add"))) { html in
                    html.add(.div, .class("field")) { html in
                        html.add(.label, .for("q"), text: visit.text("Name of the service"))
                        html.add(
                            .input, .type("search"), .id("q"), .name("q"), .autocomplete("off"), .maxLength(200),
                            .required, .aria("describedby", "q-hint"))
                        html.add(.p, .class("hint"), .id("q-hint"), text: visit.text("Such as Netflix."))
                    }
                    html.add(.button, .type("submit"), .class("primary"), text: visit.text("Search"))
                }
                html.add(.p, .class("after")) { html in
                    html.add(
                        .a, .class("button"), .href(ImportPages.link), text: visit.text("Import a bank statement"))
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

    private static func lines(_ lines: [String], to html: inout HTMLWriter) {
        html.add(.ul, .class("bullets")) { html in
            for line in lines { html.add(.li, text: line) }
        }
    }

    private static func writeSteps(_ visit: AppVisit, _ step: Int, to html: inout HTMLWriter) {
        html.add(.div, .class("actions after")) { html in
            switch step {
            case 1: html.add(.a, .class("button primary"), .href(link(2)), text: visit.text("Next"))
            case 2:
                html.add(.button, .type("submit"), .form("home"), .class("primary"), text: visit.text("Next"))
            default: break
            }
            html.add(.a, .class("button"), .href(HTMLLink()), text: visit.text("Skip"))
            html.add(.span, .class("muted"), text: "\(step) / \(steps)")
        }
    }
}

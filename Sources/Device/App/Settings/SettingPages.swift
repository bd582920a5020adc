import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// Settings: language, home currency, browsers, and the changes of the last 90 days.
enum SettingPages {
    /// The list of changes.
    static let changes = HTMLLink("settings", fragment: "changes")

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/settings") { visit in AppResponse.page(try page(visit)) },
            gate.form("/settings/language") { visit, form in
                try visit.store.settings.set(.language, to: form["language"] ?? "", at: visit.moment)
                return AppResponse.seeOther(try visit.done(AppSection.settings.link))
            },
            gate.form(
                "/settings/home-currency", refill: { visit, form in try page(visit, typed: form["home_currency"]) }
            ) { visit, form in
                do {
                    try visit.store.settings.set(
                        .homeCurrency, to: (form["home_currency"] ?? "").trimmingBlanks.uppercased(), at: visit.moment)
                    return AppResponse.seeOther(try visit.done(AppSection.settings.link))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let page = try page(visit, typed: form["home_currency"], faults: error.faults)
                    return AppResponse.page(page, .unprocessableContent)
                }
            },
            gate.form("/settings/browsers/end") { visit, form in
                guard let id = form["id"].flatMap({ UUID(uuidString: $0) }) else {
                    throw AppRefusal.unreadable("No browser was chosen.")
                }
                try visit.store.browsers.end(id)
                return AppResponse.seeOther(AppSection.settings.link.text)
            },
        ]
    }

    private static func page(_ visit: AppVisit, typed: String? = nil, faults: [Fault] = []) throws -> [UInt8] {
        let home = try visit.store.settings.value(.homeCurrency) ?? ""
        let browsers = try visit.store.browsers.all(at: visit.moment)
        let entries = try visit.store.journal.entries(limit: 30, at: visit.moment)
        return visit.page(.settings, title: visit.text("Settings")) { html in
            html.add(.div, .class("top")) { $0.add(.h1, text: visit.text("Settings")) }
            html.add(.div, .class("fields")) { html in
                writeLanguage(visit, to: &html)
                writeHomeCurrency(visit, typed ?? home, faults, to: &html)
                LookPages.write(visit, to: &html)
            }
            html.add(.nav, .class("actions after"), .aria("label", visit.text("More settings"))) { html in
                for (link, name) in [
                    (BackupPages.link, visit.text("Backups")), (ExportPages.link, visit.text("Export")),
                    (CalendarAddressPages.link, visit.text("Calendar by address")),
                    (RatePages.link, visit.text("Exchange rates")), (ReminderPages.link, visit.text("Reminders")),
                    (PrivacyPages.link, visit.text("Privacy")), (ServerPages.link, visit.text("Server")),
                    (PremiumPages.link, visit.text("Premium")), (CategoryPages.link, visit.text("Categories")),
                ] {
                    html.add(.a, .class("button"), .href(link), text: name)
                }
            }
            write(browsers, visit, to: &html)
            write(entries, visit, to: &html)
            html.add(.section, .class("section")) { html in
                html.add(.h2, text: visit.text("Widgets"))
                html.add(.p, text: visit.text("Small windows for a sidebar or a second screen:"))
                html.add(.p, .class("actions")) { html in
                    for family in WidgetFamily.allCases {
                        html.add(.a, .class("button"), .href(WidgetPages.link(family)), text: visit.name(family))
                    }
                }
            }
            html.add(.section, .class("section")) { html in
                html.add(.h2, text: visit.text("Your data"))
                html.add(.p) { html in
                    html.text(visit.text("Everything stays in this file on your device:"))
                    html.text(" ")
                    html.add(.code, .class("breaks"), text: visit.store.path)
                }
            }
        }
    }

    private static func writeLanguage(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(
            .form, .methodPost, .action(HTMLLink("settings", "language")), .class("panel stack")
        ) { html in
            html.add(.div, .class("field")) { html in
                html.add(.label, .for("language"), text: visit.text("Language"))
                html.add(.select, .id("language"), .name("language")) { html in
                    for (language, name) in [(DisplayLanguage.english, "English"), (.french, "Français")] {
                        html.add(
                            .option, .value(language.rawValue), .lang(language.rawValue),
                            language == visit.words ? .selected : nil, text: name)
                    }
                }
            }
            html.add(.button, .type("submit"), text: visit.text("Save"))
        }
    }

    private static func writeHomeCurrency(
        _ visit: AppVisit, _ value: String, _ faults: [Fault], to html: inout HTMLWriter
    ) {
        html.add(
            .form, .methodPost, .action(HTMLLink("settings", "home-currency")), .class("panel stack")
        ) { html in
            html.add(.div, .class("field")) { html in
                html.add(.label, .for("home_currency"), text: visit.text("Home currency"))
                html.add(
                    .input, .type("text"), .id("home_currency"), .name("home_currency"), .value(value),
                    .autocomplete("off"), .maxLength(8), faults.isEmpty ? nil : .aria("invalid", "true"),
                    .aria("describedby", faults.isEmpty ? "home_currency-hint" : "home_currency-fault"))
                for fault in faults {
                    html.add(
                        .p, .class("fault"), .id("home_currency-fault"), .role("alert"),
                        text: visit.sentence(fault.detail))
                }
                html.add(
                    .p, .class("hint"), .id("home_currency-hint"),
                    text: visit.text("Sums over several currencies are shown in it, such as EUR."))
            }
            html.add(.button, .type("submit"), text: visit.text("Save"))
        }
    }

    private static func write(_ browsers: [BrowserSession], _ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: visit.text("Browsers that are let in"))
            html.add(.ul, .class("waits")) { html in
                for browser in browsers {
                    html.add(.li) { html in
                        html.add(.span) { html in
                            html.text(BrowserName.text(browser.browser) ?? visit.text("unknown browser"))
                            html.text(" · ")
                            html.text(
                                browser.id == visit.session?.id
                                    ? visit.text("this one")
                                    : visit.text("last used \(visit.when(visit.moment.time.day(at: browser.usedAt)))"))
                        }
                        html.add(.form, .methodPost, .action(HTMLLink("settings", "browsers", "end"))) { html in
                            html.hidden("id", browser.id.lowercased)
                            html.add(.button, .type("submit"), text: visit.text("End"))
                        }
                    }
                }
            }
        }
    }

    private static func write(_ entries: [JournalEntry], _ visit: AppVisit, to html: inout HTMLWriter) {
        guard !entries.isEmpty else { return }
        let newest = entries.first { !$0.isUndone }
        html.add(.section, .class("section"), .id("changes")) { html in
            html.add(.h2, text: visit.text("Changes"))
            html.add(.ul, .class("waits changes")) { html in
                for entry in entries {
                    html.add(.li) { html in
                        html.add(.span) { html in
                            html.text("\(visit.day(visit.moment.time.day(at: entry.at))) · ")
                            html.text(
                                entry.isUndone
                                    ? visit.text("Undone: \(visit.words.spaced(entry.displayText(visit.words)))")
                                    : visit.words.spaced(entry.displayText(visit.words)))
                        }
                        guard entry.id == newest?.id else { return }
                        html.add(.form, .methodPost, .action(HTMLLink("undo"))) { html in
                            html.hidden("number", "\(entry.id)")
                            html.hidden("back", AppSection.settings.link.text)
                            html.add(.button, .type("submit"), text: visit.text("Undo"))
                        }
                    }
                }
            }
        }
    }
}

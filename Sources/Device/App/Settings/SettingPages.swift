import DeviceWords
import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// Settings: language, home currency, browsers, and the changes of the last 90 days.
enum SettingPages {
    /// The list of changes.
    static let changes = HTMLLink("settings", fragment: "changes")

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/settings", page),
            gate.form("/settings/language") { visit, form in
                try visit.store.settings.set(.language, to: form["language"] ?? "", at: visit.moment)
                return .done(AppSection.settings.link)
            },
            gate.form("/settings/home-currency", again: page) { visit, form in
                try visit.store.settings.set(.homeCurrency, to: form.code("home_currency"), at: visit.moment)
                return .done(AppSection.settings.link)
            },
            gate.form("/settings/browsers/end") { visit, form in
                try visit.store.browsers.end(form.id("id", missing: "No browser was chosen."))
                return .page(AppSection.settings.link)
            },
        ]
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        let link = HTMLLink("settings", "home-currency")
        let sent = visit.sent(to: link)
        let home = try sent?.fields["home_currency"] ?? visit.store.settings.value(.homeCurrency) ?? ""
        let browsers = try visit.store.browsers.all(at: visit.moment)
        let entries = try visit.store.journal.entries(limit: 30, at: visit.moment)
        return visit.page(.settings, title: visit.text("Settings")) { html in
            html.top(visit.text("Settings"))
            html.add(.nav, .class("actions"), .aria("label", visit.text("More settings"))) { html in
                for (link, name) in [
                    (BackupPages.link, visit.text("Backups")), (ExportPages.link, visit.text("Export")),
                    (CalendarAddressPages.link, visit.text("Calendar feed")),
                    (RatePages.link, visit.text("Exchange rates")), (ReminderPages.link, visit.text("Reminders")),
                    (PrivacyPages.link, visit.text("Privacy")), (ServerPages.link, visit.text("Server")),
                    (PremiumPages.link, visit.text("Premium")), (CategoryPages.link, visit.text("Categories")),
                ] { html.linkButton(name, link) }
            }
            html.add(.div, .class("fields after")) { html in
                writeLanguage(visit, to: &html)
                html.post(link) { html in
                    visit.field(
                        "home_currency", visit.text("Home currency"), value: home,
                        hint: visit.text("Sums over several currencies are shown in it, such as EUR."), most: 8,
                        faults: sent.faults.map { $0.at("home_currency") }, to: &html)
                    html.submit(visit.text("Save"))
                }
                LookPages.write(visit, to: &html)
            }
            write(browsers, visit, to: &html)
            if !entries.isEmpty { write(entries, visit, to: &html) }
            html.section(visit.text("Widgets")) { html in
                html.paragraph(visit.text("Small windows for a sidebar or a second screen:"))
                html.add(.p, .class("actions")) { html in
                    for family in WidgetFamily.allCases {
                        html.linkButton(visit.name(family), WidgetPages.link(family))
                    }
                }
            }
            html.section(visit.text("Your data")) { html in
                html.sentence(
                    visit.text("Everything stays in this file on your device:"), visit.store.path, of: "breaks")
            }
        }
    }

    private static func writeLanguage(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.post(HTMLLink("settings", "language")) { html in
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
            html.submit(visit.text("Save"))
        }
    }

    private static func write(_ browsers: [BrowserSession], _ visit: AppVisit, to html: inout HTMLWriter) {
        html.section(visit.text("Signed-in browsers")) { html in
            html.rows(browsers) { browser, html in
                let name = BrowserName.text(browser.browser) ?? visit.text("unknown browser")
                let use =
                    browser.id == visit.session?.id
                    ? visit.text("this one")
                    : visit.text("last used \(visit.when(visit.moment.time.day(at: browser.usedAt)))")
                html.add(.span, text: "\(name) · \(use)")
                html.button(
                    visit.text("Sign out"), post: HTMLLink("settings", "browsers", "end"),
                    ["id": browser.id.lowercased],
                    // By the time too: two browsers can be of one name, and used on one day.
                    label: visit.label(
                        visit.text("Sign out"), "\(name), \(use), \(visit.time(browser.begunAt))"))
            }
        }
    }

    private static func write(_ entries: [JournalEntry], _ visit: AppVisit, to html: inout HTMLWriter) {
        let newest = entries.firstIndex { !$0.isUndone }
        let undoable = newest.map { entries[$0].id }
        html.section(visit.text("Changes"), id: "changes") { html in
            visit.list(entries, "waits changes", open: max(8, (newest ?? 0) + 1), to: &html) { entry, html in
                let what = visit.words.spaced(entry.displayText(visit.words))
                let day = visit.day(visit.moment.time.day(at: entry.at))
                let said = entry.isUndone ? visit.text("The change “\(what)” is undone.") : what
                html.add(.span, text: "\(day) · \(said)")
                guard entry.id == undoable else { return }
                html.button(
                    visit.text("Undo"), post: HTMLLink("undo"),
                    ["number": "\(entry.id)", "back": AppSection.settings.link.text])
            }
        }
    }
}

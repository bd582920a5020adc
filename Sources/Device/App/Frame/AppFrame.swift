import DeviceWords
import HTML
import HTTPServer
import HTTPWire
import PageAssets
import SubGuardDomain
import SubGuardEngine

/// The tabs of the app.
enum AppSection: CaseIterable {
    case subscriptions, due, calendar, together, settings

    private var tab: (link: HTMLLink, icon: StaticString, name: Sentence) {
        switch self {
        case .subscriptions: (HTMLLink(), "subscriptions", "Subscriptions")
        case .due: (HTMLLink("due"), "due", "To confirm")
        case .calendar: (HTMLLink("calendar"), "calendar", "Calendar")
        case .together: (TogetherPages.link, "together", "Together")
        case .settings: (HTMLLink("settings"), "settings", "Settings")
        }
    }

    var link: HTMLLink { tab.link }
    var icon: StaticString { tab.icon }
    var name: Sentence { tab.name }
}

extension AppVisit {
    /// A page with tabs.
    func page(_ section: AppSection?, title: String, main: (inout HTMLWriter) -> Void) -> [UInt8] {
        document(title: title) { html in
            html.add(.a, .class("skip"), .href(.fragment("main")), text: text("Skip to the content"))
            html.add(.header, .class("masthead")) { html in
                html.add(.a, .class("brand"), .href(AppSection.subscriptions.link)) { AppAsset.writeBrand(to: &$0) }
                html.add(.nav, .class("tabbar"), .aria("label", text("Pages"))) { html in
                    for item in AppSection.allCases {
                        html.add(.a, .href(item.link), item == section ? .aria("current", "page") : nil) { html in
                            html.icon(AppAsset.icons.link, item.icon, .class("icon"))
                            html.add(.span, text: text(item.name))
                        }
                    }
                }
            }
            html.add(.main, .id("main"), .tabindex(-1), live) { html in
                writeNotice(to: &html)
                writeOffer(to: &html)
                main(&html)
            }
            writeAway(to: &html)
        }
    }

    /// What a page shows, for its script to follow changes. The answer to a form is not replaced, because it cannot be
    /// read again: it only follows whether the app is there. Without a session there is nothing to follow.
    private var live: HTMLAttribute? {
        session == nil ? nil : .data("live", request.method == .get ? "\(revision)" : "")
    }

    /// A page with a single narrow column.
    func card(title: String, main: (inout HTMLWriter) -> Void) -> [UInt8] {
        document(title: title) { html in
            html.add(.main, .class("card"), .id("main"), session == nil ? nil : .data("live")) { html in
                html.add(.p, .class("brand")) { AppAsset.writeBrand(to: &$0) }
                html.add(.h1, text: title)
                main(&html)
            }
            if session != nil { writeAway(to: &html) }
        }
    }

    /// A page without tabs, for a small window.
    func widget(title: String, main: (inout HTMLWriter) -> Void) -> [UInt8] {
        document(title: title) { html in
            html.add(.main, .class("widget"), .id("main"), .tabindex(-1), live) { html in
                html.add(.h1, .class("unseen"), text: title)
                writeNotice(to: &html)
                main(&html)
            }
            writeAway(to: &html)
        }
    }

    private func document(title: String, body: (inout HTMLWriter) -> Void) -> [UInt8] {
        var html = HTMLWriter(capacity: 16_384)
        html.doctype()
        html.add(
            .html, .lang(words.rawValue), look.theme == .system ? nil : .data("theme", look.theme.rawValue),
            look.isVeiled ? .class("veiled") : nil
        ) { html in
            html.head(
                title: title, colorScheme: look.colorScheme, icon: AppAsset.favicon,
                styles: [AppAsset.base, AppAsset.styles], script: AppAsset.script
            ) { html in html.add(.link, .rel("manifest"), .href(ShellPages.manifest)) }
            html.add(.body) { html in body(&html) }
        }
        return html.bytes
    }
}

// MARK: Words and amounts

extension AppVisit: DeviceOutput {
    var language: DisplayLanguage { words }

    var amountStyle: AmountStyle {
        var style = AmountStyle(words)
        style.minusSign = "\u{2212}"
        return style
    }

    func text(_ phrase: Sentence) -> String { phrase.text(words, isTypeset: true) }

    /// What is wrong, which the libraries say in English.
    func sentence(_ english: String) -> String { words.spaced(words.sentence(english)) }

    func text(of error: any Error) -> String { words.spaced(words.text(of: error)) }

    /// Between a name and what is said of it.
    var colon: String { words.spaced(words.colon) }

    /// `January 2027`, in French `Janvier 2027`.
    func month(_ day: CalendarDay) -> String { day.namedMonth(words).capitalisedFirst }

    /// `monthly`, in the middle of a sentence.
    func cycle(_ cycle: BillingCycle) -> String { cycle.phrase(words) }

    /// `today`, `in 3 days`, or the date when it is more than a month away or past.
    func when(_ day: CalendarDay) -> String {
        switch moment.today.days(until: day) {
        case 0: text("today")
        case 1: text("tomorrow")
        case -1: text("yesterday")
        case let days where (2...31).contains(days): text("in \(days) days")
        case let days where (-31 ... -2).contains(days): text("\(-days) days ago")
        default: self.day(day)
        }
    }
}

/// The files that pages of the app refer to.
enum AppAsset {
    private static let folder = ["assets"]

    static let base = PageAsset(EmbeddedAsset.baseCSS, in: folder)
    static let styles = PageAsset(EmbeddedAsset.appCSS, in: folder)
    static let script = PageAsset(EmbeddedAsset.appJS, in: folder)
    static let icons = PageAsset(EmbeddedAsset.iconsSVG, in: folder)
    static let favicon = PageAsset(EmbeddedAsset.faviconSVG, in: folder)

    /// The icon of the installed app, which the system may cut to its own shape.
    static let appIcon = PageAsset(EmbeddedAsset.appiconSVG, in: folder)
    /// The program of the service worker, without its list of files. It has an address of its own.
    static let worker = EmbeddedAsset.workerJS.text

    /// The mark and the name of the program.
    static func writeBrand(to html: inout HTMLWriter) {
        html.icon(icons.link, "mark", .class("icon"))
        html.text("SubGuard")
    }

    static let all = [base, styles, script, icons, favicon, appIcon]
}

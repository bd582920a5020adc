import HTML
import HTTPServer
import HTTPWire
import Pages
import SubGuardDomain
import SubGuardEngine

/// How pages look in one browser. Kept in its cookies: two browsers of a device may differ, and pages look right from
/// their first line on, without JavaScript.
struct AppLook: Sendable, Hashable {
    enum Theme: String, CaseIterable {
        case system, light, dark
    }

    var theme = Theme.system
    /// Whether amounts are hidden, for a shared screen.
    var isVeiled = false

    private static let days = 365

    init(_ request: Request, _ origin: AppOrigin?) {
        guard let origin else { return }
        let value = { (name: String) in HostCookie(name).values(request.head).first }
        theme = value(Self.themeName(origin)).flatMap { Theme(rawValue: $0) } ?? .system
        isVeiled = value(Self.veilName(origin)) == "on"
    }

    // Cookies belong to a host with all its ports, so the names have the port.
    private static func themeName(_ origin: AppOrigin) -> String { "subguard_theme_\(origin.port)" }
    private static func veilName(_ origin: AppOrigin) -> String { "subguard_veil_\(origin.port)" }

    /// The script sets the second one too, when amounts are hidden with a key.
    func cookies(_ origin: AppOrigin) -> [String] {
        let rest = "; Path=/; Max-Age=\(Self.days * 86_400); SameSite=Strict"
        return [
            "\(Self.themeName(origin))=\(theme.rawValue)\(rest); HttpOnly",
            "\(Self.veilName(origin))=\(isVeiled ? "on" : "off")\(rest)",
        ]
    }

    /// For browsers before they have read the styles.
    var colorScheme: String { theme == .system ? "light dark" : theme.rawValue }
}

/// The appearance in one browser: light or dark, and whether amounts are hidden.
enum LookPages {
    static let link = HTMLLink("look")

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.form("/look") { visit, form in
                guard let origin = visit.context.origin else { throw AppRefusal.locked }
                var look = visit.look
                if let theme = form["theme"] {
                    guard let theme = AppLook.Theme(rawValue: theme) else {
                        throw AppRefusal.unreadable("No appearance was chosen.")
                    }
                    look.theme = theme
                }
                if let veil = form["veil"] { look.isVeiled = veil == "on" }
                return .answer(AppResponse.seeOther(AppVisit.back(form["back"]).text, cookies: look.cookies(origin)))
            }
        ]
    }

    /// The part of the settings.
    static func write(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(.section, .class("panel stack")) { html in
            html.post(link, "stack") { html in
                html.hidden("back", AppSection.settings.link.text)
                html.choice(
                    "theme", visit.text("Appearance"), current: visit.look.theme.rawValue,
                    AppLook.Theme.allCases.map { ($0.rawValue, visit.name($0)) })
                html.hint(visit.text("For this browser only."))
                html.submit(visit.text("Save"))
            }
            writeVeil(visit, back: AppSection.settings.link, to: &html)
        }
    }

    /// The button that hides and shows amounts. Both labels are there, as the script changes nothing but the page's
    /// class.
    static func writeVeil(_ visit: AppVisit, back: HTMLLink, to html: inout HTMLWriter) {
        html.add(.form, .methodPost, .action(link), .data("veil")) { html in
            html.hidden("veil", visit.look.isVeiled ? "off" : "on")
            html.hidden("back", back.text)
            html.add(.button, .type("submit"), .class("veil")) { html in
                html.add(.span, .class("when-shown"), text: visit.text("Hide amounts"))
                html.add(.span, .class("when-veiled"), text: visit.text("Show amounts"))
            }
        }
    }
}

extension AppVisit {
    fileprivate func name(_ theme: AppLook.Theme) -> String {
        switch theme {
        case .system: text("as the system")
        case .light: text("light")
        case .dark: text("dark")
        }
    }
}

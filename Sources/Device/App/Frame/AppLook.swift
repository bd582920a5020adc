import HTML
import HTTPServer
import HTTPWire
import Pages
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

    init() {}

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

import Console
import HTTPServer
import HTTPTypes
import HTTPWire
import Pages
import Publication
import ServerAccess

/// The cookies of the console.
struct ConsoleCookies: Sendable {
    /// Whether the browser's connection is encrypted.
    let isSecure: Bool

    /// With the prefix, browsers accept the cookie only from this very host, over TLS (RFC 6265bis section 4.1.3.2).
    private var session: HostCookie { Self.cookie(isSecure ? "__Host-subguard" : "subguard_console") }
    private var openID: HostCookie { Self.cookie(isSecure ? "__Host-subguard_oidc" : "subguard_oidc") }
    private static var language: HostCookie { cookie("subguard_language") }

    /// Servers under several paths of one host each have their own. The prefix demands the path `/` all the same.
    private static func cookie(_ name: String) -> HostCookie {
        HostCookie(name + PublishedPath.prefix.replacing("/", with: "-"))
    }

    private static let languageSeconds = 365 * 86_400

    /// What may be the secret of the session. There are several where a page on another port of localhost has set
    /// cookies of the same name; the prefix prevents it elsewhere.
    func sessions(_ head: RequestHead) -> Set<String> {
        Set(session.values(head).filter(ConsoleSecret.isWellFormed))
    }

    /// The secret of the browser that began a sign-in by OpenID Connect; nil if several were sent.
    func openID(_ head: RequestHead) -> String? {
        let values = openID.values(head)
        return values.count == 1 && ConsoleSecret.isWellFormed(values[0]) ? values[0] : nil
    }

    static func language(_ head: RequestHead) -> ConsoleLanguage? {
        language.values(head).first.flatMap { ConsoleLanguage(rawValue: $0) }
    }

    // MARK: Set-Cookie

    func begin(_ secret: String) -> String {
        """
        \(session.name)=\(secret); Path=/; Max-Age=\(ConsoleSession.longestDays * 86_400); HttpOnly; \
        SameSite=Lax\(suffix)
        """
    }

    /// Removes the cookie of the session, and those of its name that another port has set with another path.
    func end(_ head: RequestHead) -> [String] { [endSession("/")] + endOthers(head) }

    /// Removes the cookies of the session's name that another port has set.
    func endOthers(_ head: RequestHead) -> [String] {
        isSecure ? [] : session.strayPaths(head).map(endSession)
    }

    private func endSession(_ path: String) -> String {
        "\(session.name)=; Path=\(path); Max-Age=0; HttpOnly; SameSite=Lax\(suffix)"
    }

    /// Lax, because the provider's page leads back here.
    func beginOpenID(_ secret: String) -> String {
        "\(openID.name)=\(secret); Path=/; Max-Age=\(OpenIDAttempt.minutes * 60); HttpOnly; SameSite=Lax\(suffix)"
    }

    var endOpenID: String { "\(openID.name)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax\(suffix)" }

    func choose(_ language: ConsoleLanguage) -> String {
        """
        \(Self.language.name)=\(language.rawValue); Path=/; Max-Age=\(Self.languageSeconds); HttpOnly; \
        SameSite=Lax\(suffix)
        """
    }

    private var suffix: String { isSecure ? "; Secure" : "" }
}

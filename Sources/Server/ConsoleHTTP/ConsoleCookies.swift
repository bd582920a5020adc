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

    func begin(_ secret: String) -> String { field(session, secret, seconds: ConsoleSession.longestDays * 86_400) }

    /// Removes the cookie of the session, and those of its name that another port has set with another path.
    func end(_ head: RequestHead) -> [String] { [field(session, "", seconds: 0)] + endOthers(head) }

    /// Removes the cookies of the session's name that another port has set.
    func endOthers(_ head: RequestHead) -> [String] {
        isSecure ? [] : session.strayPaths(head).map { field(session, "", seconds: 0, path: $0) }
    }

    func beginOpenID(_ secret: String) -> String { field(openID, secret, seconds: OpenIDAttempt.minutes * 60) }

    var endOpenID: String { field(openID, "", seconds: 0) }

    func choose(_ language: ConsoleLanguage) -> String {
        field(Self.language, language.rawValue, seconds: Self.languageSeconds)
    }

    /// Lax, because the page of an identity provider leads back here. With 0 seconds, the cookie is removed.
    private func field(_ cookie: HostCookie, _ value: String, seconds: Int, path: String = "/") -> String {
        """
        \(cookie.name)=\(value); Path=\(path); Max-Age=\(seconds); HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")
        """
    }
}

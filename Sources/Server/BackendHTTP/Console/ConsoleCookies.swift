import Backend
import Console
import HTTPServer
import HTTPTypes
import HTTPWire

/// The cookies of the console.
struct ConsoleCookies: Sendable {
    /// Whether the browser's connection is encrypted.
    let isSecure: Bool

    /// With the prefix, browsers accept the cookie only from this very host, over TLS (RFC 6265bis section 4.1.3.2).
    private var sessionName: String { isSecure ? "__Host-subguard" : "subguard_console" }
    private var openIDName: String { isSecure ? "__Host-subguard_oidc" : "subguard_oidc" }
    private static let languageName = "subguard_language"
    private static let languageSeconds = 365 * 86_400

    /// What may be the secret of the session: the first few values of its cookie. There are several where a page on
    /// another port of localhost has set one of the same name with another path; the prefix prevents it elsewhere.
    func sessions(_ head: RequestHead) -> [String] {
        Self.values(of: sessionName, in: head).filter(ConsoleSecret.isWellFormed).prefix(Self.mostSessions).map(\.self)
    }

    private static let mostSessions = 4

    /// The secret of the browser that began a sign-in by OpenID Connect; nil if several were sent.
    func openID(_ head: RequestHead) -> String? {
        let values = Self.values(of: openIDName, in: head)
        return values.count == 1 && ConsoleSecret.isWellFormed(values[0]) ? values[0] : nil
    }

    static func language(_ head: RequestHead) -> ConsoleLanguage? {
        values(of: languageName, in: head).first.flatMap { ConsoleLanguage(rawValue: $0) }
    }

    private static func values(of name: String, in head: RequestHead) -> [String] {
        head.values(of: .cookie).flatMap { $0.split(separator: ";") }.compactMap { pair in
            let trimmed = pair.drop { $0 == " " }
            guard let mark = trimmed.firstIndex(of: "="), trimmed[..<mark] == name else { return nil }
            return String(trimmed[trimmed.index(after: mark)...])
        }
    }

    // MARK: Set-Cookie

    func begin(_ secret: String) -> String {
        "\(sessionName)=\(secret); Path=/; Max-Age=\(ConsoleSession.longestDays * 86_400); HttpOnly; SameSite=Lax\(suffix)"
    }

    /// Removes the cookie of the session, and those of its name that another port has set with another path.
    func end(_ head: RequestHead) -> [String] { [endSession("/")] + endOthers(head) }

    /// Removes the cookies of the session's name that belong to other paths than all of this host. Those that reach the
    /// request belong to the beginning of its path.
    func endOthers(_ head: RequestHead) -> [String] {
        guard !isSecure, Self.values(of: sessionName, in: head).count > 1 else { return [] }
        var paths: [String] = []
        var path = ""
        for byte in head.withPath({ Array($0) }).prefix(Self.longestPath) {
            guard ConsolePlaces.isPlain(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%") else { break }
            if byte == UInt8(ascii: "/"), !path.isEmpty { paths += [path, path + "/"] }
            path.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return (paths + [path]).filter { $0 != "/" && !$0.isEmpty }.map(endSession)
    }

    private static let longestPath = 200

    private func endSession(_ path: String) -> String {
        "\(sessionName)=; Path=\(path); Max-Age=0; HttpOnly; SameSite=Lax\(suffix)"
    }

    /// Lax, because the provider's page leads back here.
    func beginOpenID(_ secret: String) -> String {
        "\(openIDName)=\(secret); Path=/; Max-Age=\(OpenIDAttempt.minutes * 60); HttpOnly; SameSite=Lax\(suffix)"
    }

    var endOpenID: String { "\(openIDName)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax\(suffix)" }

    func choose(_ language: ConsoleLanguage) -> String {
        "\(Self.languageName)=\(language.rawValue); Path=/; Max-Age=\(Self.languageSeconds); HttpOnly; SameSite=Lax\(suffix)"
    }

    private var suffix: String { isSecure ? "; Secure" : "" }
}

import HTML
import ServerContract
import SubGuardDomain

/// The pages about access, as tabs under the heading.
enum AccessTab {
    case tokens, roles, sessions, passkeys

    static let tokensLink = ConsoleSection.access.link
    static let sessionsLink = HTMLLink("console", "sessions")
    static let passkeysLink = HTMLLink("console", "access", "passkeys")

    /// Sessions and passkeys are for everybody; the other two need the permission.
    static func write(_ current: AccessTab, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let managed: [(AccessTab, Sentence, HTMLLink)] = [
            (.tokens, "Tokens", tokensLink), (.roles, "Roles", HTMLLink("console", "access", "roles")),
        ]
        let own: [(AccessTab, Sentence, HTMLLink)] = [
            (.sessions, "Sessions", sessionsLink), (.passkeys, "Passkeys", passkeysLink),
        ]
        frame.tabs(
            "Pages about access", (frame.may(.accessTokens) ? managed : []) + own, current: current, to: &html)
    }
}

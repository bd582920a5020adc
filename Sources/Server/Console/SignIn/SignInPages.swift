import HTML
import SubGuardDomain

/// The pages before a session: sign-in by token or link, errors, and the page at the root of the server.
package enum SignInPage {
    /// Why the form is shown again, or shown at all.
    package enum Notice: Sendable, Equatable {
        case tokenMissing
        case tokenWrong
        case tooManyFailures(seconds: Int)
        case signedOut
        case sessionEnded
        case notSaved
        case passkeyWrong
    }

    /// - Parameters:
    ///   - next: the path and query to open after the sign-in.
    ///   - provider: the name of the identity provider, if there is one.
    ///   - hasPasskeys: whether browsers can use passkeys at the address of the request.
    package static func form(
        _ frame: ConsoleFrame, notice: Notice?, next: String?, provider: String?, hasPasskeys: Bool = false
    ) -> [UInt8] {
        let words = frame.words
        return frame.card(
            title: words["Sign in"],
            lead: words[
                "Paste an access token to open the console. The token is checked once and not kept "
                    + "in the browser."]
        ) { html in
            let isFault = notice.map { ![.signedOut, .sessionEnded, .passkeyWrong].contains($0) } ?? false
            if let notice, !isFault {
                html.notice(notice == .passkeyWrong ? .bad : .plain, text: text(notice, words))
            }
            html.form(loginLink, hidden(next), .class("stack")) { html in
                writeToken(
                    "token", fault: isFault ? notice.map { text($0, words) } : nil,
                    hint: "It begins with sgt_. On the server, “subguardd token create” makes one; “subguardd console "
                        + "link” prints a link that needs none.", words, to: &html)
                html.submit(words["Sign in"], .class("primary"))
            }
            if let provider {
                html.add(.p) { html in
                    html.linkButton(words.text("Sign in with %1", provider), openIDLink(next: next))
                }
            }
            if hasPasskeys { writePasskey(words, next: next, to: &html) }
        }
    }

    static let loginLink = HTMLLink("console", "login")

    private static func hidden(_ next: String?) -> [NamedValue] { next.map { [("next", $0)] } ?? [] }

    /// The field for an access token.
    static func writeToken(
        _ id: String, fault: String?, hint: Sentence? = nil, _ words: ConsoleWords, to html: inout HTMLWriter
    ) {
        html.field(
            id, words["Access token"], faults: fault.map { [$0] } ?? [], areAlerts: true,
            hint: hint.map { words[$0] }
        ) { html, marks in
            html.add(
                .input, .id(id), .name(id), .type("password"), .autocomplete("off"), .spellcheck(false), .required,
                .maxLength(100), .autofocus, marks.described, marks.invalid)
        }
    }

    /// The button for a passkey. The script shows it where the browser knows passkeys.
    private static func writePasskey(_ words: ConsoleWords, next: String?, to html: inout HTMLWriter) {
        let fields = ["credential", "client_data", "authenticator_data", "signature", "user_handle"]
        html.form(
            HTMLLink("console", "login", "passkey"), hidden(next) + fields.map { ($0, "") }, .class("stack"),
            .data("passkey", "get"), .data("failed", words["No passkey was used. Try again, or paste a token."]),
            .hidden
        ) { html in
            html.submit(words["Sign in with a passkey"])
            html.add(.p, .class("fault")) { _ in }
        }
    }

    private static func text(_ notice: Notice, _ words: ConsoleWords) -> String {
        switch notice {
        case .tokenMissing: words["Paste a token."]
        case .tokenWrong: words["This token is unknown, expired or revoked."]
        case .tooManyFailures(let seconds):
            words.text("Too many failed attempts from this address. Try again in %1 seconds.", "\(seconds)")
        case .signedOut: words["You are signed out."]
        case .sessionEnded: words["Your session has ended. Sign in again to continue."]
        case .notSaved:
            words[
                "Nothing was saved: your session has ended. Sign in again; “Back” in the browser shows what you "
                    + "typed."]
        case .passkeyWrong:
            words[
                "This passkey is not accepted: it is unknown or removed, its token is no longer "
                    + "valid, or it took too long."]
        }
    }

    /// The button of a one-time link. Only the POST uses it up, so that link previews do not.
    package static func link(_ frame: ConsoleFrame, code: String, name: String, role: String) -> [UInt8] {
        let words = frame.words
        return frame.card(
            title: words["Open the console"],
            lead: words.text("This one-time link signs you in as %1 with the role %2.", name, role)
        ) { html in
            html.form(HTMLLink("console", "link", code), [], .class("stack")) { html in
                html.submit(words["Open the console"], .class("primary"), .autofocus)
            }
        }
    }

    package static func linkUnusable(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.card(
            title: words["Open the console"], heading: words["This link is unknown, used or older than 10 minutes."],
            lead: words["Run subguardd console link on the server for a new one."]
        ) { html in
            html.add(.p) { $0.link(words["Sign in"], loginLink) }
        }
    }

    /// Instead of the form where a token would travel unencrypted.
    package static func needsHTTPS(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.card(
            title: words["Sign in"],
            lead: words[
                "The console needs HTTPS, except on localhost: otherwise others in the network could "
                    + "read your token."]
        ) { html in
            html.hint(
                words[
                    "Configure a certificate (tls_certificate), or a reverse proxy that speaks TLS and "
                        + "is listed in trusted_proxies."])
        }
    }

    /// The page at `/` for browsers.
    package static func start(_ frame: ConsoleFrame, hasConsole: Bool) -> [UInt8] {
        let words = frame.words
        return frame.card(
            title: "SubGuard",
            lead: words[
                "This server belongs to SubGuard: it stores a catalogue of subscriptions and "
                    + "anonymous statistics of the app."]
        ) { html in
            let doors: [(link: HTMLLink, name: Sentence, hint: Sentence)] = [
                (HTMLLink("console"), "Console", "Administration in the browser"),
                (HTMLLink("api", "v1", "openapi.json"), "API documentation", "OpenAPI document of every call"),
                (
                    HTMLLink("api", "v1", "privacy"), "Privacy report",
                    "What this server stores, and for how long"
                ),
            ]
            html.rows(doors.dropFirst(hasConsole ? 0 : 1), style: "doors") { door, html in
                html.add(.a, .href(door.link)) { html in
                    html.add(.strong, text: words[door.name])
                    html.add(.span, text: words[door.hint])
                }
            }
        }
    }
}

/// Why a sign-in by OpenID Connect failed.
package enum OpenIDRefusal: Sendable, Hashable {
    /// Another browser began the sign-in, or it was used or is too old.
    case notBegun
    case unreachable
    /// The person, or the provider, said no.
    case denied
    case refused(code: String)
    case invalid
    case noRole(mail: String?)
    case revoked
    case unknownRole(String)
    case tooMany(seconds: Int)
}

/// Sign-in with an identity provider.
extension SignInPage {
    /// - Parameters:
    ///   - provider: the name of the provider.
    ///   - next: the path and query to open after the sign-in.
    package static func openIDRefused(
        _ frame: ConsoleFrame, _ refusal: OpenIDRefusal, provider: String, next: String?
    ) -> [UInt8] {
        let words = frame.words
        return frame.card(title: words["Sign in"], heading: words["You are not signed in"]) { html in
            html.add(.p, .class("lead"), .role("alert"), text: text(refusal, provider, words))
            html.add(.p) { $0.linkButton(words["Try again"], openIDLink(next: next)) }
            html.add(.p) { $0.link(words["Sign in with an access token"], loginLink) }
        }
    }

    /// The beginning of a sign-in.
    static func openIDLink(next: String?, isAgain: Bool = false) -> HTMLLink {
        var query: [(name: String, value: String)] = []
        if isAgain { query.append(("again", "1")) }
        if let next { query.append(("next", next)) }
        return HTMLLink("console", "oidc", query: query)
    }

    private static func text(_ refusal: OpenIDRefusal, _ provider: String, _ words: ConsoleWords) -> String {
        switch refusal {
        case .notBegun:
            words[
                "This sign-in was begun in another browser or window, was used already, or is older "
                    + "than 10 minutes."]
        case .unreachable:
            words.text(
                "%1 does not respond as it should. Try again in a moment; the server’s log has the reason.", provider)
        case .denied: words.text("%1 says: the sign-in was declined.", provider)
        case .refused(let code): words.text("%1 refused the sign-in with the error %2.", provider, code)
        case .invalid:
            words.text(
                "The answer of %1 cannot be trusted, so you are not signed in. The server’s log has the reason.",
                provider)
        case .noRole(mail: let mail?):
            words.text(
                "%1 has no role here. An operator of this server decides that with the setting oidc_roles.", mail)
        case .noRole(mail: nil):
            words[
                "You have no role here: your provider named no verified mail address, and no group "
                    + "with a role. An operator of this server decides that with the setting oidc_roles."]
        case .revoked: words["An owner has revoked your access to this console."]
        case .unknownRole(let role):
            words.text("The setting oidc_roles gives you the role %1, which does not exist on this server.", role)
        case .tooMany(let seconds):
            words.text("Too many failed attempts from this address. Try again in %1 seconds.", "\(seconds)")
        }
    }
}

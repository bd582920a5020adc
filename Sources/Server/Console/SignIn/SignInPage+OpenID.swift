import HTML

/// Why nobody was signed in by OpenID Connect.
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
        return frame.card(title: words[.signIn], heading: words[.openIDRefused]) { html in
            html.add(.p, .class("lead"), .role("alert"), text: text(refusal, provider, words))
            html.add(.p) { html in
                html.add(.a, .class("button"), .href(openIDLink(next: next)), text: words[.openIDAgain])
            }
            html.add(.p) { html in
                html.add(.a, .href(HTMLLink("console", "login")), text: words[.openIDToken])
            }
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
        case .notBegun: words[.openIDNotBegun]
        case .unreachable: words.text(.openIDUnreachable, provider)
        case .denied: words.text(.openIDDenied, provider)
        case .refused(let code): words.text(.openIDError, provider, code)
        case .invalid: words.text(.openIDInvalid, provider)
        case .noRole(mail: let mail?): words.text(.openIDNoRole, mail)
        case .noRole(mail: nil): words[.openIDNoRoleNoMail]
        case .revoked: words[.openIDRevoked]
        case .unknownRole(let role): words.text(.openIDUnknownRole, role)
        case .tooMany(let seconds): words.text(.tooManyFailures, "\(seconds)")
        }
    }
}

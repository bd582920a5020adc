import HTML
import SubGuardDomain

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

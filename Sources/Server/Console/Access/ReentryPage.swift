package import HTML
import SubGuardDomain

/// The token that is asked for again before access is changed.
package enum Reentry {
    /// The field with the token; no form of the console has another use for it.
    package static let field = "confirm_token"

    package enum Fault: Sendable {
        case missing
        case wrong
        case tooMany(seconds: Int)

        fileprivate func text(_ words: ConsoleWords) -> String {
            switch self {
            case .missing: words["Paste a token."]
            case .wrong: words["This is not the token of your session."]
            case .tooMany(let seconds):
                words.text("Too many failed attempts from this address. Try again in %1 seconds.", "\(seconds)")
            }
        }
    }
}

extension SimplePage {
    /// Asks for the token again before access is changed. The form that led here is repeated in hidden fields, so
    /// nothing that was typed is lost.
    ///
    /// - Parameters:
    ///   - path: where the form was sent to.
    ///   - form: its fields.
    package static func reentry(_ path: [String], _ form: FormFields, fault: Reentry.Fault?) -> SimplePage {
        SimplePage { frame, words in
            frame.card(
                title: words["Confirm with your token"],
                lead: words.text(
                    "You are about to change access. Enter the token “%1” again; what you sent is kept "
                        + "and carried out then.", frame.viewer?.name ?? "")
            ) { html in
                html.form(
                    HTMLLink(path: path), form.fields.map { ($0.name, $0.value) }, .class("stack")
                ) { html in
                    SignInPage.writeToken(Reentry.field, fault: fault?.text(words), words, to: &html)
                    html.submit(words["Continue"], .class("primary"))
                }
                html.hint(
                    words[
                        "Needed when you signed in more than 15 minutes ago. Without the token, sign in with "
                            + "a new link."])
                html.add(.p) { $0.link(words["Cancel, change nothing"], ConsoleSection.overview.link) }
            }
        }
    }

    /// The same for a session without a token that could be entered. The form is not kept over the way to the identity
    /// provider and back; the page that it was on opens afterwards.
    ///
    /// - Parameter provider: its name.
    package static func reentry(_ path: [String], by provider: String) -> SimplePage {
        SimplePage { frame, words in
            let area = HTMLLink(path: Array(path.prefix(2)))
            return frame.card(
                title: words.text("Confirm with %1", provider),
                lead: words.text(
                    "Access is about to be changed. Sign in with %1 again, then repeat the change: what "
                        + "you sent is not kept.", provider)
            ) { html in
                html.add(.p) { html in
                    html.linkButton(
                        words.text("Sign in with %1", provider), SignInPage.openIDLink(next: area.text, isAgain: true))
                }
                html.hint(
                    words[
                        "If this page keeps coming back, the provider does not say when you signed in "
                            + "(auth_time). Sign in with an access token instead."])
                html.add(.p) { $0.link(words["Cancel, change nothing"], ConsoleSection.overview.link) }
            }
        }
    }
}

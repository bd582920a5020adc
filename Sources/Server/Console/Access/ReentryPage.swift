package import HTML
import SubGuardDomain

/// Asks for the token again before access is changed. The form that led here is repeated in hidden fields, so nothing
/// that was typed is lost.
package struct ReentryPage: ConsolePage {
    /// The field with the token; no form of the console has another use for it.
    package static let field = "confirm_token"

    package enum Fault: Sendable {
        case missing
        case wrong
        case tooMany(seconds: Int)
    }

    private let path: [String]
    private let form: FormFields
    private let fault: Fault?
    private let provider: String?

    /// - Parameters:
    ///   - path: where the form was sent to.
    ///   - form: its fields.
    ///   - provider: the name of the identity provider of a session without a token that could be entered.
    package init(path: [String], form: FormFields, fault: Fault?, provider: String? = nil) {
        self.provider = provider
        self.path = path
        self.form = form
        self.fault = fault
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        if let provider { return again(frame, provider) }
        return frame.card(
            title: words["Confirm with your token"],
            lead: words.text(
                "You are about to change access. Enter the token “%1” again; what you sent is kept "
                    + "and carried out then.", frame.viewer?.name ?? "")
        ) { html in
            html.form(
                HTMLLink(path: path), form.fields.map { ($0.name, $0.value) }, .class("stack")
            ) { html in
                SignInPage.writeToken(Self.field, fault: fault.map { text($0, words) }, words, to: &html)
                html.submit(words["Continue"], .class("primary"))
            }
            html.hint(
                words[
                    "Needed when you signed in more than 15 minutes ago. Without the token, sign in with "
                        + "a new link."])
            html.add(.p) { $0.link(words["Cancel, change nothing"], ConsoleSection.overview.link) }
        }
    }

    /// The form is not kept over the way to the provider and back; the page that it was on opens afterwards.
    private func again(_ frame: ConsoleFrame, _ provider: String) -> [UInt8] {
        let words = frame.words
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

    private func text(_ fault: Fault, _ words: ConsoleWords) -> String {
        switch fault {
        case .missing: words["Paste a token."]
        case .wrong: words["This is not the token of your session."]
        case .tooMany(let seconds):
            words.text("Too many failed attempts from this address. Try again in %1 seconds.", "\(seconds)")
        }
    }
}

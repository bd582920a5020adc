package import HTML
import SubGuardDomain

/// Asks for the token again before access is changed. The form that led here is repeated in hidden fields, so nothing
/// that was typed is lost.
package struct ReentryPage: Sendable {
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

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        if let provider { return again(frame, provider) }
        return frame.card(title: words["Confirm with your token"]) { html in
            html.add(
                .p, .class("lead"),
                text: words.text(
                    "You are about to change access. Enter the token “%1” again; what you sent is kept "
                        + "and carried out then.", frame.viewer?.name ?? ""))
            html.add(.form, .methodPost, .action(HTMLLink(path: path)), .class("stack")) { html in
                for field in form.fields {
                    html.hidden(field.name, field.value)
                }
                html.add(.div, .class("field")) { html in
                    html.add(.label, .for(Self.field), text: words["Access token"])
                    html.add(
                        .input, .id(Self.field), .name(Self.field), .type("password"), .autocomplete("off"),
                        .spellcheck(false), .required, .maxLength(100), .autofocus,
                        fault == nil ? nil : .aria("describedby", "reentry-fault"),
                        fault == nil ? nil : .aria("invalid", "true"))
                    if let fault {
                        html.add(.p, .id("reentry-fault"), .class("fault"), .role("alert"), text: text(fault, words))
                    }
                }
                html.add(.button, .type("submit"), .class("primary"), text: words["Continue"])
            }
            html.add(
                .p, .class("hint"),
                text: words[
                    "Needed when you signed in more than 15 minutes ago. Without the token, sign in with "
                        + "a new link."])
            html.add(.p) { html in
                html.add(.a, .href(ConsoleSection.overview.link), text: words["Cancel, change nothing"])
            }
        }
    }

    /// The form is not kept over the way to the provider and back; the page that it was on opens afterwards.
    private func again(_ frame: ConsoleFrame, _ provider: String) -> [UInt8] {
        let words = frame.words
        let area = HTMLLink(path: Array(path.prefix(2)))
        return frame.card(title: words.text("Confirm with %1", provider)) { html in
            html.add(
                .p, .class("lead"),
                text: words.text(
                    "Access is about to be changed. Sign in with %1 again, then repeat the change: what "
                        + "you sent is not kept.", provider))
            html.add(.p) { html in
                html.add(
                    .a, .class("button"), .href(SignInPage.openIDLink(next: area.text, isAgain: true)),
                    text: words.text("Sign in with %1", provider))
            }
            html.add(
                .p, .class("hint"),
                text: words[
                    "If this page keeps coming back, the provider does not say when you signed in "
                        + "(auth_time). Sign in with an access token instead."])
            html.add(.p) { html in
                html.add(.a, .href(ConsoleSection.overview.link), text: words["Cancel, change nothing"])
            }
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

package import HTML

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
        return frame.card(title: words[.reentryTitle]) { html in
            html.add(.p, .class("lead"), text: words.text(.reentryLead, frame.viewer?.name ?? ""))
            html.add(.form, .methodPost, .action(HTMLLink(path: path)), .class("stack")) { html in
                for field in form.fields {
                    html.add(.input, .type("hidden"), .name(field.name), .value(field.value))
                }
                html.add(.div, .class("field")) { html in
                    html.add(.label, .for(Self.field), text: words[.token])
                    html.add(
                        .input, .id(Self.field), .name(Self.field), .type("password"), .autocomplete("off"),
                        .spellcheck(false), .required, .maxLength(100), .autofocus,
                        fault == nil ? nil : .aria("describedby", "reentry-fault"),
                        fault == nil ? nil : .aria("invalid", "true"))
                    if let fault {
                        html.add(.p, .id("reentry-fault"), .class("fault"), .role("alert"), text: text(fault, words))
                    }
                }
                html.add(.button, .type("submit"), .class("primary"), text: words[.reentryContinue])
            }
            html.add(.p, .class("hint"), text: words[.reentryHint])
            html.add(.p) { html in
                html.add(.a, .href(ConsoleSection.overview.link), text: words[.reentryCancel])
            }
        }
    }

    /// The form is not kept over the way to the provider and back; the page that it was on opens afterwards.
    private func again(_ frame: ConsoleFrame, _ provider: String) -> [UInt8] {
        let words = frame.words
        let area = HTMLLink(path: Array(path.prefix(2)))
        return frame.card(title: words.text(.openIDReentryTitle, provider)) { html in
            html.add(.p, .class("lead"), text: words.text(.openIDReentryLead, provider))
            html.add(.p) { html in
                html.add(
                    .a, .class("button"), .href(SignInPage.openIDLink(next: area.text, isAgain: true)),
                    text: words.text(.openIDSignIn, provider))
            }
            html.add(.p, .class("hint"), text: words[.openIDReentryHint])
            html.add(.p) { html in
                html.add(.a, .href(ConsoleSection.overview.link), text: words[.reentryCancel])
            }
        }
    }

    private func text(_ fault: Fault, _ words: ConsoleWords) -> String {
        switch fault {
        case .missing: words[.tokenMissing]
        case .wrong: words[.reentryWrong]
        case .tooMany(let seconds): words.text(.tooManyFailures, "\(seconds)")
        }
    }
}

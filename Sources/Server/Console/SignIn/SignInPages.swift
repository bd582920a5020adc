import HTML
package import SubGuardContract
package import SubGuardDomain

/// The pages before a session: sign-in by token or link, errors, and the page at the root of the server.
package enum SignInPage {
    /// Why the form is shown again, or shown at all.
    package enum Notice: Sendable, Equatable {
        case tokenMissing
        case tokenWrong
        case tooManyFailures(seconds: Int)
        case signedOut
        case sessionEnded
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
        return frame.card(title: words[.signIn]) { html in
            html.add(.p, .class("lead"), text: words[.signInLead])
            let isFault = notice.map { ![.signedOut, .sessionEnded, .passkeyWrong].contains($0) } ?? false
            if notice == .passkeyWrong {
                html.add(.p, .class("notice bad"), .role("alert"), text: words[.passkeyWrong])
            } else if let notice, !isFault {
                html.add(.p, .class("notice"), .role("status"), text: text(notice, words))
            }
            html.add(.form, .methodPost, .action(HTMLLink("console", "login")), .class("stack")) { html in
                if let next { html.add(.input, .type("hidden"), .name("next"), .value(next)) }
                html.add(.div, .class("field")) { html in
                    html.add(.label, .for("token"), text: words[.token])
                    html.add(
                        .input, .id("token"), .name("token"), .type("password"), .autocomplete("off"),
                        .spellcheck(false), .required, .maxLength(100), .autofocus,
                        .aria("describedby", isFault ? "token-fault token-hint" : "token-hint"),
                        isFault ? .aria("invalid", "true") : nil)
                    if let notice, isFault {
                        html.add(.p, .id("token-fault"), .class("fault"), .role("alert"), text: text(notice, words))
                    }
                    html.add(.p, .id("token-hint"), .class("hint"), text: words[.tokenHint])
                }
                html.add(.button, .type("submit"), .class("primary"), text: words[.signIn])
            }
            if let provider {
                html.add(.p) { html in
                    html.add(
                        .a, .class("button"), .href(openIDLink(next: next)), text: words.text(.openIDSignIn, provider))
                }
            }
            if hasPasskeys { writePasskey(words, next: next, to: &html) }
        }
    }

    /// The button for a passkey. The script shows it where the browser knows passkeys.
    private static func writePasskey(_ words: ConsoleWords, next: String?, to html: inout HTMLWriter) {
        html.add(
            .form, .methodPost, .action(HTMLLink("console", "login", "passkey")), .class("stack"),
            .data("passkey", "get"), .data("failed", words[.passkeyNotUsed]), .hidden
        ) { html in
            if let next { html.add(.input, .type("hidden"), .name("next"), .value(next)) }
            for field in ["credential", "client_data", "authenticator_data", "signature", "user_handle"] {
                html.add(.input, .type("hidden"), .name(field), .value(""))
            }
            html.add(.button, .type("submit"), text: words[.passkeySignIn])
            html.add(.p, .class("fault")) { _ in }
        }
    }

    private static func text(_ notice: Notice, _ words: ConsoleWords) -> String {
        switch notice {
        case .tokenMissing: words[.tokenMissing]
        case .tokenWrong: words[.tokenWrong]
        case .tooManyFailures(let seconds): words.text(.tooManyFailures, "\(seconds)")
        case .signedOut: words[.signedOut]
        case .sessionEnded: words[.sessionEnded]
        case .passkeyWrong: words[.passkeyWrong]
        }
    }

    /// The button of a one-time link. Only the POST uses it up, so that link previews do not.
    package static func link(_ frame: ConsoleFrame, code: String, name: String, role: String) -> [UInt8] {
        let words = frame.words
        return frame.card(title: words[.openConsole]) { html in
            html.add(.p, .class("lead"), text: words.text(.linkLead, name, role))
            html.add(.form, .methodPost, .action(HTMLLink("console", "link", code)), .class("stack")) { html in
                html.add(.button, .type("submit"), .class("primary"), .autofocus, text: words[.openConsole])
            }
        }
    }

    package static func linkUnusable(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.card(title: words[.openConsole], heading: words[.linkWrong]) { html in
            html.add(.p, .class("lead"), text: words[.linkWrongHint])
            html.add(.p) { html in
                html.add(.a, .href(HTMLLink("console", "login")), text: words[.signIn])
            }
        }
    }

    /// Instead of the form where a token would travel unencrypted.
    package static func needsHTTPS(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.card(title: words[.signIn]) { html in
            html.add(.p, .class("lead"), text: words[.needsHTTPS])
            html.add(.p, .class("hint"), text: words[.needsHTTPSHint])
        }
    }

    /// The page at `/` for browsers.
    package static func start(_ frame: ConsoleFrame, hasConsole: Bool) -> [UInt8] {
        let words = frame.words
        return frame.card(title: "SubGuard") { html in
            html.add(.p, .class("lead"), text: words[.startLead])
            html.add(.ul, .class("doors")) { html in
                if hasConsole { door(HTMLLink("console"), words[.console], words[.startConsole], &html) }
                door(HTMLLink("api", "v1", "openapi.json"), words[.startAPI], words[.startAPIHint], &html)
                door(
                    HTMLLink("api", "v1", "privacy"), words[.startPrivacy], words[.startPrivacyHint], &html)
            }
        }
    }

    private static func door(_ link: HTMLLink, _ name: String, _ hint: String, _ html: inout HTMLWriter) {
        html.add(.li) { html in
            html.add(.a, .href(link)) { html in
                html.add(.strong, text: name)
                html.add(.span, text: hint)
            }
        }
    }
}

/// The page of an error.
package struct ErrorPage: Sendable {
    private let code: ProblemCode
    private let faults: [Fault]
    /// The sentence of the API's problem, in English.
    private let sentence: Sentence
    private let requestID: String
    private let isConsole: Bool

    /// - Parameter isConsole: whether it is a page of the console, to which it leads back.
    package init(
        _ code: ProblemCode, faults: [Fault] = [], detail sentence: Sentence, requestID: String, isConsole: Bool
    ) {
        self.code = code
        self.faults = faults
        self.sentence = sentence
        self.requestID = requestID
        self.isConsole = isConsole
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.card(title: words[heading]) { html in
            if code == .requestRunning {
                html.add(.p, .class("lead"), text: words[.errorRunningLead])
            } else {
                addLead(to: &html, words)
            }
            html.add(.p) { html in
                html.add(
                    .a, .href(isConsole ? ConsoleSection.overview.link : HTMLLink()),
                    text: words[isConsole ? .back : .backToStart])
            }
            html.add(.p, .class("hint"), text: words.text(.requestID, requestID))
        }
    }

    /// The faults, or what happened.
    private func addLead(to html: inout HTMLWriter, _ words: ConsoleWords) {
        if faults.isEmpty {
            html.add(.p, .class("lead"), text: words.sentence(.problem(sentence, code)))
        }
        for fault in faults {
            let text = words.plain(fault)
            html.add(.p, .class("lead")) { html in
                html.add(.code, text: fault.pointer)
                html.text(": ")
                html.add(.span, text: text)
            }
        }
        if code == .crossSite { html.add(.p, text: words[.errorCrossSiteLead]) }
    }

    private var heading: Phrase {
        switch code {
        case .crossSite: return .errorCrossSite
        case .requestRunning: return .errorRunning
        default: break
        }
        return switch code.status {
        case 401, 403: .errorForbidden
        case 404: .errorNotFound
        case 405: .errorMethod
        case 429: .errorLimited
        case 503: .errorOverloaded
        case 500...: .errorInternal
        default: .errorInvalid
        }
    }
}

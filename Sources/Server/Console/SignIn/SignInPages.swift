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
        return frame.card(title: words["Sign in"]) { html in
            html.add(
                .p, .class("lead"),
                text: words[
                    "Paste an access token to open the console. The token is checked once and not kept "
                        + "in the browser."])
            let isFault = notice.map { ![.signedOut, .sessionEnded, .passkeyWrong].contains($0) } ?? false
            if notice == .passkeyWrong {
                html.add(
                    .p, .class("notice bad"), .role("alert"),
                    text: words[
                        "This passkey is not accepted: it is unknown or removed, its token is no longer "
                            + "valid, or it took too long."])
            } else if let notice, !isFault {
                html.add(.p, .class("notice"), .role("status"), text: text(notice, words))
            }
            html.add(.form, .methodPost, .action(HTMLLink("console", "login")), .class("stack")) { html in
                if let next { html.hidden("next", next) }
                html.add(.div, .class("field")) { html in
                    html.add(.label, .for("token"), text: words["Access token"])
                    html.add(
                        .input, .id("token"), .name("token"), .type("password"), .autocomplete("off"),
                        .spellcheck(false), .required, .maxLength(100), .autofocus,
                        .aria("describedby", isFault ? "token-fault token-hint" : "token-hint"),
                        isFault ? .aria("invalid", "true") : nil)
                    if let notice, isFault {
                        html.add(.p, .id("token-fault"), .class("fault"), .role("alert"), text: text(notice, words))
                    }
                    html.add(
                        .p, .id("token-hint"), .class("hint"),
                        text: words[
                            "It begins with sgt_. On the server, subguardd token create makes one, and subguardd "
                                + "console link prints a link that needs none."])
                }
                html.add(.button, .type("submit"), .class("primary"), text: words["Sign in"])
            }
            if let provider {
                html.add(.p) { html in
                    html.add(
                        .a, .class("button"), .href(openIDLink(next: next)),
                        text: words.text("Sign in with %1", provider))
                }
            }
            if hasPasskeys { writePasskey(words, next: next, to: &html) }
        }
    }

    /// The button for a passkey. The script shows it where the browser knows passkeys.
    private static func writePasskey(_ words: ConsoleWords, next: String?, to html: inout HTMLWriter) {
        html.add(
            .form, .methodPost, .action(HTMLLink("console", "login", "passkey")), .class("stack"),
            .data("passkey", "get"), .data("failed", words["No passkey was used. Try again, or paste a token."]),
            .hidden
        ) { html in
            if let next { html.hidden("next", next) }
            for field in ["credential", "client_data", "authenticator_data", "signature", "user_handle"] {
                html.hidden(field, "")
            }
            html.add(.button, .type("submit"), text: words["Sign in with a passkey"])
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
        case .passkeyWrong:
            words[
                "This passkey is not accepted: it is unknown or removed, its token is no longer "
                    + "valid, or it took too long."]
        }
    }

    /// The button of a one-time link. Only the POST uses it up, so that link previews do not.
    package static func link(_ frame: ConsoleFrame, code: String, name: String, role: String) -> [UInt8] {
        let words = frame.words
        return frame.card(title: words["Open the console"]) { html in
            html.add(
                .p, .class("lead"),
                text: words.text("This one-time link signs you in as %1 with the role %2.", name, role))
            html.add(.form, .methodPost, .action(HTMLLink("console", "link", code)), .class("stack")) { html in
                html.add(.button, .type("submit"), .class("primary"), .autofocus, text: words["Open the console"])
            }
        }
    }

    package static func linkUnusable(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.card(
            title: words["Open the console"], heading: words["This link is unknown, used or older than 10 minutes."]
        ) { html in
            html.add(.p, .class("lead"), text: words["Run subguardd console link on the server for a new one."])
            html.add(.p) { html in
                html.add(.a, .href(HTMLLink("console", "login")), text: words["Sign in"])
            }
        }
    }

    /// Instead of the form where a token would travel unencrypted.
    package static func needsHTTPS(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.card(title: words["Sign in"]) { html in
            html.add(
                .p, .class("lead"),
                text: words[
                    "The console needs HTTPS, except on localhost: otherwise others in the network could "
                        + "read your token."])
            html.add(
                .p, .class("hint"),
                text: words[
                    "Configure a certificate (tls_certificate), or a reverse proxy that speaks TLS and "
                        + "is listed in trusted_proxies."])
        }
    }

    /// The page at `/` for browsers.
    package static func start(_ frame: ConsoleFrame, hasConsole: Bool) -> [UInt8] {
        let words = frame.words
        return frame.card(title: "SubGuard") { html in
            html.add(
                .p, .class("lead"),
                text: words[
                    "This server belongs to SubGuard: it stores a catalogue of subscriptions and "
                        + "anonymous statistics of the app."])
            html.add(.ul, .class("doors")) { html in
                if hasConsole {
                    door(HTMLLink("console"), words["Console"], words["Administration in the browser"], &html)
                }
                door(
                    HTMLLink("api", "v1", "openapi.json"), words["API documentation"],
                    words["OpenAPI document of every call"], &html)
                door(
                    HTMLLink("api", "v1", "privacy"), words["Privacy report"],
                    words["What this server stores, and for how long"], &html)
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
                html.add(
                    .p, .class("lead"),
                    text: words[
                        "The form was sent twice, and the first one is being carried out. Wait some seconds, "
                            + "then reload this page: it shows the result, and nothing is done twice."])
            } else {
                addLead(to: &html, words)
            }
            html.add(.p) { html in
                html.add(
                    .a, .href(isConsole ? ConsoleSection.overview.link : HTMLLink()),
                    text: words[isConsole ? "Back to the overview" : "To the start page"])
            }
            html.add(.p, .class("hint"), text: words.text("Request id: %1", requestID))
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
        if code == .crossSite {
            html.add(.p, text: words["Nothing was changed. Open the console itself and repeat it there."])
        }
    }

    private var heading: Sentence {
        switch code {
        case .crossSite: return "The request came from another page"
        case .requestRunning: return "Your first request is still running"
        default: break
        }
        return switch code.status {
        case 401, 403: "Your role may not do this"
        case 404: "There is no such page"
        case 405: "This address does not accept this method"
        case 429: "Too many requests"
        case 503: "The server is busy"
        case 500...: "Something went wrong"
        default: "The request was not accepted"
        }
    }
}

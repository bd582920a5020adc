package import Backend
import HTML
import SubGuardContract
package import SubGuardDomain

/// One token: what it may do, its sessions, and the way to revoke it.
package struct TokenPage: Sendable {
    private let token: AccessToken
    private let sessions: Int
    private let isOwn: Bool
    private let now: UTCInstant
    private let isJustRevoked: Bool

    /// - Parameters:
    ///   - sessions: how many sessions of the console it has.
    ///   - isOwn: whether the viewer's session belongs to it.
    package init(_ token: AccessToken, sessions: Int, isOwn: Bool, now: UTCInstant, isJustRevoked: Bool = false) {
        self.token = token
        self.sessions = sessions
        self.isOwn = isOwn
        self.now = now
        self.isJustRevoked = isJustRevoked
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.access, title: token.name) { html in
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1) { $0.add(.bdi, text: token.name) }
                    html.add(.p) { html in
                        html.add(.a, .href(HTMLLink("console", "access")), text: words["All tokens"])
                    }
                }
                html.add(.div, .class("actions")) { html in
                    if token.status(at: now) == .valid {
                        html.add(
                            .a, .class("button danger"),
                            .href(HTMLLink("console", "access", "tokens", token.id.lowercased, "revoke")),
                            text: words["Revoke…"])
                    }
                }
            }
            frame.notice(
                isJustRevoked ? "The token is revoked. Programs that use it get 401 from now on." : nil, to: &html)
            html.add(.dl, .class("panel sheet")) { html in
                fact("Status", words, to: &html) { words.write(token.status(at: now), to: &$0) }
                fact("Role", words, to: &html) { $0.text(token.role.name) }
                fact("First characters", words, to: &html) { $0.add(.code, text: "\(token.hint)…") }
                for (label, instant) in [
                    ("Created" as Sentence, token.createdAt), ("Last used", token.lastUsedAt),
                    ("Expires", token.expiresAt), ("Revoked", token.revokedAt),
                ] where label != "Revoked" || instant != nil {
                    fact(label, words, to: &html) { html in
                        html.text(instant.map { words.instant($0) } ?? words["never"])
                    }
                }
                fact("Sessions", words, to: &html) { html in
                    html.add(
                        .a, .href(HTMLLink("console", "sessions")),
                        text: words.count(Int64(sessions), "%1 session|%1 sessions"))
                }
            }
            html.add(.section, .class("section")) { html in
                html.add(.h2, text: words["Permissions"])
                if token.role.permissions.isEmpty {
                    html.add(.p, .class("muted"), text: words["None: its role was removed."])
                }
                html.add(.ul, .class("grants")) { html in
                    for permission in Permission.allCases where token.role.allows(permission) {
                        html.add(.li) { html in
                            html.text(words.name(permission) + " ")
                            html.addName(permission.rawValue, .class("muted"))
                        }
                    }
                }
                html.add(.p, .class("hint")) { html in
                    html.add(.a, .href(Self.history(token)), text: words["What it changed, in the audit log"])
                }
            }
        }
    }

    private static func history(_ token: AccessToken) -> HTMLLink {
        HTMLLink("console", "audit", query: [("token_id", token.id.lowercased)])
    }

    private func fact(
        _ label: Sentence, _ words: ConsoleWords, to html: inout HTMLWriter, value: (inout HTMLWriter) -> Void
    ) {
        html.add(.div) { html in
            html.add(.dt, text: words[label])
            html.add(.dd) { value(&$0) }
        }
    }

    /// Asks before a token is revoked, and says what ends with it.
    package func revocation(_ frame: ConsoleFrame, refusals: [Refusal] = []) -> [UInt8] {
        let words = frame.words
        return frame.page(.access, title: words.text("Revoke %1?", token.name)) { html in
            html.add(.div, .class("top")) { html in
                html.add(.h1, text: words.text("Revoke %1?", token.name))
            }
            frame.refusal(refusals, to: &html)
            html.add(.div, .class("panel stack")) { html in
                html.add(.ul, .class("bullets")) { html in
                    html.add(
                        .li, text: words.text("Programs that use the token %1 are refused at once.", "\(token.hint)…"))
                    html.add(
                        .li,
                        text: words.count(
                            Int64(sessions), "%1 session of the console ends.|%1 sessions of the console end."))
                    html.add(.li, text: words["This cannot be undone; a new token can be created."])
                    if isOwn {
                        html.add(.li) {
                            $0.add(
                                .strong, text: words["This is the token of your own session: you will be signed out."])
                        }
                    }
                }
                html.add(
                    .form, .methodPost,
                    .action(HTMLLink("console", "access", "tokens", token.id.lowercased, "revoke"))
                ) { html in
                    html.add(.p, .class("actions")) { html in
                        html.add(.button, .type("submit"), .class("danger"), text: words["Revoke the token"])
                        html.add(
                            .a, .class("button"),
                            .href(HTMLLink("console", "access", "tokens", token.id.lowercased)),
                            text: words["Change nothing"])
                    }
                }
            }
        }
    }

    /// The only page with the secret of a new token.
    package static func created(_ frame: ConsoleFrame, name: String, role: String, secret: String) -> [UInt8] {
        let words = frame.words
        return frame.page(.access, title: words["Copy the token now"]) { html in
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: words["Copy the token now"])
                    html.add(.p, text: words.text("The token “%1” with the role %2 is valid now.", name, role))
                }
            }
            html.add(.div, .class("panel stack")) { html in
                html.add(.div, .class("field")) { html in
                    html.add(.label, .for("secret"), text: words["Access token"])
                    html.add(.div, .class("copied")) { html in
                        html.add(
                            .input, .id("secret"), .value(secret), .readOnly, .autocomplete("off"),
                            .spellcheck(false), .aria("describedby", "secret-hint"))
                        html.add(
                            .button, .type("button"), .data("copy", "secret"),
                            .data("done", words["Copied"]), .hidden, text: words["Copy"])
                    }
                    html.add(
                        .p, .id("secret-hint"), .class("hint"),
                        text: words["It is not shown again. Keep it in a password manager."])
                }
                html.add(.p) { html in
                    html.add(.a, .class("button"), .href(HTMLLink("console", "access")), text: words["All tokens"])
                }
            }
        }
    }
}

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
                        html.add(.a, .href(HTMLLink("console", "access")), text: words[.accessBack])
                    }
                }
                html.add(.div, .class("actions")) { html in
                    if token.status(at: now) == .valid {
                        html.add(
                            .a, .class("button danger"),
                            .href(HTMLLink("console", "access", "tokens", token.id.lowercased, "revoke")),
                            text: words[.accessRevoke])
                    }
                }
            }
            frame.notice(isJustRevoked ? .accessWasRevoked : nil, to: &html)
            html.add(.dl, .class("panel sheet")) { html in
                fact(.status, words, to: &html) { words.write(token.status(at: now), to: &$0) }
                fact(.accessRole, words, to: &html) { $0.text(token.role.name) }
                fact(.accessHint, words, to: &html) { $0.add(.code, text: "\(token.hint)…") }
                for (label, instant) in [
                    (Phrase.accessCreated, token.createdAt), (.accessLastUsed, token.lastUsedAt),
                    (.accessExpires, token.expiresAt), (.accessRevokedAt, token.revokedAt),
                ] where label != .accessRevokedAt || instant != nil {
                    fact(label, words, to: &html) { html in
                        html.text(instant.map { words.instant($0) } ?? words[.accessNever])
                    }
                }
                fact(.accessSessions, words, to: &html) { html in
                    html.add(
                        .a, .href(HTMLLink("console", "sessions")),
                        text: words.count(Int64(sessions), one: .accessOneSession, many: .accessManySessions))
                }
            }
            html.add(.section, .class("section")) { html in
                html.add(.h2, text: words[.accessPermissions])
                if token.role.permissions.isEmpty { html.add(.p, .class("muted"), text: words[.accessNoPermissions]) }
                html.add(.ul, .class("grants")) { html in
                    for permission in Permission.allCases where token.role.allows(permission) {
                        html.add(.li) { html in
                            html.text(words.name(permission) + " ")
                            html.addName(permission.rawValue, .class("muted"))
                        }
                    }
                }
                html.add(.p, .class("hint")) { html in
                    html.add(.a, .href(Self.history(token)), text: words[.accessChanges])
                }
            }
        }
    }

    private static func history(_ token: AccessToken) -> HTMLLink {
        HTMLLink("console", "audit", query: [("token_id", token.id.lowercased)])
    }

    private func fact(
        _ label: Phrase, _ words: ConsoleWords, to html: inout HTMLWriter, value: (inout HTMLWriter) -> Void
    ) {
        html.add(.div) { html in
            html.add(.dt, text: words[label])
            html.add(.dd) { value(&$0) }
        }
    }

    /// Asks before a token is revoked, and says what ends with it.
    package func revocation(_ frame: ConsoleFrame, refusals: [Refusal] = []) -> [UInt8] {
        let words = frame.words
        return frame.page(.access, title: words.text(.accessRevokeNamed, token.name)) { html in
            html.add(.div, .class("top")) { html in
                html.add(.h1, text: words.text(.accessRevokeNamed, token.name))
            }
            frame.refusal(refusals, to: &html)
            html.add(.div, .class("panel stack")) { html in
                html.add(.ul, .class("bullets")) { html in
                    html.add(.li, text: words.text(.accessRevokePrograms, "\(token.hint)…"))
                    html.add(
                        .li, text: words.count(Int64(sessions), one: .accessRevokeSession, many: .accessRevokeSessions))
                    html.add(.li, text: words[.accessRevokeForGood])
                    if isOwn {
                        html.add(.li) { $0.add(.strong, text: words[.accessRevokeOwn]) }
                    }
                }
                html.add(
                    .form, .methodPost,
                    .action(HTMLLink("console", "access", "tokens", token.id.lowercased, "revoke"))
                ) { html in
                    html.add(.p, .class("actions")) { html in
                        html.add(.button, .type("submit"), .class("danger"), text: words[.accessRevokeNow])
                        html.add(
                            .a, .class("button"),
                            .href(HTMLLink("console", "access", "tokens", token.id.lowercased)),
                            text: words[.accessKeep])
                    }
                }
            }
        }
    }

    /// The only page with the secret of a new token.
    package static func created(_ frame: ConsoleFrame, name: String, role: String, secret: String) -> [UInt8] {
        let words = frame.words
        return frame.page(.access, title: words[.accessCreatedTitle]) { html in
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: words[.accessCreatedTitle])
                    html.add(.p, text: words.text(.accessCreatedLead, name, role))
                }
            }
            html.add(.div, .class("panel stack")) { html in
                html.add(.div, .class("field")) { html in
                    html.add(.label, .for("secret"), text: words[.token])
                    html.add(.div, .class("copied")) { html in
                        html.add(
                            .input, .id("secret"), .value(secret), .readOnly, .autocomplete("off"),
                            .spellcheck(false), .aria("describedby", "secret-hint"))
                        html.add(
                            .button, .type("button"), .data("copy", "secret"),
                            .data("done", words[.accessCopied]), .hidden, text: words[.accessCopy])
                    }
                    html.add(.p, .id("secret-hint"), .class("hint"), text: words[.accessOnce])
                }
                html.add(.p) { html in
                    html.add(.a, .class("button"), .href(HTMLLink("console", "access")), text: words[.accessBack])
                }
            }
        }
    }
}

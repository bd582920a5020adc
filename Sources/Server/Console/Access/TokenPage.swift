import HTML
package import ServerAccess
import ServerContract
import SubGuardContract
package import SubGuardDomain

extension SimplePage {
    /// One token: what it may do, its sessions, and the way to revoke it.
    ///
    /// - Parameter sessions: how many sessions of the console it has.
    package static func token(_ token: AccessToken, sessions: Int, now: UTCInstant) -> SimplePage {
        SimplePage { frame, words in
            frame.page(.access, title: token.name) { html in
                html.crumb(AccessTab.tokensLink, words["All tokens"])
                func revoke(_ html: inout HTMLWriter) {
                    html.linkButton(
                        words["Revoke…"], HTMLLink("console", "access", "tokens", token.id.lowercased, "revoke"),
                        style: "button danger")
                }
                html.top(token.name, isName: true, actions: token.status(at: now) == .valid ? revoke : nil)
                frame.notice(
                    ["revoked": "The token is revoked. Programs that use it get 401 from now on."], to: &html)
                func instant(_ name: Sentence, _ instant: UTCInstant?) -> Fact? {
                    Fact(words[name], instant.map { words.instant($0) } ?? words["never"])
                }
                html.facts([
                    Fact(words["Status"]) { words.write(token.status(at: now), to: &$0) },
                    Fact(words["Role"], token.role.name),
                    Fact(words["First characters"]) { $0.add(.code, text: "\(token.hint)…") },
                    instant("Created", token.createdAt), instant("Last used", token.lastUsedAt),
                    instant("Expires", token.expiresAt), token.revokedAt.flatMap { instant("Revoked", $0) },
                    Fact(words["Sessions"]) { html in
                        html.link(words.count(Int64(sessions), "%1 session|%1 sessions"), AccessTab.sessionsLink)
                    },
                ])
                html.section(words["Permissions"]) { html in
                    if token.role.permissions.isEmpty {
                        html.add(.p, .class("muted"), text: words["None: its role was removed."])
                    }
                    html.rows(Permission.allCases.filter(token.role.allows), style: "grants") { permission, html in
                        html.text(words.name(permission) + " ")
                        html.addName(permission.rawValue, .class("muted"))
                    }
                    html.crumb(
                        HTMLLink("console", "audit", query: [("token_id", token.id.lowercased)]),
                        words["What it changed, in the audit log"])
                }
            }
        }
    }

    /// Asks before a token is revoked, and says what ends with it.
    ///
    /// - Parameter isOwn: whether the viewer's session belongs to it.
    package static func revocation(
        of token: AccessToken, sessions: Int, isOwn: Bool, refusals: [Refusal] = []
    ) -> SimplePage {
        question(
            .access, "Revoke \(token.name)?", "Revoke the token",
            HTMLLink("console", "access", "tokens", token.id.lowercased, "revoke"), isKeyed: false,
            cancel: "Change nothing", back: token.link
        ) { frame, words, html in
            frame.refusal(refusals, to: &html)
            let sentences = [
                words.text("Programs that use the token %1 are refused at once.", "\(token.hint)…"),
                words["\(sessions) session of the console ends.|\(sessions) sessions of the console end."],
                words["This cannot be undone; a new token can be created."],
            ]
            html.add(.ul, .class("bullets")) { html in
                for sentence in sentences { html.add(.li, text: sentence) }
                guard isOwn else { return }
                let own = words["This is the token of your own session: you will be signed out."]
                html.add(.li) { $0.add(.strong, text: own) }
            }
        }
    }

    /// The only page with the secret of a new token.
    package static func secret(_ secret: String, of token: AccessToken) -> SimplePage {
        SimplePage { frame, words in
            frame.page(.access, title: words["Copy the token now"]) { html in
                html.top(
                    words["Copy the token now"],
                    lead: words.text("The token “%1” with the role %2 is valid now.", token.name, token.role.name))
                html.add(.div, .class("panel stack")) { html in
                    html.field(
                        "secret", words["Access token"],
                        hint: words["It is not shown again. Keep it in a password manager."]
                    ) { html, marks in
                        html.add(.div, .class("copied")) { html in
                            html.add(
                                .input, .id("secret"), .value(secret), .readOnly, .autocomplete("off"),
                                .spellcheck(false), marks.described)
                            html.add(
                                .button, .type("button"), .data("copy", "secret"),
                                .data("done", words["Copied"]), .hidden, text: words["Copy"])
                        }
                    }
                    html.add(.p) { $0.linkButton(words["All tokens"], AccessTab.tokensLink) }
                }
            }
        }
    }
}

extension ConsoleWords {
    func name(_ filter: TokensPage.Filter) -> String {
        switch filter {
        case .valid: self["Valid"]
        case .expired: self["Expired"]
        case .revoked: self["Revoked", of: "tokens"]
        case .all: self["All"]
        }
    }

    /// The state of a token as a word; a colour alone would say nothing to some.
    func write(_ status: AccessToken.Status, to html: inout HTMLWriter) {
        switch status {
        case .valid: html.rating(self["valid"], isGood: true)
        case .expired: html.rating(self["expired"])
        case .revoked: html.rating(self["revoked"], isGood: false)
        }
    }
}

extension AccessToken {
    var link: HTMLLink { HTMLLink("console", "access", "tokens", id.lowercased) }
}

/// The pages about access, as tabs under the heading.
enum AccessTab {
    case tokens, roles, sessions, passkeys

    static let tokensLink = ConsoleSection.access.link
    static let sessionsLink = HTMLLink("console", "sessions")
    static let passkeysLink = HTMLLink("console", "access", "passkeys")

    /// Sessions and passkeys are for everybody; the other two need the permission.
    static func write(_ current: AccessTab, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let managed: [(AccessTab, Sentence, HTMLLink)] = [
            (.tokens, "Tokens", tokensLink), (.roles, "Roles", HTMLLink("console", "access", "roles")),
        ]
        let own: [(AccessTab, Sentence, HTMLLink)] = [
            (.sessions, "Sessions", sessionsLink), (.passkeys, "Passkeys", passkeysLink),
        ]
        frame.tabs(
            "Pages about access", (frame.may(.accessTokens) ? managed : []) + own, current: current, to: &html)
    }
}

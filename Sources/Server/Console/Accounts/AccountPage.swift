package import Backend
import HTML
import ServerContract
import SubGuardContract
import SubGuardDomain

/// One account: its premium, what operators gave, and the form to give more.
package struct AccountPage: Sendable {
    package enum Notice: String, Sendable {
        case given
        case taken
    }

    package static let form = DeclaredForm(
        FormDeclaration(of: .grantPremium),
        [
            .init("until", "Last day", hint: "In UTC, from today on."),
            .init("note", "Note", hint: "Only operators see it. Deleted with the grant or the account.", isWide: true),
        ])

    private let account: CustomerAccount
    private let values: FormValues
    private let faults: FormFaults
    private let idempotencyKey: String
    private let notice: Notice?

    /// - Parameter values: what was typed into a form with faults.
    package init(
        _ account: CustomerAccount, values: FormValues = FormValues(), faults: FormFaults = FormFaults(),
        idempotencyKey: String, notice: Notice? = nil
    ) {
        self.account = account
        self.values = values
        self.faults = faults
        self.idempotencyKey = idempotencyKey
        self.notice = notice
    }

    private var link: HTMLLink { HTMLLink("console", "accounts", account.id.lowercased) }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.accounts, title: "\(account.id.lowercased) · \(words["Accounts"])") { html in
            html.crumb(ConsoleSection.accounts.link, words["Accounts"])
            html.add(.div, .class("top")) { html in
                html.add(.h1, text: account.id.lowercased)
                if account.grant != nil {
                    html.add(.div, .class("actions")) { html in
                        html.add(
                            .a, .class("button danger"),
                            .href(HTMLLink("console", "accounts", account.id.lowercased, "revoke")),
                            text: words["Take back…"])
                    }
                }
            }
            frame.notice(
                notice.map { $0 == .given ? "Premium is given." : "The given premium is taken back." }, to: &html)
            Self.form.writeSummary(faults, words, to: &html)
            html.add(.dl, .class("panel sheet")) { html in writeFacts(words, to: &html) }
            html.add(.section, .class("section"), .aria("labelledby", "give")) { html in
                html.add(.h2, .id("give"), text: words["Give premium"])
                html.add(
                    .p,
                    text: words[
                        "It lasts until the end of the day, whatever becomes of a purchase, and replaces "
                            + "what was given before. Devices learn it with their next sync."])
                html.add(.form, .methodPost, .action(link), .class("form"), .data("guard")) { html in
                    html.hidden("idempotency_key", idempotencyKey)
                    Self.form.write(values, faults, words, to: &html)
                    html.add(.p, .class("actions")) { html in
                        html.add(.button, .type("submit"), .class("primary"), text: words["Give premium"])
                    }
                }
            }
            if frame.viewer?.permissions.contains(.auditRead) ?? false {
                html.add(.p, .class("hint section")) { html in
                    html.add(
                        .a, .href(HTMLLink("console", "audit", query: [("subject_id", account.id.lowercased)])),
                        text: words["Changes in the audit log"])
                }
            }
        }
    }

    private func writeFacts(_ words: ConsoleWords, to html: inout HTMLWriter) {
        func fact(_ label: Sentence, _ value: (inout HTMLWriter) -> Void) {
            html.add(.div) { html in
                html.add(.dt, text: words[label])
                html.add(.dd) { value(&$0) }
            }
        }
        fact("Premium") { words.write(account.premium.status, to: &$0) }
        fact("Source") { $0.text(words.name(account.premium.source)) }
        fact("Ends") { $0.text(words.end(of: account.premium)) }
        if let product = account.premium.productID { fact("Product") { $0.addName(product) } }
        fact("Given by operators") { html in
            html.text(
                account.grant.map { words.text("until the end of %1 (UTC)", words.day($0.untilOn)) }
                    ?? words["nothing"])
        }
        if let note = account.grant?.note { fact("Note") { $0.add(.bdi, text: note) } }
        fact("First signed in") { $0.text(words.day(account.createdAt.day)) }
        fact("Sign-in hash") { $0.add(.code, .class("breaks"), text: account.signInHash) }
    }

    /// Asks before what was given is taken back.
    package func revocation(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.accounts, title: words["Take back the given premium?"]) { html in
            html.add(.div, .class("confirm")) { html in
                html.add(.h1, text: words["Take back the given premium?"])
                html.add(.p, text: words["It ends on devices with their next sync. What was bought stays."])
                html.add(.ul, .class("waits")) { html in
                    html.add(.li) { html in
                        html.add(.bdi, text: account.id.lowercased)
                        if let grant = account.grant {
                            html.add(
                                .span, .class("muted"),
                                text: words.text("until the end of %1 (UTC)", words.day(grant.untilOn)))
                        }
                    }
                }
                html.add(
                    .form, .methodPost,
                    .action(HTMLLink("console", "accounts", account.id.lowercased, "revoke"))
                ) { html in
                    html.hidden("idempotency_key", idempotencyKey)
                    html.add(.p, .class("actions")) { html in
                        html.add(.button, .type("submit"), .class("danger"), text: words["Take back"])
                        html.add(.a, .class("button"), .href(link), text: words["Cancel"])
                    }
                }
            }
        }
    }
}

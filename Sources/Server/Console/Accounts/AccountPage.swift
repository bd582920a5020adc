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
            .init("until", .accountUntil, hint: .accountUntilHint),
            .init("note", .accountNote, hint: .accountNoteHint, isWide: true),
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
        return frame.page(.accounts, title: "\(account.id.lowercased) · \(words[.accounts])") { html in
            html.add(.p, .class("crumb")) { html in
                html.add(.a, .href(ConsoleSection.accounts.link), text: words[.accounts])
            }
            html.add(.div, .class("top")) { html in
                html.add(.h1, text: account.id.lowercased)
                if account.grant != nil {
                    html.add(.div, .class("actions")) { html in
                        html.add(
                            .a, .class("button danger"),
                            .href(HTMLLink("console", "accounts", account.id.lowercased, "revoke")),
                            text: words[.accountTakeBack])
                    }
                }
            }
            frame.notice(notice.map { $0 == .given ? .accountGiven : .accountTakenBack }, to: &html)
            Self.form.writeSummary(faults, words, to: &html)
            html.add(.dl, .class("panel sheet")) { html in writeFacts(words, to: &html) }
            html.add(.section, .class("section"), .aria("labelledby", "give")) { html in
                html.add(.h2, .id("give"), text: words[.accountGive])
                html.add(.p, text: words[.accountGiveLead])
                html.add(.form, .methodPost, .action(link), .class("form"), .data("guard")) { html in
                    html.add(.input, .type("hidden"), .name("idempotency_key"), .value(idempotencyKey))
                    Self.form.write(values, faults, words, to: &html)
                    html.add(.p, .class("actions")) { html in
                        html.add(.button, .type("submit"), .class("primary"), text: words[.accountGive])
                    }
                }
            }
            if frame.viewer?.permissions.contains(.auditRead) ?? false {
                html.add(.p, .class("hint section")) { html in
                    html.add(
                        .a, .href(HTMLLink("console", "audit", query: [("subject_id", account.id.lowercased)])),
                        text: words[.accountChanges])
                }
            }
        }
    }

    private func writeFacts(_ words: ConsoleWords, to html: inout HTMLWriter) {
        func fact(_ label: Phrase, _ value: (inout HTMLWriter) -> Void) {
            html.add(.div) { html in
                html.add(.dt, text: words[label])
                html.add(.dd) { value(&$0) }
            }
        }
        fact(.accountPremium) { words.write(account.premium.status, to: &$0) }
        fact(.accountSource) { $0.text(words.name(account.premium.source)) }
        fact(.accountEnds) { $0.text(words.end(of: account.premium)) }
        if let product = account.premium.productID { fact(.accountProduct) { $0.addName(product) } }
        fact(.accountGranted) { html in
            html.text(
                account.grant.map { words.text(.accountGrantedUntil, words.day($0.untilOn)) }
                    ?? words[.accountNothingGranted])
        }
        if let note = account.grant?.note { fact(.accountNote) { $0.add(.bdi, text: note) } }
        fact(.accountCreated) { $0.text(words.day(account.createdAt.day)) }
        fact(.accountHash) { $0.add(.code, .class("breaks"), text: account.signInHash) }
    }

    /// Asks before what was given is taken back.
    package func revocation(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.accounts, title: words[.accountTakeBackTitle]) { html in
            html.add(.div, .class("confirm")) { html in
                html.add(.h1, text: words[.accountTakeBackTitle])
                html.add(.p, text: words[.accountTakeBackLead])
                html.add(.ul, .class("waits")) { html in
                    html.add(.li) { html in
                        html.add(.bdi, text: account.id.lowercased)
                        if let grant = account.grant {
                            html.add(
                                .span, .class("muted"),
                                text: words.text(.accountGrantedUntil, words.day(grant.untilOn)))
                        }
                    }
                }
                html.add(
                    .form, .methodPost,
                    .action(HTMLLink("console", "accounts", account.id.lowercased, "revoke"))
                ) { html in
                    html.add(.input, .type("hidden"), .name("idempotency_key"), .value(idempotencyKey))
                    html.add(.p, .class("actions")) { html in
                        html.add(.button, .type("submit"), .class("danger"), text: words[.accountTakeBackButton])
                        html.add(.a, .class("button"), .href(link), text: words[.cancel])
                    }
                }
            }
        }
    }
}

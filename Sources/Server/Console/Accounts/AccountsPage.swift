package import Accounts
import HTML
import ServerContract
package import SubGuardContract
import SubGuardDomain

/// The accounts of people who signed in: a search by id and a table.
package struct AccountsPage: ConsolePage {
    private let found: ListPage<CustomerAccount>
    private let list: ListAddress
    private var accounts: [CustomerAccount] { found.items }
    /// What was searched for; empty without a search.
    private var id: String { list["id"] ?? "" }

    package init(_ found: ListPage<CustomerAccount>, of list: ListAddress) {
        self.found = found
        self.list = list
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            .accounts, "Accounts",
            "People who signed in with Apple. No name or address is stored, and the id with "
                + "which they sign in only as a hash."
        ) { html in
            frame.filters(ConsoleSection.accounts.link).write([], to: &html, search: { writeID(frame, to: &$0) }) {
                html in
                frame.clearButton(ConsoleSection.accounts.link, isNeeded: !id.isEmpty, to: &html)
            }
            frame.list(
                accounts, empty: "No accounts",
                id.isEmpty
                    ? "An account is created when a user first signs in." : "Check the id that you searched for.",
                to: &html
            ) { writeTable(words, to: &$0) }
            let summary = accounts.isEmpty ? nil : words.shown(accounts.count, of: nil)
            Paging(summary, of: list, next: found.nextCursor, isByTime: true).write(words, to: &html)
        }
    }

    private func writeID(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let hint: Sentence = "“subguard premium” and the app show it to its owner."
        frame.field("id", "Account id", isGrowing: true, hint: hint, to: &html) { html, marks in
            html.add(
                .input, .id("id"), .name("id"), .value(frame.typed("id", id)), .spellcheck(false),
                .autocomplete("off"), marks.invalid, marks.described)
        }
    }

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Accounts"]), of: accounts,
            [
                .heading(words["Account id"]) { account, html in
                    html.add(.a, .href(HTMLLink("console", "accounts", account.id.lowercased))) { html in
                        html.add(.code, text: account.id.lowercased)
                    }
                },
                .text(words["First signed in"]) { account, html in
                    html.time(account.createdAt.day.iso, words.day(account.createdAt.day))
                },
                .text(words["Sign-in hash"]) { account, html in
                    html.add(
                        .code, .class("muted"), .title(account.signInHash), text: "\(account.signInHash.prefix(8))…")
                },
                .text(words["Premium"]) { account, html in words.write(account.premium.status, to: &html) },
                .text(words["Source"]) { words.name($0.premium.source) },
                .text(words["Ends"]) { words.end(of: $0.premium) },
            ])
    }
}

extension ConsoleWords {
    /// The status as a word; a colour alone would say nothing to some.
    func write(_ status: PurchaseStatus, to html: inout HTMLWriter) {
        html.rating(name(status), isGood: status.isEntitled ? true : nil)
    }

    func end(of premium: Premium) -> String {
        if let end = premium.expiresAt { return instant(end) }
        return premium.status == .none ? "–" : self["never"]
    }
}

/// One account: its premium, what operators gave, and the form to give more.
package struct AccountPage: ConsolePage {
    package static let form = DeclaredForm(
        FormDeclaration(of: .grantPremium),
        [
            .init("until", "Last day", hint: "In UTC, from today on."),
            .init("note", "Note", hint: "Only operators see it. Deleted with the grant or the account.", isWide: true),
        ])

    private let account: CustomerAccount
    private let values: FormValues
    private let faults: FormFaults

    /// - Parameter values: what was typed into a form with faults.
    package init(_ account: CustomerAccount, values: FormValues = FormValues(), faults: FormFaults = FormFaults()) {
        self.account = account
        self.values = values
        self.faults = faults
    }

    private var link: HTMLLink { HTMLLink("console", "accounts", account.id.lowercased) }
    private var revokeLink: HTMLLink { HTMLLink("console", "accounts", account.id.lowercased, "revoke") }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(.accounts, title: "\(account.id.lowercased) · \(words["Accounts"])") { html in
            html.crumb(ConsoleSection.accounts.link, words["Accounts"])
            html.top(
                account.id.lowercased,
                actions: account.grant.map { _ in
                    { $0.linkButton(words["Take back…"], revokeLink, style: "button danger") }
                })
            frame.notice(["given": "Premium is given.", "taken": "The given premium is taken back."], to: &html)
            Self.form.writeSummary(faults, words, to: &html)
            writeFacts(words, to: &html)
            html.section(words["Give premium"], headingID: "give", isLabelled: true) { html in
                html.paragraph(
                    words[
                        "It lasts until the end of the day, whatever becomes of a purchase, and replaces "
                            + "what was given before. Devices learn it with their next sync."])
                html.form(link, [frame.keyed()], .class("form"), .data("guard")) { html in
                    Self.form.write(values, faults, words, to: &html)
                    html.mainAction(words["Give premium"])
                }
            }
            guard frame.may(.audit) else { return }
            html.add(.p, .class("hint section")) { html in
                html.link(
                    words["Changes in the audit log"],
                    HTMLLink("console", "audit", query: [("subject_id", account.id.lowercased)]))
            }
        }
    }

    private func until(_ grant: PremiumGrant?, _ words: ConsoleWords) -> String? {
        grant.map { words.text("until the end of %1 (UTC)", words.day($0.untilOn)) }
    }

    private func writeFacts(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let premium = account.premium
        html.facts([
            Fact(words["Premium"]) { words.write(premium.status, to: &$0) },
            Fact(words["Source"], words.name(premium.source)), Fact(words["Ends"], words.end(of: premium)),
            premium.productID.map { product in Fact(words["Product"]) { $0.addName(product) } },
            Fact(words["Given by operators"], until(account.grant, words) ?? words["nothing"]),
            account.grant?.note.map { note in Fact(words["Note"]) { $0.bdi(note) } },
            Fact(words["First signed in"], words.day(account.createdAt.day)),
            Fact(words["Sign-in hash"]) { $0.add(.code, .class("breaks"), text: account.signInHash) },
        ])
    }

    /// Asks before what was given is taken back.
    package var revocation: SimplePage {
        .question(.accounts, "Take back the given premium?", "Take back", revokeLink, back: link) { _, words, html in
            html.paragraph(words["It ends on devices with their next sync. What was bought stays."])
            html.scope([(account.id.lowercased, until(account.grant, words) ?? "")])
        }
    }
}

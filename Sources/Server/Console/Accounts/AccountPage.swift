package import Accounts
import HTML
import ServerContract
import SubGuardContract
import SubGuardDomain

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
    package func revocation(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.question(
            .accounts, words["Take back the given premium?"], revokeLink, [frame.keyed()], button: words["Take back"],
            cancel: (words["Cancel"], link)
        ) { html in
            html.paragraph(words["It ends on devices with their next sync. What was bought stays."])
            html.scope([(account.id.lowercased, until(account.grant, words) ?? "")])
        }
    }
}

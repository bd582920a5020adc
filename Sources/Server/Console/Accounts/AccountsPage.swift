package import Accounts
import HTML
import ServerContract
package import SubGuardContract
import SubGuardDomain

/// The accounts of people who signed in: a search by id and a table.
package struct AccountsPage: ConsolePage {
    private let accounts: [CustomerAccount]
    /// What was searched for; empty without a search.
    private let id: String
    private let next: String?
    private let isFirstPage: Bool

    package init(_ page: ListPage<CustomerAccount>, id: String, isFirstPage: Bool) {
        accounts = page.items
        next = page.nextCursor
        self.id = id
        self.isFirstPage = isFirstPage
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
                "An account begins when a user signs in. Check the id that you searched for.", to: &html
            ) { html in
                writeTable(words, to: &html)
            }
            let summary = words.text("Accounts on this page: %1", words.number(Int64(accounts.count)))
            Paging(summary, isFirst: isFirstPage, next: next, isByTime: true) {
                HTMLLink("console", "accounts", query: $0)
            }.write(words, to: &html)
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

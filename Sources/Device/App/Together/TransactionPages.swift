import DeviceWords
import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// Expenses and income that belong to no subscription, with their receipts.
enum TransactionPages {
    static let link = HTMLLink("transactions")
    static func link(_ id: UUID) -> HTMLLink { HTMLLink("transactions", id.lowercased) }
    private static let mostShown = 100

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/transactions", list),
            gate.form("/transactions", again: list) { visit, form in
                try visit.store.add(try TransactionForm(visit).read(form), at: visit.moment)
                return .done(link)
            },
            gate.page("/transactions/{id:uuid}", page),
            gate.form("/transactions/{id:uuid}/edit", again: page) { visit, form in
                let id = try visit.id()
                return try .edited(
                    link(id), by: { try visit.store.transactions.change(id, at: visit.moment, $0) }
                ) { transaction in transaction = try TransactionForm(visit, transaction).read(form) }
            },
            gate.form("/transactions/{id:uuid}/delete") { visit, _ in
                try visit.store.transactions.delete(try visit.id(), at: visit.moment)
                return .done(link)
            },
            ReceiptPages.adding(gate, "/transactions/{id:uuid}/receipts", to: { .transaction($0) }, again: page),
        ]
    }

    // MARK: Pages

    private static func signed(_ transaction: Transaction, _ visit: AppVisit) -> String {
        (transaction.kind == .expense ? "−" : "+") + visit.money(transaction.amount)
    }

    private static func list(_ visit: AppVisit) throws -> [UInt8] {
        let all = try visit.store.transactions.list()
        let form = try TransactionForm(visit)
        return visit.page(
            .together, visit.text("Transactions"), below: TogetherPages.link, named: visit.text("Together")
        ) { html in
            visit.list(all, most: mostShown, empty: visit.text("No transactions yet."), to: &html) {
                transaction, html in
                html.add(.span) { html in
                    html.add(.a, .href(link(transaction.id)), text: transaction.title)
                    let texts =
                        [transaction.subtitle, visit.day(transaction.bookedOn)] + transaction.tags
                        + (transaction.isRecurring ? [visit.text("recurring")] : [])
                    for text in texts where !text.isEmpty { html.text(" · " + text) }
                }
                html.add(.span, .class("amount"), text: signed(transaction, visit))
            }
            html.adding(visit, form.link, "panel stack after", .data("guard")) { html in
                html.add(.h2, text: visit.text("Add a transaction"))
                form.write(to: &html)
                html.submit(visit.text("Add"), "primary")
            }
        }
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        let transaction = try visit.store.transactions.load(visit.id())
        let form = try TransactionForm(visit, transaction)
        let receipts = try ReceiptSection(visit, .transaction(transaction.id))
        let person = form.people.first { $0.id == transaction.personID }?.name
        let badges = transaction.tags + (transaction.isRecurring ? [visit.text("recurring")] : [])
        return visit.page(.together, title: transaction.title) { html in
            html.crumb(link, visit.text("Transactions"))
            html.top(transaction.title) { html in
                if !transaction.subtitle.isEmpty { html.paragraph(transaction.subtitle) }
                html.add(.p) { html in
                    html.amount(signed(transaction, visit), after: visit.day(transaction.bookedOn) + " · ")
                    for text in [person ?? "", transaction.category] where !text.isEmpty { html.text(" · " + text) }
                }
                if !badges.isEmpty {
                    html.add(.p, .class("badges")) { html in
                        for badge in badges { html.add(.span, .class("badge"), text: badge) }
                    }
                }
                if !transaction.notes.isEmpty { html.add(.p, .class("lines"), text: transaction.notes) }
            }
            receipts.write(to: &html)
            visit.editing(visit.text("Edit the transaction"), form.link, to: &html) { form.write(to: &$0) }
            visit.deletion(
                visit.text("Delete the transaction"), [visit.text("Its receipts are deleted with it.")],
                HTMLLink("transactions", transaction.id.lowercased, "delete"), to: &html)
        }
    }
}

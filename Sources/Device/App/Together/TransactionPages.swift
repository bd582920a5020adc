import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// Single payments that belong to no subscription, with their receipts.
enum TransactionPages {
    static let link = HTMLLink("transactions")
    static func link(_ id: UUID) -> HTMLLink { HTMLLink("transactions", id.lowercased) }
    private static let mostShown = 100

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/transactions") { visit in AppResponse.page(try list(visit)) },
            gate.form("/transactions", refill: { visit, form in try list(visit, form) }) { visit, form in
                do {
                    try visit.store.transactions.save(try TransactionForm(visit).read(form), at: visit.moment)
                    return AppResponse.seeOther(try visit.done(link))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    return AppResponse.page(try list(visit, form, error.faults), .unprocessableContent)
                }
            },
            gate.page("/transactions/{id:uuid}") { visit in AppResponse.page(try page(visit, transaction(visit))) },
            gate.form(
                "/transactions/{id:uuid}/edit",
                refill: { visit, form in try page(visit, transaction(visit), typed: form) }
            ) { visit, form in
                let transaction = try transaction(visit)
                do {
                    let edited = try TransactionForm(visit, transaction).read(form)
                    guard edited != transaction else {
                        return AppResponse.seeOther(visit.nothingDone(link(transaction.id)))
                    }
                    try visit.store.transactions.save(edited, at: visit.moment)
                    return AppResponse.seeOther(try visit.done(link(transaction.id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    return AppResponse.page(
                        try page(visit, transaction, typed: form, error.faults), .unprocessableContent)
                }
            },
            gate.form("/transactions/{id:uuid}/delete") { visit, _ in
                try visit.store.transactions.delete(try visit.request.parameters.uuid(), at: visit.moment)
                return AppResponse.seeOther(try visit.done(link))
            },
            gate.files("/transactions/{id:uuid}/receipts", maximumBytes: Receipt.maximumBytes) { visit, form in
                let transaction = try transaction(visit)
                do {
                    try ReceiptPages.add(form, to: .transaction(transaction.id), visit)
                    return AppResponse.seeOther(try visit.done(link(transaction.id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    return AppResponse.page(
                        try page(visit, transaction, receiptFaults: error.faults), .unprocessableContent)
                }
            },
        ]
    }

    private static func transaction(_ visit: AppVisit) throws -> Transaction {
        let id = try visit.request.parameters.uuid()
        guard let transaction = try visit.store.transactions.list().first(where: { $0.id == id }) else {
            throw DeviceStoreError.notFound(.transaction, id: id.lowercased)
        }
        return transaction
    }

    // MARK: Pages

    private static func signed(_ transaction: Transaction, _ visit: AppVisit) -> String {
        (transaction.kind == .expense ? "−" : "+") + visit.money(transaction.amount)
    }

    private static func list(
        _ visit: AppVisit, _ typed: FormFields? = nil, _ faults: [Fault] = []
    ) throws -> [UInt8] {
        let all = try visit.store.transactions.list()
        let form = try TransactionForm(visit, typed: typed, faults: faults)
        return visit.page(.together, title: visit.text("Single payments")) { html in
            html.crumb(TogetherPages.link, visit.text("Together"))
            html.add(.div, .class("top")) { $0.add(.h1, text: visit.text("Single payments")) }
            if all.isEmpty { html.add(.p, .class("muted"), text: visit.text("No transactions yet.")) }
            html.add(.ul, .class("waits")) { html in
                for transaction in all.prefix(mostShown) {
                    html.add(.li) { html in
                        html.add(.span) { html in
                            html.add(.a, .href(link(transaction.id)), text: transaction.title)
                            let texts =
                                [transaction.subtitle, visit.day(transaction.bookedOn)] + transaction.tags
                                + (transaction.isRecurring ? [visit.text("recurring")] : [])
                            for text in texts where !text.isEmpty { html.text(" · " + text) }
                        }
                        html.add(.span, .class("amount"), text: signed(transaction, visit))
                    }
                }
            }
            if all.count > mostShown {
                html.add(.p, .class("muted"), text: visit.text("\(all.count - mostShown) more"))
            }
            html.add(.form, .methodPost, .action(link), .class("panel stack after"), .data("guard")) { html in
                html.add(.h2, text: visit.text("Add a payment"))
                form.write(to: &html)
                html.add(.button, .type("submit"), .class("primary"), text: visit.text("Add"))
            }
        }
    }

    private static func page(
        _ visit: AppVisit, _ transaction: Transaction, typed: FormFields? = nil, _ faults: [Fault] = [],
        receiptFaults: [Fault] = []
    ) throws -> [UInt8] {
        let form = try TransactionForm(visit, transaction, typed: typed, faults: faults)
        let receipts = try ReceiptSection(visit, .transaction(transaction.id), faults: receiptFaults)
        let place = { (name: String) in HTMLLink("transactions", transaction.id.lowercased, name) }
        let person = form.people.first { $0.id == transaction.personID }?.name
        return visit.page(.together, title: transaction.title) { html in
            html.crumb(link, visit.text("Single payments"))
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: transaction.title)
                    if !transaction.subtitle.isEmpty { html.add(.p, text: transaction.subtitle) }
                    html.add(.p) { html in
                        html.text(visit.day(transaction.bookedOn) + " · ")
                        html.add(.span, .class("amount"), text: signed(transaction, visit))
                        for text in [person ?? "", transaction.category] where !text.isEmpty { html.text(" · " + text) }
                    }
                    if transaction.isRecurring || !transaction.tags.isEmpty {
                        html.add(.p, .class("badges")) { html in
                            for tag in transaction.tags { html.add(.span, .class("badge"), text: tag) }
                            if transaction.isRecurring {
                                html.add(.span, .class("badge"), text: visit.text("recurring"))
                            }
                        }
                    }
                    if !transaction.notes.isEmpty { html.add(.p, .class("lines"), text: transaction.notes) }
                }
            }
            receipts.write(to: &html)
            visit.editing(visit.text("Edit the payment"), place("edit"), isOpen: typed != nil, to: &html) {
                form.write(to: &$0)
            }
            visit.deletion(
                visit.text("Delete the payment"), [visit.text("Its receipts are deleted with it.")], place("delete"),
                to: &html)
        }
    }
}

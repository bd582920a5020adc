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
            gate.form("/transactions") { visit, form in
                do {
                    try visit.store.transactions.save(try transaction(form, visit), at: visit.moment)
                    return AppResponse.seeOther(try visit.done(link))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    return AppResponse.page(try list(visit, form, error.faults), .unprocessableContent)
                }
            },
            gate.page("/transactions/{id:uuid}") { visit in AppResponse.page(try page(visit, transaction(visit))) },
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
                    return AppResponse.page(try page(visit, transaction, error.faults), .unprocessableContent)
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

    /// The transaction of a sent form. Throws the faults of its fields.
    private static func transaction(_ form: FormFields, _ visit: AppVisit) throws -> Transaction {
        do throws(Fault) {
            let currency = try FieldRules.currency((form["currency"] ?? "").trimmingBlanks.uppercased())
            let decimal = try AmountText.decimal(form["amount"] ?? "", in: currency, field: "amount")
            guard let day = CalendarDay(iso: form["on"] ?? "") else {
                throw Fault("on", .invalidDay, "Must be a date such as 2027-01-15.")
            }
            return Transaction(
                id: visit.store.makeID(visit.moment), title: (form["title"] ?? "").trimmingBlanks,
                amount: try FieldRules.amount(decimal, currency),
                kind: Transaction.Kind(rawValue: form["type"] ?? "") ?? .expense, bookedOn: day, personID: nil,
                createdAt: visit.moment.now)
        } catch {
            throw DeviceStoreError.invalid(error)
        }
    }

    // MARK: Pages

    private static func signed(_ transaction: Transaction, _ visit: AppVisit) -> String {
        (transaction.kind == .expense ? "−" : "+") + visit.money(transaction.amount)
    }

    private static func list(
        _ visit: AppVisit, _ typed: FormFields? = nil, _ faults: [Fault] = []
    ) throws -> [UInt8] {
        let all = try visit.store.transactions.list()
        return visit.page(.together, title: visit.text("Single payments")) { html in
            html.add(.p, .class("crumb")) { html in
                html.add(.a, .href(TogetherPages.link), text: visit.text("Together"))
            }
            html.add(.div, .class("top")) { $0.add(.h1, text: visit.text("Single payments")) }
            if all.isEmpty { html.add(.p, .class("muted"), text: visit.text("No transactions yet.")) }
            html.add(.ul, .class("waits")) { html in
                for transaction in all.prefix(mostShown) {
                    html.add(.li) { html in
                        html.add(.span) { html in
                            html.add(.a, .href(link(transaction.id)), text: transaction.title)
                            html.text(" · \(visit.day(transaction.bookedOn))")
                        }
                        html.add(.span, .class("amount"), text: signed(transaction, visit))
                    }
                }
            }
            if all.count > mostShown {
                html.add(.p, .class("muted"), text: visit.text("\(all.count - mostShown) more"))
            }
            writeForm(visit, typed, faults, to: &html)
        }
    }

    private static func writeForm(
        _ visit: AppVisit, _ typed: FormFields?, _ faults: [Fault], to html: inout HTMLWriter
    ) {
        html.add(.form, .methodPost, .action(link), .class("panel stack after"), .data("guard")) { html in
            html.add(.h2, text: visit.text("Add a payment"))
            html.add(.div, .class("fields")) { html in
                visit.field("title", visit.text("What for"), value: typed?["title"] ?? "", faults: faults, to: &html)
                visit.field("amount", visit.text("Amount"), value: typed?["amount"] ?? "", faults: faults, to: &html)
                visit.field(
                    "currency", visit.text("Currency"),
                    value: typed?["currency"] ?? (try? visit.usualCurrency()) ?? "", faults: faults, to: &html)
                visit.field(
                    "on", visit.text("Date"), value: typed?["on"] ?? visit.moment.today.iso, type: "date",
                    faults: faults, to: &html)
                html.add(.div, .class("field")) { html in
                    html.add(.label, .for("type"), text: visit.text("Direction"))
                    html.add(.select, .id("type"), .name("type")) { html in
                        for kind in Transaction.Kind.allCases {
                            html.add(
                                .option, .value(kind.rawValue), kind.rawValue == typed?["type"] ? .selected : nil,
                                text: visit.text(kind == .expense ? "I paid" : "I received"))
                        }
                    }
                }
            }
            html.add(.button, .type("submit"), .class("primary"), text: visit.text("Add"))
        }
    }

    private static func page(_ visit: AppVisit, _ transaction: Transaction, _ faults: [Fault] = []) throws -> [UInt8] {
        let receipts = try ReceiptSection(visit, .transaction(transaction.id), faults: faults)
        return visit.page(.together, title: transaction.title) { html in
            html.add(.p, .class("crumb")) { html in
                html.add(.a, .href(link), text: visit.text("Single payments"))
            }
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: transaction.title)
                    html.add(.p) { html in
                        html.text(visit.day(transaction.bookedOn) + " · ")
                        html.add(.span, .class("amount"), text: signed(transaction, visit))
                    }
                }
                html.add(
                    .form, .methodPost, .action(HTMLLink("transactions", transaction.id.lowercased, "delete"))
                ) { html in
                    html.add(.button, .type("submit"), .class("danger"), text: visit.text("Delete"))
                }
            }
            receipts.write(to: &html)
        }
    }
}

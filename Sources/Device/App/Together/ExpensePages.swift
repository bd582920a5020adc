import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// One expense of a group: who paid, who bears which part, its receipts, edited and deleted.
enum ExpensePages {
    static func link(_ id: UUID) -> HTMLLink { HTMLLink("expenses", id.lowercased) }

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/expenses/{id:uuid}") { visit in AppResponse.page(try page(visit, expense(visit))) },
            gate.form(
                "/expenses/{id:uuid}/edit",
                refill: { visit, form in try page(visit, expense(visit), typed: form) }
            ) { visit, form in
                let expense = try expense(visit)
                do {
                    let edited = try self.form(visit, expense).read(form)
                    guard edited != expense else { return AppResponse.seeOther(visit.nothingDone(link(expense.id))) }
                    try visit.store.sharing.save(edited, at: visit.moment)
                    return AppResponse.seeOther(try visit.done(link(expense.id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    return AppResponse.page(
                        try page(visit, expense, typed: form, error.faults), .unprocessableContent)
                }
            },
            gate.form("/expenses/{id:uuid}/delete") { visit, _ in
                let expense = try expense(visit)
                try visit.store.sharing.deleteExpense(expense.id, at: visit.moment)
                return AppResponse.seeOther(try visit.done(GroupPages.link(expense.groupID)))
            },
            gate.files("/expenses/{id:uuid}/receipts", maximumBytes: Receipt.maximumBytes) { visit, form in
                let expense = try expense(visit)
                do {
                    try ReceiptPages.add(form, to: .expense(expense.id), visit)
                    return AppResponse.seeOther(try visit.done(link(expense.id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    return AppResponse.page(
                        try page(visit, expense, receiptFaults: error.faults), .unprocessableContent)
                }
            },
        ]
    }

    private static func expense(_ visit: AppVisit) throws -> GroupExpense {
        let id = try visit.request.parameters.uuid()
        guard let expense = try visit.store.sharing.expenses().first(where: { $0.id == id }) else {
            throw DeviceStoreError.notFound(.expense, id: id.lowercased)
        }
        return expense
    }

    private static func form(
        _ visit: AppVisit, _ expense: GroupExpense, typed: FormFields? = nil, _ faults: [Fault] = []
    ) throws -> ExpenseForm {
        ExpenseForm(
            visit: visit, group: try visit.store.sharing.group(expense.groupID), expense: expense,
            names: try visit.names(), currency: expense.amount.currency.code, typed: typed, faults: faults)
    }

    private static func page(
        _ visit: AppVisit, _ expense: GroupExpense, typed: FormFields? = nil, _ faults: [Fault] = [],
        receiptFaults: [Fault] = []
    ) throws -> [UInt8] {
        let form = try form(visit, expense, typed: typed, faults)
        let receipts = try ReceiptSection(visit, .expense(expense.id), faults: receiptFaults)
        let parts = (try? expense.split.parts(of: expense.amount)) ?? []
        let place = { (name: String) in HTMLLink("expenses", expense.id.lowercased, name) }
        return visit.page(.together, title: expense.title) { html in
            html.crumb(GroupPages.link(form.group.id), form.group.name)
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: expense.title)
                    html.add(.p) { html in
                        html.text(visit.day(expense.spentOn) + " · ")
                        html.add(.span, .class("amount"), text: visit.money(expense.amount))
                        if !expense.category.isEmpty { html.text(" · " + expense.category) }
                        if expense.isSettled { html.text(" · " + visit.text("settled elsewhere")) }
                    }
                    if !expense.notes.isEmpty { html.add(.p, .class("lines"), text: expense.notes) }
                }
            }
            list(visit.text("Who paid"), expense.payers, expense.amount.currency, form.names, visit, to: &html)
            list(visit.text("Shared by"), parts, expense.amount.currency, form.names, visit, to: &html)
            receipts.write(to: &html)
            visit.editing(visit.text("Edit the expense"), place("edit"), isOpen: typed != nil, to: &html) {
                form.write(to: &$0)
            }
            visit.deletion(
                visit.text("Delete the expense"),
                [visit.text("Its debts and its receipts are deleted with it.")], place("delete"),
                to: &html)
        }
    }

    private static func list(
        _ title: String, _ amounts: [PersonAmount], _ currency: Currency, _ names: [UUID: String], _ visit: AppVisit,
        to html: inout HTMLWriter
    ) {
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: title)
            html.add(.ul, .class("waits")) { html in
                for amount in amounts {
                    html.add(.li) { html in
                        html.add(.span, text: names[amount.personID] ?? visit.text("(deleted)"))
                        html.add(
                            .span, .class("amount"),
                            text: visit.money(Money(minorUnits: amount.minorUnits, currency: currency)))
                    }
                }
            }
        }
    }
}

import DeviceWords
import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// One expense of a group: who paid, who bears which part, its receipts, edited and deleted.
enum ExpensePages {
    static func link(_ id: UUID) -> HTMLLink { HTMLLink("expenses", id.lowercased) }

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/expenses/{id:uuid}", page),
            gate.form("/expenses/{id:uuid}/edit", again: page) { visit, form in
                let id = try visit.id()
                return try .edited(
                    link(id), by: { try visit.store.sharing.changeExpense(id, at: visit.moment, $0) }
                ) { expense in expense = try self.form(visit, expense).read(form) }
            },
            gate.form("/expenses/{id:uuid}/delete") { visit, _ in
                let expense = try visit.store.sharing.expense(visit.id())
                try visit.store.sharing.deleteExpense(expense.id, at: visit.moment)
                return .done(GroupPages.link(expense.groupID))
            },
            ReceiptPages.adding(gate, "/expenses/{id:uuid}/receipts", to: { .expense($0) }, again: page),
        ]
    }

    private static func form(_ visit: AppVisit, _ expense: GroupExpense) throws -> ExpenseForm {
        ExpenseForm(
            visit: visit, link: HTMLLink("expenses", expense.id.lowercased, "edit"),
            group: try visit.store.sharing.group(expense.groupID), expense: expense, names: try visit.names(),
            currency: expense.amount.currency.code)
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        let expense = try visit.store.sharing.expense(visit.id())
        let form = try form(visit, expense)
        let receipts = try ReceiptSection(visit, .expense(expense.id))
        let parts = (try? expense.split.parts(of: expense.amount)) ?? []
        func list(_ title: String, _ amounts: [PersonAmount], to html: inout HTMLWriter) {
            html.section(title) { html in
                html.rows(amounts) { part, html in
                    let amount = Money(minorUnits: part.minorUnits, currency: expense.amount.currency)
                    html.amount(visit.money(amount), of: form.names[part.personID] ?? visit.text("(deleted)"))
                }
            }
        }
        return visit.page(.together, title: expense.title) { html in
            html.crumb(GroupPages.link(form.group.id), form.group.name)
            html.top(expense.title) { html in
                html.add(.p) { html in
                    html.amount(visit.money(expense.amount), after: visit.day(expense.spentOn) + " · ")
                    if !expense.category.isEmpty { html.text(" · " + expense.category) }
                    if expense.isSettled { html.text(" · " + visit.text("settled elsewhere")) }
                }
                if !expense.notes.isEmpty { html.add(.p, .class("lines"), text: expense.notes) }
            }
            list(visit.text("Who paid"), expense.payers, to: &html)
            list(visit.text("Shared by"), parts, to: &html)
            receipts.write(to: &html)
            visit.editing(visit.text("Edit the expense"), form.link, to: &html) { form.write(to: &$0) }
            visit.deletion(
                visit.text("Delete the expense"), [visit.text("Its debts and its receipts are deleted with it.")],
                HTMLLink("expenses", expense.id.lowercased, "delete"), to: &html)
        }
    }
}

import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// One expense of a group: who paid, who bears which part, and its receipts.
enum ExpensePages {
    static func link(_ id: UUID) -> HTMLLink { HTMLLink("expenses", id.lowercased) }

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/expenses/{id:uuid}") { visit in AppResponse.page(try page(visit, expense(visit))) },
            gate.files("/expenses/{id:uuid}/receipts", maximumBytes: Receipt.maximumBytes) { visit, form in
                let expense = try expense(visit)
                do {
                    try ReceiptPages.add(form, to: .expense(expense.id), visit)
                    return AppResponse.seeOther(try visit.done(link(expense.id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    return AppResponse.page(try page(visit, expense, error.faults), .unprocessableContent)
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

    private static func page(_ visit: AppVisit, _ expense: GroupExpense, _ faults: [Fault] = []) throws -> [UInt8] {
        let group = try visit.store.sharing.group(expense.groupID)
        let names = try visit.store.sharing.names()
        let receipts = try ReceiptSection(visit, .expense(expense.id), faults: faults)
        let parts = (try? expense.split.parts(of: expense.amount)) ?? []
        return visit.page(.together, title: expense.title) { html in
            html.add(.p, .class("crumb")) { html in
                html.add(.a, .href(GroupPages.link(group.id)), text: group.name)
            }
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: expense.title)
                    html.add(.p) { html in
                        html.text(visit.day(expense.spentOn) + " · ")
                        html.add(.span, .class("amount"), text: visit.money(expense.amount))
                    }
                }
            }
            list(visit.text("Who paid"), expense.payers, expense.amount.currency, names, visit, to: &html)
            list(visit.text("Shared by"), parts, expense.amount.currency, names, visit, to: &html)
            receipts.write(to: &html)
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

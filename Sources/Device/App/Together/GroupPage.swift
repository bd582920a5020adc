import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// One group with its expenses.
struct GroupPage {
    private let visit: AppVisit
    private let group: PersonGroup
    private let members: [UUID]
    private let membership: MemberSection
    private let edit: GroupForm
    private let names: [UUID: String]
    private let marks: PersonMarks
    private let expenses: [GroupExpense]
    private let settlement: [(currency: Currency, transfers: [Transfer])]
    private let debts: [Debt]

    private static let mostShown = 100

    init(_ visit: AppVisit) throws {
        self.visit = visit
        let id = try visit.id()
        group = try visit.store.sharing.group(id)
        members = group.members(on: visit.moment.today)
        membership = try MemberSection(visit, group)
        names = try visit.names()
        marks = try PersonMarks(visit)
        expenses = try visit.store.sharing.expenses(of: id)
        edit = try GroupForm(visit, group, expenses: expenses.count)
        settlement = try visit.store.sharing.settlement(of: id)
        debts = try visit.store.sharing.debts(at: visit.moment)
    }

    /// The name of a payment in a form.
    static func wire(_ transfer: Transfer, _ currency: Currency) -> String {
        "\(transfer.from.lowercased):\(transfer.to.lowercased):\(transfer.minorUnits):\(currency.code)"
    }

    private var form: ExpenseForm {
        ExpenseForm(
            visit: visit, link: place("expenses"), group: group, expense: nil, names: names,
            currency: expenses.first?.amount.currency.code ?? (try? visit.usualCurrency()) ?? "")
    }

    /// The expense of a sent form. Throws the faults of its fields.
    func expense(_ form: FormFields) throws -> GroupExpense { try self.form.read(form) }

    func page() -> [UInt8] {
        visit.page(.together, title: group.name) { html in
            html.crumb(TogetherPages.link, visit.text("Together"))
            html.top(group.title) { html in
                html.add(.ul, .class("members"), .aria("label", visit.text("Members"))) { html in
                    for member in members {
                        html.add(.li) { html in
                            marks.write(member, named: name(member), to: &html)
                            html.text(name(member))
                        }
                    }
                }
                if !expenses.isEmpty {
                    html.sentence(visit.text("Spent together"), visit.money(expenses.totals), .span, of: "amount")
                }
                if !group.details.isEmpty { html.add(.p, .class("lines"), text: group.details) }
            }
            writeSettlement(to: &html)
            writeExpenses(to: &html)
            if !members.isEmpty {
                html.adding(visit, form.link, "panel stack after", .data("guard")) { html in
                    html.add(.h2, text: visit.text("Add an expense"))
                    form.write(to: &html)
                    html.submit(visit.text("Add"), "primary")
                }
            }
            membership.write(to: &html)
            edit.write(to: &html)
        }
    }

    private func place(_ parts: String...) -> HTMLLink {
        HTMLLink(path: ["together", "groups", group.id.lowercased] + parts)
    }

    private func name(_ id: UUID) -> String { names[id] ?? visit.text("(deleted)") }

    private func writeSettlement(to html: inout HTMLWriter) {
        let open = settlement.flatMap { currency, transfers in transfers.map { (currency, $0) } }
        html.section(visit.text("To settle")) { html in
            visit.list(open, empty: visit.text("Everything is settled."), to: &html) { row, html in
                let (currency, transfer) = row
                let (from, to) = (name(transfer.from), name(transfer.to))
                html.add(.span) { html in
                    html.arrow(from, to)
                    html.text(" ")
                    html.add(
                        .b, .class("amount"),
                        text: visit.money(Money(minorUnits: transfer.minorUnits, currency: currency)))
                    if let elsewhere = visit.elsewhere(transfer, in: currency, of: group.id, debts, names) {
                        html.hint(visit.text(elsewhere))
                    }
                }
                html.button(
                    visit.text("Paid"), post: place("settle"), ["transfer": Self.wire(transfer, currency)],
                    label: visit.label(visit.text("Paid"), .arrow(from, to)))
            }
        }
    }

    private func writeExpenses(to html: inout HTMLWriter) {
        html.section(visit.text("Expenses")) { html in
            visit.list(
                expenses, most: Self.mostShown, empty: visit.text("No expenses yet."), to: &html
            ) { expense, html in
                html.add(.span) { html in
                    html.add(.a, .href(ExpensePages.link(expense.id)), text: expense.title)
                    let payers = expense.payers.map { name($0.personID) }.joined(separator: ", ")
                    html.text(" · \(visit.day(expense.spentOn)) · \(payers)")
                    if expense.isSettled { html.text(" · " + visit.text("settled elsewhere")) }
                }
                html.add(.span, .class("amount"), text: visit.money(expense.amount))
                html.button(
                    visit.text("Delete"), post: place("expenses", "delete"), ["expense": expense.id.lowercased],
                    label: visit.label(visit.text("Delete"), expense.title))
            }
        }
    }
}

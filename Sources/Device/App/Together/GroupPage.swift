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
    private let typed: FormFields?
    private let faults: [Fault]

    private static let mostShown = 100

    /// - Parameters:
    ///   - typed: an expense that was not accepted.
    ///   - edited: a form of the group itself that was not accepted.
    ///   - membership: a form of members that was not accepted.
    init(
        _ visit: AppVisit, _ id: UUID, typed: FormFields? = nil, faults: [Fault] = [], edited: FormFields? = nil,
        groupFaults: [Fault] = [], membership: ((PersonGroup) throws -> MemberSection)? = nil
    ) throws {
        self.visit = visit
        self.typed = typed
        self.faults = faults
        group = try visit.store.sharing.group(id)
        members = group.members(on: visit.moment.today)
        self.membership = try membership?(group) ?? MemberSection(visit, group)
        names = try visit.names()
        marks = try PersonMarks(visit)
        expenses = try visit.store.sharing.expenses(of: id)
        edit = try GroupForm(visit, group, expenses: expenses.count, typed: edited, faults: groupFaults)
        settlement = try visit.store.sharing.settlement(of: id)
        debts = try visit.store.sharing.debts(at: visit.moment)
    }

    /// The name of a payment in a form.
    static func wire(_ transfer: Transfer, _ currency: Currency) -> String {
        "\(transfer.from.lowercased):\(transfer.to.lowercased):\(transfer.minorUnits):\(currency.code)"
    }

    private var form: ExpenseForm {
        ExpenseForm(
            visit: visit, group: group, expense: nil, names: names,
            currency: expenses.first?.amount.currency.code ?? (try? visit.usualCurrency()) ?? "", typed: typed,
            faults: faults)
    }

    /// The expense of a sent form. Throws the faults of its fields.
    func expense(_ form: FormFields) throws -> GroupExpense { try self.form.read(form) }

    func page() -> [UInt8] {
        visit.page(.together, title: group.name) { html in
            html.crumb(TogetherPages.link, visit.text("Together"))
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: [group.emoji, group.name].filter { !$0.isEmpty }.joined(separator: " "))
                    html.add(.ul, .class("members"), .aria("label", visit.text("Members"))) { html in
                        for member in members {
                            html.add(.li) { html in
                                marks.write(member, named: name(member), to: &html)
                                html.text(name(member))
                            }
                        }
                    }
                    if !expenses.isEmpty {
                        html.add(.p) { html in
                            html.text(visit.text("Spent together") + " ")
                            html.add(.span, .class("amount"), text: visit.money(expenses.totals))
                        }
                    }
                    if !group.details.isEmpty { html.add(.p, .class("lines"), text: group.details) }
                }
            }
            writeSettlement(to: &html)
            writeForm(to: &html)
            writeExpenses(to: &html)
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
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: visit.text("To settle"))
            if open.isEmpty { html.add(.p, .class("muted"), text: visit.text("Everything is settled.")) }
            html.add(.ul, .class("waits")) { html in
                for (currency, transfer) in open {
                    html.add(.li) { html in
                        html.add(.span) { html in
                            html.text("\(name(transfer.from)) → \(name(transfer.to)) ")
                            html.add(
                                .b, .class("amount"),
                                text: visit.money(Money(minorUnits: transfer.minorUnits, currency: currency)))
                            if let hint = elsewhere(transfer, currency) { html.add(.p, .class("hint"), text: hint) }
                        }
                        html.add(.form, .methodPost, .action(place("settle"))) { html in
                            html.hidden("transfer", Self.wire(transfer, currency))
                            html.add(
                                .button, .type("submit"),
                                .aria(
                                    "label",
                                    "\(visit.text("Paid"))\(visit.colon)\(name(transfer.from)) → \(name(transfer.to))"),
                                text: visit.text("Paid"))
                        }
                    }
                }
            }
        }
    }

    /// What is open between the same two people outside of this group, so that nothing is paid twice.
    private func elsewhere(_ transfer: Transfer, _ currency: Currency) -> String? {
        let (from, to) = (transfer.from, transfer.to)
        let elsewhere = debts.open(from: from, to: to, besides: group.id, in: currency)
        guard elsewhere.minorUnits != 0 else { return nil }
        let both = [elsewhere.minorUnits, transfer.minorUnits].clampedSum
        func arrow(_ units: Int64) -> String {
            let amount = visit.money(Money(minorUnits: abs(units), currency: currency))
            return units > 0 ? "\(name(from)) → \(name(to)) \(amount)" : "\(name(to)) → \(name(from)) \(amount)"
        }
        let (outside, sum) = (arrow(elsewhere.minorUnits), both == 0 ? visit.text("nothing") : arrow(both))
        return visit.text("outside of this group: \(outside); both together: \(sum)")
    }

    private func writeForm(to html: inout HTMLWriter) {
        guard !members.isEmpty else { return }
        html.add(
            .form, .methodPost, .action(place("expenses")), .class("panel stack after"), .data("guard")
        ) { html in
            html.add(.h2, text: visit.text("Add an expense"))
            form.write(to: &html)
            html.add(.button, .type("submit"), .class("primary"), text: visit.text("Add"))
        }
    }

    private func writeExpenses(to html: inout HTMLWriter) {
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: visit.text("Expenses"))
            if expenses.isEmpty { html.add(.p, .class("muted"), text: visit.text("No expenses yet.")) }
            html.add(.ul, .class("waits")) { html in
                for expense in expenses.prefix(Self.mostShown) {
                    html.add(.li) { html in
                        html.add(.span) { html in
                            html.add(.a, .href(ExpensePages.link(expense.id)), text: expense.title)
                            let payers = expense.payers.map { name($0.personID) }.joined(separator: ", ")
                            html.text(" · \(visit.day(expense.spentOn)) · \(payers) · ")
                            html.add(.span, .class("amount"), text: visit.money(expense.amount))
                            if expense.isSettled { html.text(" · " + visit.text("settled elsewhere")) }
                        }
                        html.add(.form, .methodPost, .action(place("expenses", "delete"))) { html in
                            html.hidden("expense", expense.id.lowercased)
                            html.add(
                                .button, .type("submit"),
                                .aria("label", "\(visit.text("Delete"))\(visit.colon)\(expense.title)"),
                                text: visit.text("Delete"))
                        }
                    }
                }
            }
            if expenses.count > Self.mostShown {
                html.add(.p, .class("muted"), text: visit.text("\(expenses.count - Self.mostShown) more"))
            }
        }
    }
}

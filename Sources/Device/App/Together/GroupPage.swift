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
    private let names: [UUID: String]
    private let expenses: [GroupExpense]
    private let settlement: [(currency: Currency, transfers: [Transfer])]
    private let typed: FormFields?
    private let faults: [Fault]

    private static let mostShown = 100

    /// - Parameters:
    ///   - typed: an expense that was not accepted.
    ///   - membership: a form of members that was not accepted.
    init(
        _ visit: AppVisit, _ id: UUID, typed: FormFields? = nil, faults: [Fault] = [],
        membership: ((PersonGroup) throws -> MemberSection)? = nil
    ) throws {
        self.visit = visit
        self.typed = typed
        self.faults = faults
        group = try visit.store.sharing.group(id)
        members = group.members(on: visit.moment.today)
        self.membership = try membership?(group) ?? MemberSection(visit, group)
        names = try visit.store.sharing.names()
        expenses = try visit.store.sharing.expenses(of: id)
        settlement = try visit.store.sharing.settlement(of: id)
    }

    /// The name of a payment in a form.
    static func wire(_ transfer: Transfer, _ currency: Currency) -> String {
        "\(transfer.from.lowercased):\(transfer.to.lowercased):\(transfer.minorUnits):\(currency.code)"
    }

    /// The expense of a sent form. Throws the faults of its fields.
    func expense(_ form: FormFields) throws -> GroupExpense {
        do throws(Fault) {
            let currency = try FieldRules.currency((form["currency"] ?? "").trimmingBlanks.uppercased())
            let decimal = try AmountText.decimal(form["amount"] ?? "", in: currency, field: "amount")
            let amount = try FieldRules.amount(decimal, currency)
            guard let day = CalendarDay(iso: form["on"] ?? "") else {
                throw Fault("on", .invalidDay, "Must be a date such as 2027-01-15.")
            }
            guard let payer = form["paid_by"].flatMap({ UUID(uuidString: $0) }) else {
                throw Fault("paid_by", .required, "Must name who paid.")
            }
            let split = try SplitForm.split(form, among: group.memberIDs, in: currency)
            guard !split.people.isEmpty else { throw Fault("between", .required, "Must name who shares it.") }
            return GroupExpense(
                id: visit.store.makeID(visit.moment), groupID: group.id, title: (form["title"] ?? "").trimmingBlanks,
                amount: amount, payers: [PersonAmount(personID: payer, minorUnits: amount.minorUnits)],
                split: split, spentOn: day, createdAt: visit.moment.now)
        } catch {
            throw DeviceStoreError.invalid(error)
        }
    }

    func page() -> [UInt8] {
        visit.page(.together, title: group.name) { html in
            html.add(.p, .class("crumb")) { html in
                html.add(.a, .href(TogetherPages.link), text: visit.text("Together"))
            }
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: group.name)
                    html.add(.p, text: members.map(name).joined(separator: ", "))
                }
                html.add(.form, .methodPost, .action(place("delete"))) { html in
                    html.add(.button, .type("submit"), .class("danger"), text: visit.text("Delete the group"))
                }
            }
            writeSettlement(to: &html)
            writeForm(to: &html)
            writeExpenses(to: &html)
            membership.write(to: &html)
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
                        }
                        html.add(.form, .methodPost, .action(place("settle"))) { html in
                            visit.hidden("transfer", Self.wire(transfer, currency), to: &html)
                            html.add(
                                .button, .type("submit"),
                                .aria("label", "\(visit.text("Paid")): \(name(transfer.from)) → \(name(transfer.to))"),
                                text: visit.text("Paid"))
                        }
                    }
                }
            }
        }
    }

    private func writeForm(to html: inout HTMLWriter) {
        guard !members.isEmpty else { return }
        let payer = typed?["paid_by"] ?? ""
        html.add(
            .form, .methodPost, .action(place("expenses")), .class("panel stack after"), .data("guard")
        ) { html in
            html.add(.h2, text: visit.text("Add an expense"))
            html.add(.div, .class("fields")) { html in
                visit.field(
                    "title", visit.text("What for"), value: typed?["title"] ?? "", faults: faults, to: &html)
                visit.field(
                    "amount", visit.text("Amount"), value: typed?["amount"] ?? "", faults: faults, to: &html)
                visit.field(
                    "currency", visit.text("Currency"),
                    value: typed?["currency"] ?? expenses.first?.amount.currency.code
                        ?? (try? visit.usualCurrency()) ?? "", faults: faults, to: &html)
                visit.field(
                    "on", visit.text("Date"), value: typed?["on"] ?? visit.moment.today.iso, type: "date",
                    faults: faults, to: &html)
                html.add(.div, .class("field")) { html in
                    html.add(.label, .for("paid_by"), text: visit.text("Who paid"))
                    html.add(.select, .id("paid_by"), .name("paid_by")) { html in
                        for id in members {
                            html.add(
                                .option, .value(id.lowercased), id.lowercased == payer ? .selected : nil,
                                text: name(id))
                        }
                    }
                    write("paid_by", to: &html)
                }
            }
            SplitForm(
                visit: visit, people: group.memberIDs.map { ($0, name($0)) }, legend: visit.text("Shared by"),
                split: Split(kind: .even, people: members), currency: nil, typed: typed, faults: faults
            ).write(to: &html)
            html.add(.button, .type("submit"), .class("primary"), text: visit.text("Add"))
        }
    }

    private func write(_ pointer: String, to html: inout HTMLWriter) {
        for fault in faults where fault.pointer == pointer {
            html.add(
                .p, .class("fault"), .id("\(pointer)-fault"), .role("alert"), text: visit.words.sentence(fault.detail))
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
                        }
                        html.add(.form, .methodPost, .action(place("expenses", "delete"))) { html in
                            visit.hidden("expense", expense.id.lowercased, to: &html)
                            html.add(
                                .button, .type("submit"),
                                .aria("label", "\(visit.text("Delete")): \(expense.title)"),
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

import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// Balances, groups and people.
struct TogetherPage {
    private let visit: AppVisit
    private let balances: [PersonBalance]
    private let debts: [Debt]
    private let shared: [DeviceStore.Sharing.Shared]
    private let names: [UUID: String]
    private let marks: PersonMarks
    private let people: [Person]
    /// Whether the owner is a person already, with a name to edit.
    private let isOwnerKnown: Bool
    private let groups: [PersonGroup]
    /// What is open in groups between people, the owner left aside.
    private let others: [(group: PersonGroup, currency: Currency, transfer: Transfer)]
    /// What each group has spent.
    private let totals: [UUID: [Money]]

    init(_ visit: AppVisit) throws {
        self.visit = visit
        groups = try visit.store.sharing.groups()
        others = try groups.flatMap { group in
            try visit.store.sharing.settlement(of: group.id).flatMap { currency, transfers in
                transfers.filter { $0.from != Person.me && $0.to != Person.me }.map { (group, currency, $0) }
            }
        }
        totals = Dictionary(grouping: try visit.store.sharing.expenses(), by: \.groupID).mapValues(\.totals)
        let debts = try visit.answer("debts") { try visit.store.sharing.debts(at: visit.moment) }
        balances = try visit.store.sharing.balances(of: debts)
        self.debts = debts
        shared = try visit.store.sharing.shared(at: visit.moment)
        names = try visit.names()
        marks = try PersonMarks(visit)
        let all = try visit.store.sharing.people()
        people = all.filter { $0.id != Person.me }
        isOwnerKnown = all.count > people.count
    }

    func page() -> [UInt8] {
        visit.page(.together, title: visit.text("Together")) { html in
            html.top(
                visit.text("Together"),
                beside: { $0.linkButton(visit.text("Transactions"), TransactionPages.link) })
            if balances.isEmpty {
                html.empty(
                    others.isEmpty
                        ? visit.text("Everything is settled.") : visit.text("You are settled, others are not."),
                    visit.text("Share a subscription from its page: each charge is then owed by those who share it."))
            }
            html.add(.ul, .class("subscriptions")) { html in
                for balance in balances { write(balance, to: &html) }
            }
            writeShared(to: &html)
            writeOthers(to: &html)
            if !people.isEmpty { writeGroups(to: &html) }
            writePeople(to: &html)
        }
    }

    /// Each subscription that others bear a part of, and each one's part of today's price.
    private func writeShared(to html: inout HTMLWriter) {
        guard !shared.isEmpty else { return }
        func named(_ parts: ShareParts) -> [(name: String, amount: Money)] {
            guard !parts.exceedsPrice else { return [] }
            return parts.others.map { ($0.name, $0.amount) } + [(visit.text("you"), parts.owner)]
        }
        html.add(.section, .class("section")) { html in
            html.add(.h2, .id("shared"), text: visit.text("Shared subscriptions"))
            html.table(
                .labelledBy("shared"), of: shared,
                [
                    .heading(visit.text("Name")) { row, html in
                        html.add(.a, .href(SubscriptionPages.link(row.subscription.id)), text: row.subscription.name)
                    },
                    .text(visit.text("Price"), .class("amount")) { row in
                        "\(visit.money(row.subscription.price(on: visit.moment.today))) "
                            + visit.cycle(row.subscription.cycle)
                    },
                    .text(visit.text("Parts"), isLabelled: false) { row, html in
                        html.add(.ul) { html in
                            for part in named(row.parts) {
                                html.add(.li) { $0.amount(visit.money(part.amount), after: part.name + " ") }
                            }
                        }
                    },
                ])
        }
    }

    private func writeOthers(to html: inout HTMLWriter) {
        guard !others.isEmpty else { return }
        html.section(visit.text("To settle between others")) { html in
            html.rows(others) { row, html in
                let (group, currency, transfer) = row
                html.add(.span) { html in
                    html.arrow(names[transfer.from] ?? "–", names[transfer.to] ?? "–")
                    html.text(" · ")
                    html.add(.a, .href(GroupPages.link(group.id)), text: group.name)
                }
                html.add(
                    .span, .class("amount"),
                    text: visit.money(Money(minorUnits: transfer.minorUnits, currency: currency)))
            }
        }
    }

    private func writeGroups(to html: inout HTMLWriter) {
        html.section(visit.text("Groups")) { html in
            if !groups.isEmpty {
                html.rows(groups) { group, html in
                    html.add(.a, .href(GroupPages.link(group.id)), text: group.title)
                    html.add(.span, .class("amount"), text: visit.money(totals[group.id] ?? []))
                }
            }
            let link = HTMLLink("together", "groups")
            let sent = visit.sent(to: link)
            html.fold(visit.text("New group"), "more after", isOpen: sent != nil) { html in
                html.adding(visit, link, "stack after", .data("keep")) { html in
                    visit.field(
                        "group", visit.text("Name of the group"), value: sent?.fields.trimmed("group") ?? "",
                        faults: sent.faults.filter { $0.pointer == "name" }.map { $0.at("group") }, to: &html)
                    html.choices(
                        visit.text("Members"), "person",
                        [(Person.me.lowercased, names[Person.me] ?? "")] + people.map { ($0.id.lowercased, $0.name) },
                        chosen: Set((sent?.fields.ids("person") ?? [Person.me]).map(\.lowercased))
                    ) { html in
                        for fault in sent.faults where fault.pointer == "members" {
                            html.fault(visit.sentence(fault.detail))
                        }
                    }
                    html.submit(visit.text("Add the group"))
                }
            }
        }
    }

    /// An expense may be dated ahead; it counts at once.
    private func sinceWhen(_ balance: PersonBalance) -> String {
        let (day, isTheirs) = (visit.day(balance.since), balance.amount.minorUnits > 0)
        guard balance.since <= visit.moment.today else {
            return isTheirs ? visit.text("owes you, dated \(day)") : visit.text("you owe them, dated \(day)")
        }
        return isTheirs ? visit.text("owes you since \(day)") : visit.text("you owe them since \(day)")
    }

    private func write(_ balance: PersonBalance, to html: inout HTMLWriter) {
        let person = names[balance.personID] ?? visit.text("(deleted)")
        let amount = balance.amount.magnitude
        let (id, code, link) = (balance.personID.lowercased, amount.currency.code, HTMLLink("together", "repay"))
        html.add(.li, .class("charge")) { html in
            html.add(.div, .class("proposal")) { html in
                marks.write(balance.personID, named: person, to: &html)
                html.entry(person, sinceWhen(balance))
                html.add(.b, .class("amount"), text: visit.money(amount))
            }
            html.add(.div, .class("decide")) { html in
                visit.writePaid(
                    visit.text("Paid back"), "amount-\(id)-\(code)", link,
                    [
                        "person": id, "currency": code,
                        "direction": balance.amount.minorUnits > 0 ? "theirs" : "mine",
                        AppVisit.formKeyName: visit.formKey,
                    ], amount: amount, visit.sent(to: link, ["person": id, "currency": code]), to: &html)
                html.add(.details) { html in
                    html.add(.summary, text: visit.text("Breakdown"))
                    html.add(.ul) { html in
                        for debt in debts
                        where debt.amount.currency == amount.currency
                            && Set([debt.debtor, debt.creditor]) == Set([balance.personID, Person.me])
                        {
                            write(debt, to: &html)
                        }
                    }
                }
            }
        }
    }

    private func write(_ debt: Debt, to html: inout HTMLWriter) {
        let units = debt.creditor == Person.me ? debt.amount.minorUnits : -debt.amount.minorUnits
        let title = debt.title.isEmpty ? visit.text("repayment") : debt.title
        html.add(.li) { html in
            html.amount(
                visit.money(Money(minorUnits: units, currency: debt.amount.currency)),
                of: "\(visit.day(debt.on)) · \(title)")
        }
    }

    private func writePeople(to html: inout HTMLWriter) {
        html.section(visit.text("People")) { html in
            if !people.isEmpty {
                let owner = isOwnerKnown ? [(id: Person.me, name: names[Person.me] ?? "")] : []
                html.rows(owner + people.map { ($0.id, $0.name) }, style: "waits people") { person, html in
                    marks.write(person.id, named: person.name, to: &html)
                    html.add(.a, .href(PersonPages.link(person.id)), text: person.name)
                }
            }
            let link = HTMLLink("together", "people")
            let sent = visit.sent(to: link)
            html.adding(visit, link, "filters after", .data("keep")) { html in
                visit.field(
                    "name", visit.text("Name"), value: sent?.fields.trimmed("name") ?? "", style: "field grow",
                    faults: sent.faults, to: &html)
                html.submit(visit.text("Add a person"))
            }
        }
    }
}

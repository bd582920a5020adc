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
    private let shared: [(subscription: Subscription, share: SubscriptionShare)]
    private let names: [UUID: String]
    private let marks: PersonMarks
    private let people: [Person]
    /// Whether the owner is a person already, with a name to edit.
    private let isOwnerKnown: Bool
    private let name: String
    private let nameFaults: [Fault]
    /// The balance whose repayment was not accepted: the person's id and the currency.
    private let open: String?
    private let typed: String?
    private let faults: [Fault]
    private let groups: [PersonGroup]
    /// What is open in groups between people, the owner left aside.
    private let others: [(group: PersonGroup, currency: Currency, transfer: Transfer)]
    /// What each group has spent.
    private let totals: [UUID: [Money]]
    /// A group that was not accepted.
    private let group: PersonGroup?
    private let groupFaults: [Fault]

    init(
        _ visit: AppVisit, name: String = "", nameFaults: [Fault] = [], open: String? = nil, typed: String? = nil,
        faults: [Fault] = [], group: PersonGroup? = nil, groupFaults: [Fault] = []
    ) throws {
        self.visit = visit
        self.name = name
        self.nameFaults = nameFaults
        self.open = open
        self.typed = typed
        self.faults = faults
        self.group = group
        self.groupFaults = groupFaults
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
            html.add(.div, .class("top")) { html in
                html.add(.h1, text: visit.text("Together"))
                html.add(.a, .class("button"), .href(TransactionPages.link), text: visit.text("Single payments"))
            }
            if balances.isEmpty {
                html.add(.div, .class("empty")) { html in
                    html.add(
                        .h2,
                        text: others.isEmpty
                            ? visit.text("Everything is settled.") : visit.text("You are settled, others are not."))
                    html.add(
                        .p,
                        text: visit.text(
                            "Share a subscription from its page: each charge is then owed by those who share it."))
                }
            }
            html.add(.ul, .class("subscriptions")) { html in
                for balance in balances { write(balance, to: &html) }
            }
            writeShared(to: &html)
            writeOthers(to: &html)
            writeGroups(to: &html)
            writePeople(to: &html)
        }
    }

    /// Each subscription that others bear a part of, and each one's part of today's price.
    private func writeShared(to html: inout HTMLWriter) {
        guard !shared.isEmpty else { return }
        func parts(_ row: (subscription: Subscription, share: SubscriptionShare)) -> [(name: String, amount: Money)] {
            let price = row.subscription.price(on: visit.moment.today)
            guard !row.share.exceeds(price), let parts = try? row.share.parts(of: price) else { return [] }
            return
                (parts.others.map { (names[$0.personID] ?? visit.text("(deleted)"), $0.minorUnits) }
                + [(visit.text("you"), parts.owner)])
                .map { ($0.0, Money(minorUnits: $0.1, currency: price.currency)) }
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
                            for part in parts(row) {
                                html.add(.li) { html in
                                    html.text(part.name + " ")
                                    html.add(.span, .class("amount"), text: visit.money(part.amount))
                                }
                            }
                        }
                    },
                ])
        }
    }

    private func writeOthers(to html: inout HTMLWriter) {
        guard !others.isEmpty else { return }
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: visit.text("Open between others"))
            html.add(.ul, .class("waits")) { html in
                for (group, currency, transfer) in others {
                    let (from, to) = (names[transfer.from] ?? "–", names[transfer.to] ?? "–")
                    html.add(.li) { html in
                        html.add(.span) { html in
                            html.text("\(from) → \(to) · ")
                            html.add(.a, .href(GroupPages.link(group.id)), text: group.name)
                        }
                        html.add(
                            .span, .class("amount"),
                            text: visit.money(Money(minorUnits: transfer.minorUnits, currency: currency)))
                    }
                }
            }
        }
    }

    private func writeGroups(to html: inout HTMLWriter) {
        guard !people.isEmpty else { return }
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: visit.text("Groups"))
            if !groups.isEmpty {
                html.add(.ul, .class("waits")) { html in
                    for group in groups {
                        let name = [group.emoji, group.name].filter { !$0.isEmpty }.joined(separator: " ")
                        html.add(.li) { html in
                            html.add(.a, .href(GroupPages.link(group.id)), text: name)
                            html.add(.span, .class("amount"), text: visit.money(totals[group.id] ?? []))
                        }
                    }
                }
            }
            html.add(.details, .class("more after"), group == nil ? nil : .open) { html in
                html.add(.summary, text: visit.text("New group"))
                writeGroupForm(to: &html)
            }
        }
    }

    private func writeGroupForm(to html: inout HTMLWriter) {
        let chosen = group.map { Set($0.memberIDs) } ?? [Person.me]
        html.add(.form, .methodPost, .action(HTMLLink("together", "groups")), .class("stack after"), .data("keep")) {
            html in
            visit.field(
                "group", visit.text("Name of the group"), value: group?.name ?? "",
                faults: groupFaults.filter { $0.pointer == "name" }.map { Fault("group", $0.code, "\($0.detail)") },
                to: &html)
            html.add(.fieldset) { html in
                html.add(.legend, text: visit.text("Members"))
                html.add(.div, .class("choices")) { html in
                    for (id, name) in [(Person.me, names[Person.me] ?? "")]
                        + people.map({ ($0.id, $0.name) })
                    {
                        html.add(.label, .class("choice")) { html in
                            html.add(
                                .input, .type("checkbox"), .name("person"), .value(id.lowercased),
                                chosen.contains(id) ? .checked : nil)
                            html.text(name)
                        }
                    }
                }
                for fault in groupFaults where fault.pointer == "members" {
                    html.add(.p, .class("fault"), .role("alert"), text: visit.sentence(fault.detail))
                }
            }
            html.add(.button, .type("submit"), text: visit.text("Add the group"))
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
        let isTheirs = balance.amount.minorUnits > 0
        let amount = Money(minorUnits: abs(balance.amount.minorUnits), currency: balance.amount.currency)
        let key = "\(balance.personID.lowercased)-\(amount.currency.code)"
        html.add(.li, .class("charge")) { html in
            html.add(.div, .class("proposal")) { html in
                marks.write(balance.personID, named: person, to: &html)
                html.add(.span, .class("entry")) { html in
                    html.add(.b, text: person)
                    html.add(
                        .small, .class("muted"),
                        text: sinceWhen(balance))
                }
                html.add(.b, .class("amount"), text: visit.money(amount))
            }
            html.add(.div, .class("decide")) { html in
                html.add(.details, open == key ? .open : nil) { html in
                    html.add(.summary, text: visit.text("Paid back"))
                    writeRepayment(balance.personID, amount, isTheirs: isTheirs, key: key, to: &html)
                }
                html.add(.details) { html in
                    html.add(.summary, text: visit.text("What it is made of"))
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
        html.add(.li) { html in
            html.text("\(visit.day(debt.on)) · \(debt.title.isEmpty ? visit.text("repayment") : debt.title) · ")
            html.add(
                .span, .class("amount"), text: visit.money(Money(minorUnits: units, currency: debt.amount.currency)))
        }
    }

    private func writeRepayment(
        _ person: UUID, _ amount: Money, isTheirs: Bool, key: String, to html: inout HTMLWriter
    ) {
        let isOpen = open == key
        let isWrong = isOpen && !faults.isEmpty
        html.add(
            .form, .methodPost, .action(HTMLLink("together", "repay")), .class("paid"), .data("keep")
        ) { html in
            html.hidden("person", person.lowercased)
            html.hidden("currency", amount.currency.code)
            html.hidden("direction", isTheirs ? "theirs" : "mine")
            html.add(.div, .class("field")) { html in
                html.add(.label, .for("amount-\(key)"), text: visit.text("Amount in \(amount.currency.code)"))
                html.add(
                    .input, .type("text"), .inputMode("decimal"), .autocomplete("off"), .id("amount-\(key)"),
                    .name("amount"), .value(isOpen ? typed ?? "" : visit.entry(amount.decimal)),
                    isWrong ? .aria("invalid", "true") : nil,
                    isWrong ? .aria("describedby", "amount-\(key)-fault") : nil)
                if isWrong {
                    html.add(
                        .p, .class("fault"), .id("amount-\(key)-fault"), .role("alert"),
                        text: faults.map { visit.sentence($0.detail) }.joined(separator: " "))
                }
            }
            html.add(.button, .type("submit"), text: visit.text("Save"))
        }
    }

    private func writePeople(to html: inout HTMLWriter) {
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: visit.text("People"))
            if !people.isEmpty {
                html.add(.ul, .class("waits people")) { html in
                    for (id, name) in (isOwnerKnown ? [(Person.me, names[Person.me] ?? "")] : [])
                        + people.map({ ($0.id, $0.name) })
                    {
                        html.add(.li) { html in
                            marks.write(id, named: name, to: &html)
                            html.add(.a, .href(PersonPages.link(id)), text: name)
                        }
                    }
                }
            }
            html.add(
                .form, .methodPost, .action(HTMLLink("together", "people")), .class("filters after"), .data("keep")
            ) { html in
                html.add(.div, .class("field grow")) { html in
                    html.add(.label, .for("name"), text: visit.text("Name"))
                    html.add(
                        .input, .type("text"), .id("name"), .name("name"), .value(name), .autocomplete("off"),
                        nameFaults.isEmpty ? nil : .aria("invalid", "true"),
                        nameFaults.isEmpty ? nil : .aria("describedby", "name-fault"))
                    for fault in nameFaults {
                        html.add(
                            .p, .class("fault"), .id("name-fault"), .role("alert"),
                            text: visit.sentence(fault.detail))
                    }
                }
                html.add(.button, .type("submit"), text: visit.text("Add a person"))
            }
        }
    }
}

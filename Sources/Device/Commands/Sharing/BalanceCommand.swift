import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct BalanceCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "balance", abstract: "Show who owes you, whom you owe, and since when.",
        discussion: """
            Counts the charges of shared subscriptions, group expenses that are not settled, and repayments. With \
            --json, the amount is positive when they owe you. With a person, also its parts.
            """)

    @Argument(help: "Only this person.") var person: String?
    @Flag(help: "Print a text to send to the person.") var message = false
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try require(!message || person != nil, "--message requires a person")
    }

    func run(_ session: Session) throws {
        let id = try person.map { try session.personID($0) }
        let balances = try session.store.sharing.balances(at: session.moment)
            .filter { id == nil || $0.personID == id }
        let names = try session.names()
        guard let id else { return try session.print(balances, names) }
        let debts = try session.store.sharing.debts(at: session.moment)
            .filter { Set([$0.debtor, $0.creditor]) == Set([id, Person.me]) }
        if message {
            let text = session.message(balances, debts, to: names[id] ?? "")
            return session.print(object: { $0.field("message", text) }, text: { text })
        }
        try session.print(balances, names, debts)
    }
}

struct RepayCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "repay", abstract: "Record money that a person gave you, or another person.",
        discussion: """
            `repay me --to PERSON` is money that you gave. A part of what is owed is fine. Without --group, money \
            between two people between whom nothing is open but in one group settles that group; `--group=` is for none.
            """)

    @Argument(help: "Who gave the money.") var person: String
    @Option(parsing: .unconditional, help: "How much, such as 12.50.") var amount: String
    @Option(help: "Currency code. Default: the one named in the amount, or the only one that is open.")
    var currency: String?
    @Option(help: "When. Default: today.") var on: DayArgument?
    @Option(help: "Who got it. Default: you.") var to: String?
    @Option(help: "The group whose balances it settles. Default: the only one in which something is open.")
    var group: String?
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        var reader = ArgumentReader()
        let from = try reader.read("person") { try session.personID(person) }
        let to = try reader.read("to") { try self.to.map { try session.personID($0) } ?? Person.me }
        let group = try reader.read("group") {
            try self.group.flatMap { $0.isEmpty ? nil : try session.groupID($0) }
        }
        // Without a currency, the people say which.
        var code = currency
        if code == nil, let from, let to {
            code = try reader.read("currency") { try session.openCurrency(from, to, amount) }
        }
        // An amount is wrong in any currency.
        let money = try reader.money(session, amount, code ?? session.statedCurrency(amount) ?? "KWD")
        try reader.finish()
        guard let from, let to, let group, let money else { return }
        let repayment = try session.store.sharing.add(
            Repayment(
                id: session.store.makeID(session.moment), from: from, to: to, amount: money,
                paidOn: on?.day(session.moment.today, towards: .last) ?? session.moment.today, groupID: group,
                createdAt: session.moment.now), findsGroup: self.group == nil, at: session.moment)
        let open = try session.store.sharing.balances(at: session.moment)
            .filter { [from, to].contains($0.personID) }
        let names = try session.names()
        let groups = try session.groupNames()
        session.print(
            object: { json in
                json.field("id", repayment.id.lowercased)
                json.field("from", from.lowercased)
                json.field("to", to.lowercased)
                json.money(repayment.amount)
                json.field("on", repayment.paidOn.iso)
                json.field("group_id", repayment.groupID?.lowercased)
            },
            text: {
                repayment.id.lowercased
            })
        // Only the id is output, as of all that is created.
        guard !session.isJSON else { return }
        if self.group == nil, let name = repayment.groupID.flatMap({ groups[$0] }) {
            session.note("recorded for the group \(name)")
        }
        for balance in open { StandardStream.error(session.line(balance, names) + "\n") }
        try session.noteGroups(from, to, besides: repayment.groupID)
    }
}

extension Session {
    /// Says what is open between two people in groups that a repayment was not for, and how to settle it.
    fileprivate func noteGroups(_ from: UUID, _ to: UUID, besides group: UUID?) throws {
        let (people, groups) = (try names(), try groupNames())
        for part in try store.sharing.debts(at: moment).openParts(from: from, to: to) {
            guard let id = part.groupID, id != group, let name = groups[id] else { continue }
            let word = ShellWord.quoted(name)
            note("open in the group \(name): \(arrow(part.amount, from, to, people)); `subguard settle \(word)`")
        }
    }

    /// Names of groups by id.
    func groupNames() throws -> [UUID: String] {
        Dictionary(uniqueKeysWithValues: try store.sharing.groups().map { ($0.id, $0.name) })
    }

    /// The currency named in an amount, else the only one that is open between two people. Throws a fault of
    /// `currency`.
    fileprivate func openCurrency(_ from: UUID, _ to: UUID, _ amount: String) throws -> String {
        let open = try store.sharing.debts(at: moment).balances(of: from).filter { $0.personID == to }
        if let sign = AmountText.read(amount)?.sign {
            let named = open.map(\.amount.currency) + (try namedCurrencies())
            return try sign.requireCurrency(preferring: named).code
        }
        guard let only = open.first, open.count == 1 else {
            throw Fault("currency", .required, "Is required.")
        }
        return only.amount.currency.code
    }

    fileprivate func print(_ balances: [PersonBalance], _ names: [UUID: String], _ debts: [Debt] = []) throws {
        try emit { json in
            try json.array(balances) { json, balance in
                json.field("person", balance.personID.lowercased)
                json.field("name", names[balance.personID])
                json.money(balance.amount)
                json.field("since", balance.since.iso)
                guard !debts.isEmpty else { return }
                let items = debts.filter { $0.amount.currency == balance.amount.currency }
                try json.array("items", items) { json, debt in
                    json.field("on", debt.on.iso)
                    json.field("title", debt.title.isEmpty ? nil : debt.title)
                    json.field("amount", (debt.creditor == Person.me ? "" : "-") + debt.amount.decimal)
                    guard case .group(let group) = debt.source else { return }
                    json.field("group_id", group.lowercased)
                    let items = try store.sharing.items(of: Person.me, in: group, debt.amount.currency)
                    json.array("made_of", items) { json, item in
                        json.field("on", item.on.iso)
                        json.field("title", item.title.isEmpty ? nil : item.title)
                        json.field("amount", item.amount.decimal)
                    }
                }
            }
        } text: {
            guard !balances.isEmpty else { return text("Everything is settled.") }
            let items = try debts.flatMap { ["  " + item($0)] + (try madeOf($0)) }
            return (balances.map { line($0, names) } + items).joined(separator: "\n")
        }
    }

    /// The parts of the rest of a group, for a line that stands for all of it.
    private func madeOf(_ debt: Debt) throws -> [String] {
        guard case .group(let group) = debt.source else { return [] }
        let items = try store.sharing.items(of: Person.me, in: group, debt.amount.currency)
        let shown = (debt.creditor == Person.me ? 1 : -1) * debt.amount.minorUnits
        let rest = shown - items.reduce(0) { $0 + $1.amount.minorUnits }
        let lines = items.map { item in
            "\(day(item.on))  \(item.title.isEmpty ? text("repayment") : item.title)  \(money(item.amount))"
        }
        let others =
            "\(text("open with others in the group"))  "
            + money(Money(minorUnits: rest, currency: debt.amount.currency))
        return (lines + (rest == 0 ? [] : [others])).map { "    " + $0 }
    }

    /// `Zoé owes you €12.34 since 2026-11-05`.
    fileprivate func line(_ balance: PersonBalance, _ names: [UUID: String]) -> String {
        let name = names[balance.personID] ?? text("(deleted)")
        let amount = money(balance.amount.magnitude)
        let since = day(balance.since)
        guard balance.since <= moment.today else {
            return balance.amount.minorUnits > 0
                ? text("\(name) owes you \(amount), dated \(since)") : text("you owe \(name) \(amount), dated \(since)")
        }
        return balance.amount.minorUnits > 0
            ? text("\(name) owes you \(amount) since \(since)") : text("you owe \(name) \(amount) since \(since)")
    }

    /// `2026-11-05  Spotify  €4.33`; with a sign, minus for what reduces their debt.
    fileprivate func item(_ debt: Debt, isSigned: Bool = true) -> String {
        let amount = debt.creditor == Person.me || !isSigned ? debt.amount : debt.amount.negated
        return "\(day(debt.on))  \(debt.title.isEmpty ? text("repayment") : debt.title)  \(money(amount))"
    }

    /// A text for the person, with what has happened since their debt is open and what was before: it adds up.
    fileprivate func message(_ balances: [PersonBalance], _ debts: [Debt], to name: String) -> String {
        guard !balances.isEmpty else { return text("Hi \(name), everything is settled between us.") }
        let parts = balances.map { balance -> String in
            let amount = money(balance.amount.magnitude)
            let since = day(balance.since)
            let said =
                balance.amount.minorUnits > 0
                ? text("you owe me \(amount) since \(since)") : text("I owe you \(amount) since \(since)")
            let all = debts.filter { $0.amount.currency == balance.amount.currency }
            let items = all.filter { $0.on >= balance.since }
            // What adds to the debt that is named first, whichever side owes; the rest is taken off.
            let isTheirs = balance.amount.minorUnits > 0
            let told = items.filter { ($0.creditor == Person.me) == isTheirs }.map { "  " + item($0, isSigned: false) }
            let less = items.filter { ($0.creditor == Person.me) != isTheirs }.map {
                "  " + text("minus \(item($0, isSigned: false))")
            }
            // Before the debt began, it was nothing or the other way.
            let units = all.filter { $0.on < balance.since }.reduce(Int64(0)) { sum, debt in
                sum + ((debt.creditor == Person.me) == isTheirs ? -debt.amount.minorUnits : debt.amount.minorUnits)
            }
            let former = text("\(money(Money(minorUnits: units, currency: balance.amount.currency))) from before")
            let before = units == 0 ? [] : ["  " + text("minus \(former)")]
            return ([text("\(said):")] + told + before + less).joined(separator: "\n")
        }
        let all = parts.joined(separator: "\n")
        return text("Hi \(name), \(all)")
    }
}

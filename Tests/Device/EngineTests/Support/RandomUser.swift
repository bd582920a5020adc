import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Makes random changes through the public calls of a store, and reads every answer that it gives.
struct RandomUser {
    let store: DeviceStore
    var random: SeededRandom
    var moment: Moment
    /// Told apart in names, so that the content shows who wrote it.
    var name = "a"
    /// How many subscriptions it adds at most.
    var limit = 8

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func isTrue(_ percent: Int) -> Bool { number(1...100) <= percent }
    mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }
    mutating func day(_ range: ClosedRange<Int>) -> CalendarDay { moment.today.adding(days: number(range)) }
    mutating func word() -> String { "\(name)\(number(1...999))" }
    mutating func amount() -> String { "\(number(1...99)).\(number(10...99))" }

    mutating func pass(seconds: Int) throws {
        moment = Moment(
            now: UTCInstant(millisecondsSinceEpoch: moment.now.millisecondsSinceEpoch + Int64(seconds) * 1000),
            zone: try #require(TimeZone(identifier: "Europe/Paris")))
    }

    /// Makes one change. One that is refused, or has nothing to act upon, is none.
    mutating func change() throws {
        do { try attempt() } catch is DeviceStoreError {}
    }

    private mutating func attempt() throws {
        let ids = try store.subscriptions.all().map(\.id)
        let people = try store.sharing.people()
        switch number(0...17) {
        case 0, 1: if ids.count < limit { try add() }
        case 2:
            if let id = pick(ids) { try store.subscriptions.edit(id, [.notes: word(), .name: word()], at: moment) }
        case 3:
            if let id = pick(ids) { try store.subscriptions.edit(id, [.amount: amount()], at: moment) }
        case 4:
            if let id = pick(ids) {
                try store.subscriptions.edit(
                    id, [.cycle: pick(["weekly", "monthly", "every:10d"]) ?? "", .nextBillingOn: day(0...20).iso],
                    at: moment)
            }
        case 5:
            if let id = pick(ids), isTrue(40) || ids.count > limit / 2 {
                try store.subscriptions.delete(id, at: moment)
            }
        case 6:
            if let id = pick(ids) { try store.subscriptions.setPrice(id, amount(), from: day(-40...40), at: moment) }
        case 7:
            if let id = pick(ids) {
                let state = pick([SubscriptionState.active, .paused, .cancelled]) ?? .active
                do {
                    try store.subscriptions.setState(id, state, from: day(-20...20), at: moment)
                } catch let error as DeviceStoreError where state == .paused && !error.faults.isEmpty {
                    // No one pauses what is cancelled.
                }
            }
        case 8:
            if let one = pick(try occurrences()) { try store.ledger.confirm(one.id, at: moment) }
        case 9: if let one = pick(try occurrences()) { try store.ledger.skip(one.id, at: moment) }
        case 10:
            if let one = pick(try occurrences()) { try store.ledger.recordPaid(one.id, amount: amount(), at: moment) }
        case 11:
            if let id = pick(ids), let other = pick(ids) {
                try store.subscriptions.edit(id, [.bundledIn: isTrue(50) ? other.lowercased : ""], at: moment)
            }
        case 12: try savePerson(people)
        case 13: if let person = pick(people) { try store.sharing.deletePerson(person.id, isForced: true, at: moment) }
        case 14:
            if let id = pick(ids), let person = pick(people) {
                try store.sharing.setSplit(
                    Split(kind: .even, people: isTrue(70) ? [person.id] : []), of: id, at: moment)
            }
        case 15: try saveGroup(people)
        case 16: try saveTransaction(people)
        default: try setBudget()
        }
    }

    mutating func add() throws {
        try store.subscriptions.add(
            [
                .name: word(), .amount: amount(), .currency: pick(["EUR", "EUR", "USD"]) ?? "EUR",
                .cycle: pick(["weekly", "monthly", "yearly"]) ?? "", .nextBillingOn: day(-40...20).iso,
                .category: pick(["pro", "personal"]) ?? "",
            ], at: moment)
    }

    private func occurrences() throws -> [Occurrence] {
        try store.ledger.occurrences(
            from: moment.today.adding(days: -40), through: moment.today.adding(days: 20), at: moment)
    }

    private mutating func savePerson(_ people: [Person]) throws {
        var person = isTrue(50) ? pick(people) : nil
        person?.name = word()
        guard person != nil || people.count < 4 else { return }
        var saved = person ?? Person(id: store.makeID(moment), name: word(), createdAt: moment.now)
        switch number(1...8) {
        case 1: saved.color = pick(["", "#9fe870", "#000000"]) ?? ""
        case 2: saved.avatar = .emoji(pick(["🦊", "👩‍👩‍👧"]) ?? "🦊")
        case 3: saved.avatar = .initials(pick(["", "Zé"]) ?? "")
        case 4, 5:
            return try store.sharing.save(
                saved, photo: try RepositoryFile.logo(pick([1, 6, 11]) ?? 1), at: moment)
        default: break
        }
        try store.sharing.save(saved, at: moment)
    }

    private mutating func saveGroup(_ people: [Person]) throws {
        let groups = try store.sharing.groups()
        guard let person = pick(people) else { return }
        guard let group = pick(groups), isTrue(70) else {
            let members = isTrue(50) ? people.map(\.id) : [person.id]
            return try store.sharing.save(
                PersonGroup(id: store.makeID(moment), name: word(), memberIDs: members, createdAt: moment.now),
                at: moment)
        }
        if isTrue(25) { return try store.sharing.deleteGroup(group.id, at: moment) }
        if let expense = pick(try store.sharing.expenses(of: group.id)), isTrue(40) {
            return try store.sharing.deleteExpense(expense.id, at: moment)
        }
        if isTrue(30), let person = pick(people) {
            let day = day(-9...5)
            let isMember = group.members(on: day).contains(person.id)
            guard !isMember || group.members(on: day).count > 1 else { return }
            try store.sharing.changeGroup(group.id, at: moment) { group in
                try group.change(
                    joining: isMember ? [] : [person.id], leaving: isMember ? [person.id] : [], from: day)
            }
            return
        }
        let spentOn = day(-9...0)
        let members = group.members(on: spentOn)
        guard let member = pick(members) else { return }
        let amount = Money(minorUnits: Int64(number(1...9999)), currency: .eur)
        try store.sharing.save(
            GroupExpense(
                id: store.makeID(moment), groupID: group.id, title: word(), amount: amount,
                payers: [PersonAmount(personID: member, minorUnits: amount.minorUnits)],
                split: Split(kind: .even, people: members), spentOn: spentOn, createdAt: moment.now),
            at: moment)
    }

    private mutating func saveTransaction(_ people: [Person]) throws {
        if let one = pick(try store.transactions.list()), isTrue(50) {
            return try store.transactions.delete(one.id, at: moment)
        }
        try store.transactions.save(
            Transaction(
                id: store.makeID(moment), title: word(), amount: Money(minorUnits: 500, currency: .eur), kind: .expense,
                bookedOn: day(-9...0), personID: pick(people)?.id, createdAt: moment.now), at: moment)
    }

    private mutating func setBudget() throws {
        if let one = pick(try store.budgets.list(at: moment)), isTrue(40) {
            return try store.budgets.delete(one.budget.id, at: moment)
        }
        try store.budgets.set(
            category: isTrue(50) ? "pro" : nil, amount: amount(), currency: "EUR", period: .month, at: moment)
    }

    // MARK: Answers

    /// Everything that the store answers, one line each.
    func answers() throws -> [String] {
        let (first, last) = (moment.today.adding(days: -60), moment.today.adding(days: 60))
        return [
            "list \(try store.subscriptions.list(at: moment))", "costs \(try store.totals.costs(at: moment))",
            "upcoming \(try store.ledger.occurrences(from: first, through: last, at: moment))",
            "pending \(try store.ledger.pending(at: moment))", "missed \(try store.ledger.missed(at: moment))",
            "score \(try store.ledger.score(at: moment))", "budgets \(try store.budgets.list(at: moment))",
            "overlaps \(try store.totals.overlaps(at: moment))",
            "export \(try store.portability.export(.json, at: moment))",
            "photos \(try store.sharing.photos().sorted { $0.key.uuidString < $1.key.uuidString })",
        ]
    }

    /// The rows of a backup, each with its timestamps or without, whatever their order.
    static func rows(_ backup: [UInt8], stamped: Bool = true) throws -> [String] {
        let tables = try JSONValue.parse(backup).objectValue?["tables"]?.arrayValue ?? []
        return tables.flatMap { table -> [String] in
            let name = table.objectValue?["name"]?.stringValue ?? ""
            return (table.objectValue?["rows"]?.arrayValue ?? []).map { row in
                let values = row.arrayValue ?? []
                let kept = JSONValue.array(stamped ? values : Array(values.dropLast(2)))
                return name + String(decoding: kept.serialized(), as: UTF8.self)
            }
        }.sorted()
    }
}

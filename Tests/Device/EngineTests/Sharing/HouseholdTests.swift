import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// A household of four over three months: shared Spotify, the rent of a garage, a holiday in two currencies, one
/// leaving.
@Suite struct HouseholdTests {
    private let engine: EngineFixture
    private let ana: Person
    private let ben: Person
    private let zoe: Person

    init() throws {
        engine = try EngineFixture("2026-09-01")
        let moment = engine.moment
        let store = engine.store
        let make = { (name: String) -> Person in
            let person = Person(id: store.makeID(moment), name: name, createdAt: moment.now)
            try store.sharing.save(person, at: moment)
            return person
        }
        (ana, ben, zoe) = (try make("Ana"), try make("Ben"), try make("Zoé"))
        try store.sharing.makeMe(named: "Me", at: moment)
    }

    /// `Ana 12.34 EUR 2026-09-05`, in the order of names.
    private func balances() throws -> [String] {
        let names = try engine.store.sharing.names()
        return try engine.store.sharing.balances(at: engine.moment).map {
            "\(names[$0.personID] ?? "?") \($0.amount) \($0.since)"
        }
    }

    private func share(_ id: UUID, _ kind: SplitKind, _ people: [Person], _ weights: [Int64] = [], from: String) throws
    {
        try engine.store.sharing.setSplit(
            Split(kind: kind, people: people.map(\.id), weights: weights), of: id, from: try engine.day(from),
            at: engine.moment)
    }

    private func repay(_ from: UUID, _ to: UUID, _ amount: String, _ code: String = "EUR", group: UUID? = nil) throws {
        try engine.store.sharing.add(
            Repayment(
                id: engine.store.makeID(engine.moment), from: from, to: to,
                amount: try Money(decimal: amount, currency: try #require(Currency(code: code))),
                paidOn: engine.moment.today, groupID: group, createdAt: engine.moment.now), at: engine.moment)
    }

    @Test func threeMonthsAreRightToTheCent() throws {
        let (store, me) = (engine.store, Person.me)
        // 17.99 between four: 4.50 for three of them and 4.49 for the last, in turn. Garage: Ben bears 40 %.
        let spotify = try engine.add("Spotify", [.amount: "17.99", .nextBillingOn: "2026-09-05"])
        let garage = try engine.add("Garage", [.amount: "85", .nextBillingOn: "2026-09-30"])
        try share(spotify, .even, [ana, ben, zoe], from: "2026-09-01")
        try share(garage, .percent, [ben], [4000], from: "2026-09-01")
        #expect(try balances().isEmpty)

        // The charge of the day counts once it is confirmed, and is assumed on the next.
        try engine.go(to: "2026-09-05")
        #expect(try balances().isEmpty)
        try store.ledger.confirm(try engine.occurrence(spotify, "2026-09-05"), at: engine.moment)
        #expect(
            try balances() == ["Ana 4.50 EUR 2026-09-05", "Ben 4.50 EUR 2026-09-05", "Zoé 4.49 EUR 2026-09-05"])
        try engine.go(to: "2026-10-01")
        #expect(
            try balances() == ["Ana 4.50 EUR 2026-09-05", "Ben 38.50 EUR 2026-09-05", "Zoé 4.49 EUR 2026-09-05"])

        // The holiday: 300 EUR paid by me for all, 90 USD paid by Zoé for her and me.
        let group = PersonGroup(
            id: store.makeID(engine.moment), name: "Rome", memberIDs: [me, ana.id, ben.id, zoe.id],
            createdAt: engine.moment.now)
        try store.sharing.save(group, at: engine.moment)
        let expense = { (title: String, amount: String, code: String, payer: UUID, people: [UUID]) in
            let total = try Money(decimal: amount, currency: try #require(Currency(code: code)))
            try store.sharing.save(
                GroupExpense(
                    id: store.makeID(engine.moment), groupID: group.id, title: title, amount: total,
                    payers: [PersonAmount(personID: payer, minorUnits: total.minorUnits)],
                    split: Split(kind: .even, people: people), spentOn: engine.moment.today,
                    createdAt: engine.moment.now), at: engine.moment)
        }
        try expense("Flat", "300", "EUR", me, group.memberIDs)
        try expense("Museum", "90", "USD", zoe.id, [zoe.id, me])
        #expect(
            try balances() == [
                "Ana 79.50 EUR 2026-09-05", "Ben 113.50 EUR 2026-09-05", "Zoé 79.49 EUR 2026-09-05",
                "Zoé -45.00 USD 2026-10-01",
            ])

        // Ben pays a part, I pay Zoé her dollars, Ana settles the group.
        try repay(ben.id, me, "100")
        try repay(me, zoe.id, "45", "USD")
        try repay(ana.id, me, "75", group: group.id)
        #expect(
            try balances() == ["Ana 4.50 EUR 2026-09-05", "Ben 13.50 EUR 2026-09-05", "Zoé 79.49 EUR 2026-09-05"])
        let transfers = try store.sharing.settlement(of: group.id)
        // Ben's hundred and the dollars were not given for the group, so the group alone still counts them.
        #expect(transfers.map(\.currency.code) == ["EUR", "USD"])
        #expect(transfers[0].transfers.map(\.minorUnits).sorted() == [7500, 7500])

        // Zoé leaves Spotify on 15 October: the past stays, three share what comes.
        try engine.go(to: "2026-10-15")
        #expect(try balances().first == "Ana 9.00 EUR 2026-09-05")
        try share(spotify, .even, [ana, ben], from: "2026-10-15")
        try engine.go(to: "2026-11-30")
        // 5 September, 5 October (four), 5 November (three: 6.00, 6.00 and 5.99); garage: 30 September, 30 October.
        #expect(
            try balances() == ["Ana 15.00 EUR 2026-09-05", "Ben 57.99 EUR 2026-09-05", "Zoé 83.99 EUR 2026-09-05"])

        // She cannot be deleted unnoticed; her name stays.
        #expect(throws: DeviceStoreError.self) { try store.sharing.deletePerson(zoe.id, at: engine.moment) }
        try store.sharing.deletePerson(zoe.id, isForced: true, at: engine.moment)
        #expect(try balances().last == "Zoé 83.99 EUR 2026-09-05")
        try store.journal.undo(1, at: engine.moment)
        #expect(try store.sharing.people().map(\.name).contains("Zoé"))
        #expect(throws: DeviceStoreError.self) { try store.sharing.deletePerson(me, isForced: true, at: engine.moment) }
    }

    @Test func debtsSurviveBackupsAndMergesInAnyOrder() throws {
        let store = engine.store
        let id = try engine.add("Spotify", [.amount: "17.99", .nextBillingOn: "2026-09-05"])
        try share(id, .even, [ana], from: "2026-09-01")
        let other = try EngineFixture("2026-09-01", seed: 2)
        try other.store.backups.merge(try engine.backup(), at: other.moment)
        try other.go(to: "2026-11-01")
        try engine.go(to: "2026-11-01")
        try repay(ana.id, Person.me, "5")
        try other.store.sharing.makeMe(named: "Moi", at: other.moment)
        try other.store.sharing.add(
            Repayment(
                id: other.store.makeID(other.moment), from: ana.id, to: Person.me,
                amount: try Money(decimal: "3", currency: .eur), paidOn: other.moment.today,
                createdAt: other.moment.now), at: other.moment)
        let (left, right) = (try engine.backup(), try other.backup())
        try store.backups.merge(right, at: engine.moment)
        try other.store.backups.merge(left, at: other.moment)
        let sums = try [store.sharing.balances(at: engine.moment), other.store.sharing.balances(at: other.moment)]
        // Two charges of 9.00 and 8.99, of which 8.00 came back.
        #expect(sums[0] == sums[1] && sums[0].map(\.amount.decimal) == ["9.99"])
        #expect(try store.sharing.people().filter { $0.id == Person.me }.count == 1)
    }

    /// What is mine and what others owe add up to what was charged, in every sum.
    @Test func netSumsLeaveOutWhatOthersBear() throws {
        let store = engine.store
        let spotify = try engine.add("Spotify", [.amount: "17.99", .nextBillingOn: "2026-09-05", .category: "music"])
        let garage = try engine.add("Garage", [.amount: "85", .nextBillingOn: "2026-09-30"])
        try engine.add("Own", [.amount: "10", .nextBillingOn: "2026-09-10"])
        try share(spotify, .even, [ana], from: "2026-09-01")
        try share(garage, .percent, [ben], [4000], from: "2026-10-15")
        try store.budgets.set(category: "music", amount: "100", currency: "EUR", period: .year, at: engine.moment)
        try engine.go(to: "2026-11-20")
        let moment = engine.moment
        // 9.00 + 51.00 + 10.00, of 112.99.
        #expect(try store.totals.costs(at: moment)[0].monthly.decimal == "112.99")
        let net = try store.totals.costs(isNet: true, at: moment)[0]
        #expect(net.monthly.decimal == "70.00" && net.count == 3)
        // Charged: three of Spotify (9.00, 8.99, 9.00), garage 85.00 (before it was shared) and 51.00, own thrice.
        let year = try store.totals.statement(
            from: try engine.day("2026-01-01"), through: try engine.day("2026-12-31"), isNet: true, at: moment)
        #expect(year.map(\.charged.decimal) == ["192.99"])
        // To come: 30 November, 5, 10 and 30 December.
        #expect(year.map(\.toCome.decimal) == ["120.99"])
        let full = try store.totals.statement(
            from: try engine.day("2026-01-01"), through: try engine.day("2026-12-31"), at: moment)
        let owed = try store.sharing.balances(at: moment).reduce(0) { $0 + $1.amount.minorUnits }
        #expect(full[0].charged.minorUnits == year[0].charged.minorUnits + owed)
        let forecast = try store.totals.forecast(months: 2, isNet: true, at: moment)
        #expect(forecast.map(\.amount.decimal) == ["51.00", "69.99"])
        #expect(
            try store.budgets.list(isNet: true, at: moment).map { "\($0.spent) \($0.expected)" } == [
                "26.99 EUR 8.99 EUR"
            ])
        #expect(try store.budgets.list(at: moment)[0].spent.decimal == "53.97")
    }

    @Test func aJSONExportKeepsWhoOwesWhat() throws {
        let id = try engine.add("Spotify", [.amount: "17.99", .nextBillingOn: "2026-09-05"])
        try share(id, .even, [ana, ben], from: "2026-09-01")
        try engine.go(to: "2026-10-15")
        try share(id, .even, [], from: "2026-10-10")
        try repay(ana.id, Person.me, "5")
        let before = try balances()
        #expect(before.count == 2)
        let text = try engine.store.portability.export(.json, at: engine.moment)
        let other = try EngineFixture("2026-10-15", seed: 3)
        _ = try other.store.portability.importFile(Array(text.utf8), ImportOptions(format: .json), at: other.moment)
        let names = try other.store.sharing.names()
        let after = try other.store.sharing.balances(at: other.moment).map {
            "\(names[$0.personID] ?? "?") \($0.amount) \($0.since)"
        }
        #expect(after == before)
        // Again, nothing is added.
        _ = try other.store.portability.importFile(Array(text.utf8), ImportOptions(format: .json), at: other.moment)
        #expect(try other.store.sharing.repayments().count == 1)
    }
}

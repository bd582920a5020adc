import Foundation
import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements
import Testing

@Suite struct StatementImportTests {
    /// Two years of Netflix on the 30th with a rise, a refund, and a person's IBAN.
    private static let header = "Date;Libellé;Montant\n"

    private func statement(_ rows: [(String, String, String)]) -> String {
        Self.header + rows.map { "\($0.0);\($0.1);\($0.2)" }.joined(separator: "\n") + "\n"
    }

    private let past: [(String, String, String)] = [
        ("30/06/2026", "CARTE 29/06 NETFLIX.COM CB*4523", "-12,34"),
        ("30/07/2026", "CARTE 29/07 NETFLIX.COM CB*4523", "-12,34"),
        ("31/08/2026", "CARTE 29/08 NETFLIX.COM CB*4523", "-12,34"),
        ("30/09/2026", "CARTE 29/09 NETFLIX.COM CB*4523", "-13,99"),
        ("30/10/2026", "CARTE 29/10 NETFLIX.COM CB*4523", "-13,99"),
        ("02/11/2026", "VIR DURAND JEAN FR7612345678901234567890123", "-50,00"),
    ]

    private func run(
        _ text: String, _ acceptance: StatementAcceptance = .none, in fixture: EngineFixture,
        _ change: (inout StatementImportOptions) -> Void = { _ in }
    ) throws -> StatementImportReport {
        var options = StatementImportOptions()
        options.reading.currency = .eur
        options.acceptance = acceptance
        change(&options)
        return try fixture.store.statements.importFiles(
            [StatementFile(name: "a.csv", bytes: Array(text.utf8))], options, at: fixture.moment)
    }

    @Test("Nothing is stored before it is accepted; then with its history, and the same file changes nothing")
    func acceptance() throws {
        let fixture = try EngineFixture()
        let proposed = try run(statement(past), in: fixture).proposals
        #expect(proposed.map(\.confidence) == [.sure])
        #expect(try fixture.store.subscriptions.all().isEmpty)
        #expect(try run(statement(past), .all, in: fixture) { $0.isDryRun = true }.accepted.count == 1)
        #expect(try fixture.store.subscriptions.all().isEmpty)

        let id = try #require(
            try run(statement(past), .chosen([proposed[0].id]), in: fixture).accepted[proposed[0].id])
        let added = try fixture.store.subscriptions.load(id)
        #expect(added.price.decimal == "12.34")
        #expect(added.price(on: try fixture.day("2026-09-30")).decimal == "13.99")
        #expect(added.startedOn == (try fixture.day("2026-06-30")))
        let history = try fixture.store.ledger.history(id, at: fixture.moment)
        #expect(history.map(\.status) == Array(repeating: .confirmed, count: 5))
        #expect(history.map { $0.paid?.decimal } == ["13.99", "13.99", "12.34", "12.34", "12.34"])
        #expect(try fixture.store.ledger.missed(at: fixture.moment).isEmpty)

        let revision = try fixture.store.subscriptions.all()
        let again = try run(statement(past), .all, in: fixture)
        #expect(again.proposals.isEmpty && again.confirmed.isEmpty && again.priceChanges.isEmpty)
        #expect(try fixture.store.subscriptions.all() == revision)
        #expect(try fixture.store.ledger.history(id, at: fixture.moment) == history)
    }

    @Test("One undo takes the whole import back")
    func undo() throws {
        let fixture = try EngineFixture()
        _ = try run(statement(past), .all, in: fixture)
        let undone = try fixture.store.journal.undo(at: fixture.moment)
        #expect(undone.entries.map(\.kind) == [.statementImported])
        #expect(try fixture.store.subscriptions.all().isEmpty)
    }

    @Test("The next statement confirms, finds a rise, and what is charged after cancelling")
    func nextStatement() throws {
        let fixture = try EngineFixture()
        let accepted = try run(statement(past), .sure, in: fixture).accepted
        let id = try #require(accepted.values.first)
        try fixture.store.subscriptions.edit(id, [.name: "Films du soir 🎬"], at: fixture.moment)
        try fixture.go(to: "2027-01-10")
        let next =
            Array(past.suffix(3)) + [
                ("30/11/2026", "CARTE 29/11 NETFLIX.COM CB*4523", "-15,49"),
                ("30/12/2026", "CARTE 29/12 NETFLIX.COM CB*4523", "-15,49"),
            ]
        let report = try run(statement(next), in: fixture)
        #expect(report.confirmed.map(\.occurrence.billingOn.iso) == ["2026-11-30", "2026-12-30"])
        #expect(report.priceChanges.map { "\($0.on) \($0.from) \($0.to)" } == ["2026-11-30 13.99 EUR 15.49 EUR"])
        #expect(report.proposals.isEmpty)
        #expect(try fixture.store.ledger.missed(at: fixture.moment).isEmpty)
        #expect(try run(statement(next), in: fixture).confirmed.isEmpty)

        try fixture.store.subscriptions.setState(id, .cancelled, from: fixture.day("2027-01-10"), at: fixture.moment)
        try fixture.go(to: "2027-03-10")
        let after = Array(next.suffix(2)) + [("01/02/2027", "CARTE 30/01 NETFLIX.COM CB*4523", "-15,49")]
        let late = try run(statement(after), .all, in: fixture)
        #expect(late.chargedAfterCancelling.map(\.charge.amount.decimal) == ["15.49"])
        #expect(late.confirmed.isEmpty && late.proposals.isEmpty)
    }

    @Test("A charge and a new price of a known subscription can be declined; the rest is one change")
    func declined() throws {
        let fixture = try EngineFixture("2026-05-01")
        let id = try fixture.add("Netflix", [.amount: "12.34", .nextBillingOn: "2026-06-30"])
        try fixture.go(to: "2026-11-20")
        let seen = try run(statement(past), in: fixture) { $0.isDryRun = true }
        #expect(seen.confirmed.count == 5 && seen.priceChanges.count == 1)
        #expect(Set(seen.confirmed.map(\.id) + seen.priceChanges.map(\.id)).count == 6)
        let before = try fixture.backup()

        // Nothing at all is no change.
        let nothing = try run(statement(past), in: fixture) { $0.matches = .only([]) }
        #expect(nothing.confirmed.isEmpty && nothing.priceChanges.isEmpty)
        #expect(try fixture.backup() == before)

        // Two charges without the price, and an id that is not there.
        let chosen = Set(seen.confirmed.prefix(2).map(\.id) + ["gone"])
        let part = try run(statement(past), in: fixture) { $0.matches = .only(chosen) }
        #expect(part.confirmed.map(\.occurrence.billingOn.iso) == ["2026-06-30", "2026-07-30"])
        #expect(try fixture.store.subscriptions.load(id).prices.isEmpty)
        #expect(try fixture.store.ledger.missed(at: fixture.moment).count == 3)
        _ = try fixture.store.journal.undo(at: fixture.moment)
        #expect(try fixture.store.ledger.missed(at: fixture.moment).count == 5)

        // Everything but one.
        let rest = try run(statement(past), in: fixture) { $0.matches = .allBut([seen.confirmed[4].id]) }
        #expect(rest.confirmed.count == 4 && rest.priceChanges.map(\.to.decimal) == ["13.99"])
        #expect(try fixture.store.ledger.missed(at: fixture.moment).map(\.id.billingOn.iso) == ["2026-10-30"])
        // It is found again.
        #expect(try run(statement(past), in: fixture) { $0.isDryRun = true }.confirmed.count == 1)
    }

    @Test("A subscription entered by hand gets its charges; what the user recorded stays")
    func enteredByHand() throws {
        let fixture = try EngineFixture("2026-09-01")
        let id = try fixture.add("Netflix", [.amount: "13.99", .nextBillingOn: "2026-09-30"])
        try fixture.go(to: "2026-11-20")
        try fixture.store.ledger.recordPaid(
            fixture.occurrence(id, "2026-09-30"), amount: "9.99", at: fixture.moment)
        try fixture.store.ledger.skip(fixture.occurrence(id, "2026-10-30"), at: fixture.moment)
        let before = try fixture.store.ledger.history(id, at: fixture.moment)
        let report = try run(statement(past), .all, in: fixture)
        #expect(report.proposals.isEmpty)
        #expect(report.confirmed.map(\.occurrence.billingOn.iso) == ["2026-06-30", "2026-07-30", "2026-08-30"])
        let after = try fixture.store.ledger.history(id, at: fixture.moment)
        #expect(Array(after.prefix(2)) == before)
    }

    @Test("Bad rows refuse the file, the free tier holds, an unknown proposal is named")
    func refusals() throws {
        let fixture = try EngineFixture(isPremium: false)
        let bad = statement(past + [("31/02/2026", "X", "-1,00"), ("01/03/2026", "Y", "x"), ("02/03/2026", "Z", "-1")])
        #expect(throws: DeviceStoreError.self) { try run(bad, .all, in: fixture) }
        #expect(try run(bad, .all, in: fixture) { $0.skipsBadRows = true }.refused.map(\.row) == [8, 9])
        #expect(throws: DeviceStoreError.self) { try run(statement(past), .chosen(["00000000"]), in: fixture) }
        for number in 1...4 { try fixture.add("s\(number)") }
        let other = past.dropLast().map { ($0.0, "PRLV SEPA GYM NORD MANDAT 12", "-29,90") }
        #expect(throws: DeviceStoreError.premiumRequired(.unlimitedSubscriptions)) {
            try run(statement(other), .all, in: fixture)
        }
        #expect(try fixture.store.subscriptions.all().count == 5)
    }

    @Test("Two payees with the same amounts and days are two subscriptions; one that was renamed is known again")
    func sameAmounts() throws {
        let fixture = try EngineFixture()
        let gym = past.dropLast().map { ($0.0, "PRLV SEPA GYM NORD MANDAT 12", $0.2) }
        let id = try #require(try run(statement(past), .all, in: fixture).accepted.values.first)
        #expect(try run(statement(past + gym), in: fixture).proposals.count == 1)
        try fixture.store.subscriptions.edit(id, [.name: "Films"], at: fixture.moment)
        #expect(try run(statement(past), in: fixture).proposals.isEmpty)
        #expect(try run(statement(past + gym), in: fixture).proposals.count == 1)
    }

    @Test("No card, account or other person is in the database")
    func privacy() throws {
        let fixture = try EngineFixture()
        _ = try run(statement(past), .all, in: fixture)
        let bytes = try fixture.backup()
        let text = String(decoding: bytes, as: UTF8.self)
        for secret in ["4523", "FR7612345678901234567890123", "DURAND", "Durand"] { #expect(!text.contains(secret)) }
        #expect(text.contains("Netflix"))
    }
}

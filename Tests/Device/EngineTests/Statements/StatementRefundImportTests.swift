import Foundation
import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements
import TestKit
import Testing

/// What a refund does to the ledger, and what is said when it does nothing.
@Suite struct StatementRefundImportTests {
    private func run(
        _ lines: [String], _ acceptance: StatementAcceptance = .none, in fixture: EngineFixture
    ) throws -> StatementImportReport {
        var options = StatementImportOptions()
        options.acceptance = acceptance
        options.reading.currency = .eur
        let text = "Date;Libellé;Montant\n" + lines.joined(separator: "\n") + "\n"
        return try fixture.store.statements.importFiles(
            [StatementFile(name: "a.csv", bytes: Array(text.utf8))], options, at: fixture.moment)
    }

    private let charges = (5...10).map { "17/\($0 < 10 ? "0" : "")\($0)/2026;PRLV CANAL PLUS;-24,99" }

    private func canal() throws -> (EngineFixture, UUID) {
        let fixture = try EngineFixture("2026-05-01")
        let id = try fixture.add("Canal Plus", [.amount: "24.99", .nextBillingOn: "2026-05-17"])
        try fixture.go(to: "2026-11-10")
        return (fixture, id)
    }

    private func paid(_ id: UUID, in fixture: EngineFixture) throws -> [String] {
        try fixture.store.ledger.history(id, at: fixture.moment).map {
            $0.status == .skipped ? "-" : ($0.paid ?? $0.amount).decimal
        }
    }

    @Test("A refund with other words is not charged; a part is taken off; the same file again changes nothing")
    func applied() throws {
        let (fixture, id) = try canal()
        let lines =
            charges + [
                "20/08/2026;CANAL PLUS REMBOURSEMENT;24,99", "20/09/2026;AVOIR CANAL PLUS;5,00",
                "21/10/2026;JEAN DUPONT;10,00",
            ]
        let report = try run(lines, in: fixture)
        #expect(report.confirmed.count == 6 && report.charged == 5)
        #expect(report.refunds.map(\.effect) == [.notCharged, .reduced])
        #expect(report.refunds.map(\.subscriptionID) == [id, id])
        #expect(report.refunds.map { $0.occurrence?.billingOn.iso } == ["2026-08-17", "2026-09-17"])
        #expect(report.otherEntries == 1)
        let expected = ["24.99", "19.99", "-", "24.99", "24.99", "24.99"]
        #expect(try paid(id, in: fixture) == expected)
        let again = try run(lines, in: fixture)
        #expect(again.confirmed.isEmpty && again.refunds.map(\.effect) == [.notCharged, .reduced])
        #expect(try paid(id, in: fixture) == expected)
        #expect(try fixture.store.ledger.missed(at: fixture.moment).isEmpty)
    }

    @Test("A refund in a later statement than its charge is named, and the charge stays as it was confirmed")
    func laterStatement() throws {
        let (fixture, id) = try canal()
        _ = try run(charges, in: fixture)
        for lines in [
            ["20/10/2026;REFUND CANAL PLUS;24,99"], charges.suffix(1) + ["20/10/2026;REFUND CANAL PLUS;24,99"],
        ] {
            let report = try run(Array(lines), in: fixture)
            #expect(report.refunds.map(\.effect) == [.kept])
            #expect(report.refunds.map { $0.occurrence?.billingOn.iso } == ["2026-10-17"])
            #expect(!report.hasNothingRecurring && report.otherEntries == 0)
        }
        #expect(try paid(id, in: fixture) == Array(repeating: "24.99", count: 6))
        try fixture.store.ledger.skip(fixture.occurrence(id, "2026-10-17"), at: fixture.moment)
        let settled = try run(["20/10/2026;REFUND CANAL PLUS;24,99"], in: fixture)
        #expect(settled.refunds.map(\.effect) == [.notCharged])
        let odd = try run(["20/10/2026;REFUND CANAL PLUS;99,99"], in: fixture)
        #expect(odd.refunds.map(\.effect) == [.unmatched] && odd.refunds.map(\.subscriptionID) == [id])
    }

    @Test("Accepted proposals have their refunds, named with the id of the proposal")
    func proposed() throws {
        let fixture = try EngineFixture("2026-11-10")
        let report = try run(charges + ["20/08/2026;REMBOURSEMENT CANAL PLUS;24,99"], .all, in: fixture)
        let id = try #require(report.accepted.values.first)
        #expect(report.refunds.map(\.proposalID) == report.proposals.map(\.id))
        #expect(try paid(id, in: fixture) == ["24.99", "24.99", "-", "24.99", "24.99", "24.99"])
    }

    @Test("One different amount is paid and changes no price; a second one does, also in a later statement")
    func otherAmount() throws {
        let (fixture, id) = try canal()
        var lines = charges
        lines[5] = "17/10/2026;PRLV CANAL PLUS;-25,29"
        let once = try run(lines, in: fixture)
        #expect(once.priceChanges.isEmpty)
        #expect(once.otherAmounts.map { "\($0.on) \($0.amount) \($0.usual)" } == ["2026-10-17 25.29 EUR 24.99 EUR"])
        #expect(try fixture.store.subscriptions.load(id).prices.isEmpty)
        #expect(try paid(id, in: fixture).first == "25.29")
        try fixture.go(to: "2026-12-20")
        let twice = try run(["17/11/2026;PRLV CANAL PLUS;-25,29"], in: fixture)
        #expect(twice.otherAmounts.isEmpty)
        #expect(twice.priceChanges.map { "\($0.on) \($0.from) \($0.to)" } == ["2026-10-17 24.99 EUR 25.29 EUR"])
    }

    @Test("A statement without any subscription says so, and counts its entries")
    func nothing() throws {
        let (fixture, _) = try canal()
        let report = try run(["05/10/2026;BOULANGERIE;-3,20", "06/10/2026;PHARMACIE;-12,00"], in: fixture)
        #expect(report.hasNothingRecurring && report.otherEntries == 2 && report.refused.isEmpty)
        _ = try run(charges, in: fixture)
        let again = try run(charges + ["06/10/2026;PHARMACIE;-12,00"], in: fixture)
        #expect(!again.hasNothingRecurring && again.hasNothingNew && again.otherEntries == 1)
    }
}

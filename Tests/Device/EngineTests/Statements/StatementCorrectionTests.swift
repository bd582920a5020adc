import Foundation
import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements
import TestKit
import Testing

/// Statements beside subscriptions that were entered by hand with another price or other days: nothing doubles.
@Suite struct StatementCorrectionTests {
    private func run(
        _ lines: [String], _ acceptance: StatementAcceptance = .all, _ matches: StatementMatches = .all,
        mostCharges: Int = 200_000, in fixture: EngineFixture
    ) throws -> StatementImportReport {
        var options = StatementImportOptions()
        options.mostCharges = mostCharges
        options.acceptance = acceptance
        options.matches = matches
        let text = "Date;Libellé;Montant\n" + lines.joined(separator: "\n") + "\n"
        return try fixture.store.statements.importFiles(
            [StatementFile(name: "relevé.csv", bytes: Array(text.utf8))], options, at: fixture.moment)
    }

    private func months(_ text: String, day: String, _ amount: String) -> [String] {
        (6...10).map { "\(day)/\($0 < 10 ? "0" : "")\($0)/2026;\(text);\(amount)" }
    }

    @Test(
        "A price that was guessed and a day a month from the entry are corrected, not added again",
        arguments: [("12.14", "-20,99"), ("20.99", "-20,99"), ("20,49", "-20,99"), ("251.88 / year", "-20,99")])
    func corrected(typed: String, paid: String) throws {
        let fixture = try EngineFixture("2026-11-10")
        var draft: SubscriptionDraft = [.amount: "12.14", .nextBillingOn: "2026-12-10", .notes: "à moi “🎧”"]
        if typed.hasSuffix("year") {
            (draft[.amount], draft[.cycle]) = ("251.88", "yearly")
        } else {
            draft[.amount] = typed.replacing(",", with: ".")
        }
        let id = try fixture.add("Spotify", draft)
        try fixture.add("Netflix", [.amount: "13.49", .nextBillingOn: "2026-11-17"])
        let lines = months("SPOTIFY AB STOCKHOLM", day: "23", paid) + months("NETFLIX.COM", day: "17", "-13,49")
        let seen = try run(lines, .none, .only([]), in: fixture)
        #expect(seen.corrections.map(\.subscription.id) == [id] && seen.corrected.isEmpty)
        let report = try run(lines, in: fixture)
        #expect(report.accepted.isEmpty && report.corrected.count == 1)
        let stored = try fixture.store.subscriptions.all()
        #expect(Set(stored.map(\.name)) == ["Spotify", "Netflix"])
        let spotify = try fixture.store.subscriptions.load(id)
        #expect(spotify.price(on: fixture.moment.today).decimal == "20.99" && spotify.cycle == .monthly)
        #expect(spotify.notes == "à moi “🎧”")
        let next = try fixture.store.subscriptions.summary(id, at: fixture.moment).nextBillingOn
        #expect(next?.iso == "2026-11-23")
        #expect(try fixture.store.ledger.history(id, at: fixture.moment).map(\.amount.decimal).count == 5)
        #expect(try fixture.store.totals.spending(of: id, at: fixture.moment).map(\.decimal) == ["104.95"])
        // Again, it is known.
        let again = try run(lines, in: fixture)
        #expect(again.corrections.isEmpty && again.proposals.isEmpty && again.confirmed.isEmpty)
        try fixture.store.journal.undo(at: fixture.moment)
        #expect(try fixture.store.subscriptions.load(id).price.decimal == draft[.amount])
        #expect(try fixture.store.ledger.history(id, at: fixture.moment).isEmpty)
    }

    @Test("A few entries of long ago stand for more charges than a file may", arguments: [true, false])
    func pastCharges(isStored: Bool) throws {
        let fixture = try EngineFixture("2026-11-28")
        try fixture.add("Canal+", [.amount: "24", .nextBillingOn: "2026-12-01"])
        if isStored { try fixture.add("Netflix", [.amount: "13", .nextBillingOn: "2026-12-20"]) }
        let monday = try #require(CalendarDay(year: 1970, month: 1, day: 5))
        // From 1970 to now there are 2,969 weeks.
        let lines = (0..<8).map {
            "\(monday.adding(days: 7 * $0).iso);Netflix;-3.25"
        }
        let found = Set(try run(lines, .none, .only([]), in: fixture).corrections.map(\.id))
        let matches = isStored ? StatementMatches.only(found) : .all
        let error = try #require(throws: DeviceStoreError.self) {
            try run(lines, .all, matches, mostCharges: 2_900, in: fixture)
        }
        guard case .invalid(let fault) = error else { throw error }
        #expect(fault.pointer == "started_on")
        #expect(try fixture.store.subscriptions.all().map(\.startedOn.year) == (isStored ? [2026, 2026] : [2026]))
        let report = try run(lines, .all, matches, mostCharges: 3_000, in: fixture)
        #expect(report.corrected.count + report.accepted.count == 1)
    }

    @Test(
        "A price that was guessed, with the right days, is that of the charges from then on", arguments: [true, false])
    func guessed(isAccepted: Bool) throws {
        let fixture = try EngineFixture("2026-11-10")
        let id = try fixture.add("Freebox “maison”", [.amount: "39.99", .nextBillingOn: "2026-11-23"])
        let lines = months("PRLV SEPA FREEBOX", day: "23", "-41,99")
        let seen = try run(lines, .none, .only([]), in: fixture)
        #expect(seen.corrections.isEmpty && seen.proposals.isEmpty)
        let report = try run(lines, .all, isAccepted ? .all : .only([]), in: fixture)
        let summary = try fixture.store.subscriptions.summary(id, at: fixture.moment)
        #expect(
            summary.amount.decimal == (isAccepted ? "41.99" : "39.99") && summary.nextBillingOn?.iso == "2026-11-23")
        guard isAccepted else { return }
        #expect(report.priceChanges.map(\.to.decimal) == ["41.99"])
        let stored = try fixture.store.subscriptions.load(id)
        #expect(stored.priceHistory.map { "\($0.from) \($0.amount)" } == ["2026-06-23 41.99 EUR"])
        #expect(try fixture.store.totals.spending(of: id, at: fixture.moment).map(\.decimal) == ["209.95"])
        let again = try run(lines, in: fixture)
        #expect(again.priceChanges.isEmpty && again.confirmed.isEmpty && again.proposals.isEmpty)
        // A price that is set later stays beside an older statement.
        _ = try fixture.store.subscriptions.setPrice(id, "44.99", from: fixture.moment.today, at: fixture.moment)
        _ = try run(lines, in: fixture)
        #expect(try fixture.store.subscriptions.load(id).price(on: fixture.moment.today).decimal == "44.99")
        try fixture.store.journal.undo(2, at: fixture.moment)
        #expect(try fixture.store.subscriptions.load(id).price(on: fixture.moment.today).decimal == "39.99")
    }

    @Test(
        "A price entered after the charges of a statement stays; the charges keep their amounts",
        arguments: [("2026-07-23", nil), ("2026-07-23", "2026-01-23"), ("2026-08-08", nil)] as [(String, String?)])
    func older(next: String, started: String?) throws {
        let fixture = try EngineFixture("2026-07-10")
        var draft: SubscriptionDraft = [.amount: "15.99", .nextBillingOn: next]
        if let started { draft[.startedOn] = started }
        let id = try fixture.add("Netflix", draft)
        let lines = (1...3).map { "23/0\($0)/2026;NETFLIX.COM;-13,49" }
        let isKnown = next == "2026-07-23"
        for _ in 0..<2 {
            let report = try run(lines, in: fixture)
            #expect(report.priceChanges.isEmpty && report.corrected.isEmpty && report.accepted.isEmpty)
            #expect(report.otherAmounts.map { "\($0.on) \($0.isOlder)" } == (isKnown ? ["2026-03-23 true"] : []))
            #expect(report.corrections.map(\.isOlder) == (isKnown ? [] : [true]))
            let summary = try fixture.store.subscriptions.summary(id, at: fixture.moment)
            #expect(summary.amount.decimal == "15.99" && summary.nextBillingOn?.iso == next)
        }
        let paid = try fixture.store.ledger.history(id, at: fixture.moment).compactMap(\.paid?.decimal)
        #expect(paid == Array(repeating: "13.49", count: isKnown ? 3 : 0))
    }

    @Test("Of two statements, the later one has the price, in whichever order they are read", arguments: [true, false])
    func order(isNewestFirst: Bool) throws {
        let fixture = try EngineFixture("2026-11-10")
        let old = (1...4).map { "23/0\($0)/2026;NETFLIX.COM;-13,49" }
        let new = (5...9).map { "23/0\($0)/2026;NETFLIX.COM;-15,99" } + ["23/10/2026;NETFLIX.COM;-15,99"]
        try fixture.add("Canal+", [.amount: "24", .nextBillingOn: "2026-12-01"])
        for lines in isNewestFirst ? [new, old] : [old, new] { _ = try run(lines, in: fixture) }
        let stored = try #require(try fixture.store.subscriptions.all().first { $0.name == "Netflix" })
        #expect(stored.price(on: fixture.moment.today).decimal == "15.99")
        #expect(try fixture.store.totals.spending(of: stored.id, at: fixture.moment).map(\.decimal) == ["149.90"])
        #expect(try fixture.store.subscriptions.all().count == 2)
    }

    @Test("Charges assumed on the wrong days move to the right ones; none counts twice")
    func history() throws {
        let fixture = try EngineFixture("2026-11-28")
        let id = try fixture.add(
            "Netflix", [.amount: "5", .nextBillingOn: "2026-12-20", .startedOn: "2026-01-20"])
        for day in ["2026-02-20", "2026-09-20"] {
            try fixture.store.ledger.confirm(fixture.occurrence(id, day), at: fixture.moment)
        }
        let before = try fixture.store.ledger.history(id, at: fixture.moment).map(\.occurrence.billingOn.iso)
        let lines = (7...11).map { "05/\($0 < 10 ? "0" : "")\($0)/2026;Netflix;-5,49" }
        #expect(try run(lines, in: fixture).corrected.count == 1)
        let history = try fixture.store.ledger.history(id, at: fixture.moment)
        // The one of February was confirmed, and no statement says otherwise.
        let expected = ["2026-02-05", "2026-02-20"] + (3...11).map { "2026-\($0 < 10 ? "0" : "")\($0)-05" }
        #expect(history.map(\.occurrence.billingOn.iso).sorted() == expected)
        #expect(history.filter { $0.actedAt != nil }.count == 6)
        try fixture.store.journal.undo(at: fixture.moment)
        #expect(try fixture.store.ledger.history(id, at: fixture.moment).map(\.occurrence.billingOn.iso) == before)
    }

    @Test("It is another one, when that is said")
    func another() throws {
        let fixture = try EngineFixture("2026-11-10")
        let id = try fixture.add("Spotify", [.amount: "12.14", .nextBillingOn: "2026-12-10"])
        let lines = months("SPOTIFY AB STOCKHOLM", day: "23", "-20,99")
        let proposal = try #require(try run(lines, .none, .only([]), in: fixture).proposals.first)
        #expect(try run(lines, .chosen([proposal.id]), in: fixture).accepted.count == 1)
        #expect(try fixture.store.subscriptions.load(id).price.decimal == "12.14")
        #expect(try fixture.store.subscriptions.all().count == 2)
    }

    @Test("Far from the price, it is only offered; a cancelled one, and one with its own charges, are corrected never")
    func notProbable() throws {
        let fixture = try EngineFixture("2026-06-01")
        try fixture.add("Amazon Prime", [.amount: "2.99", .nextBillingOn: "2026-06-10"])
        let gone = try fixture.add("Deezer", [.amount: "10.99", .nextBillingOn: "2026-06-02"])
        try fixture.store.subscriptions.cancel(gone, at: fixture.moment)
        try fixture.add("Apple iCloud", [.amount: "2.99", .nextBillingOn: "2026-06-15"])
        try fixture.go(to: "2026-11-10")
        let lines =
            months("AMAZON PRIME", day: "24", "-69,90") + months("DEEZER", day: "20", "-11,99")
            + months("APPLE.COM/BILL", day: "15", "-2,99") + months("APPLE.COM/BILL", day: "28", "-10,99")
        let report = try run(lines, .none, in: fixture)
        #expect(report.corrections.map(\.subscription.name) == ["Amazon Prime"])
        #expect(report.corrections.first?.isProbable == false && report.corrected.isEmpty)
        let chosen = Set(report.corrections.map(\.id))
        #expect(try run(lines, .none, .only(chosen), in: fixture).corrected == chosen)
    }

    @Test("Charged in another currency at the same rhythm, it is probably there, and is only offered")
    func otherCurrency() throws {
        let fixture = try EngineFixture("2027-01-10")
        let id = try fixture.add("GitHub", [.amount: "4", .currency: "USD", .nextBillingOn: "2027-01-30"])
        try fixture.go(to: "2027-07-01")
        let amounts = ["3.12", "3.20", "3.15", "3.22", "3.18", "3.10"]
        let lines = amounts.enumerated().map { place, amount in
            "\(place == 1 ? 28 : 30)/0\(place + 1)/2027;GITHUB SAN FRANCISCO;-£\(amount)"
        }
        for acceptance in [StatementAcceptance.none, .sure, .all] {
            let report = try run(lines, acceptance, in: fixture)
            #expect(report.corrections.map(\.subscription.id) == [id])
            #expect(report.corrections.first?.isProbable == false)
            #expect(report.accepted.isEmpty && report.corrected.isEmpty && report.confirmed.isEmpty)
            #expect(try fixture.store.subscriptions.load(id).price.currency.code == "USD")
        }
        let correction = try #require(try run(lines, .none, in: fixture).corrections.first)
        #expect(try run(lines, .chosen([correction.proposal.id]), in: fixture).accepted.count == 1)
        try fixture.store.journal.undo(at: fixture.moment)
        #expect(try run(lines, .none, .only([correction.id]), in: fixture).corrected == [correction.id])
        let stored = try fixture.store.subscriptions.all()
        #expect(stored.map(\.id) == [id] && stored.map(\.currency.code) == ["GBP"])
        let again = try run(lines, in: fixture)
        #expect(again.proposals.isEmpty && again.corrections.isEmpty && again.accepted.isEmpty)
    }

    @Test("At another rhythm, another currency is another subscription; one in its own currency comes first")
    func otherCurrencyAndRhythm() throws {
        let fixture = try EngineFixture("2026-11-10")
        try fixture.add("Deezer", [.amount: "120", .currency: "USD", .cycle: "yearly", .nextBillingOn: "2027-01-30"])
        let lines = months("DEEZER", day: "20", "-£11.99")
        #expect(try run(lines, .sure, in: fixture).accepted.count == 1)
        try fixture.store.journal.undo(at: fixture.moment)
        try fixture.add("Deezer", [.amount: "11.99", .currency: "USD", .nextBillingOn: "2026-12-20"])
        let own = try fixture.add("Deezer", [.amount: "9.99", .currency: "GBP", .nextBillingOn: "2026-12-05"])
        #expect(try run(lines, .sure, in: fixture).corrections.map(\.subscription.id) == [own])
    }

    @Test("A correction is measured from the price of today, not from the first one")
    func priceOfToday() throws {
        let fixture = try EngineFixture("2026-11-10")
        let id = try fixture.add("Spotify", [.amount: "4.99", .nextBillingOn: "2026-12-10"])
        _ = try fixture.store.subscriptions.setPrice(id, "12.14", from: fixture.moment.today, at: fixture.moment)
        let report = try run(months("SPOTIFY AB STOCKHOLM", day: "23", "-20,99"), .none, in: fixture)
        #expect(report.corrections.map(\.isProbable) == [true] && report.corrected.count == 1)
    }
}

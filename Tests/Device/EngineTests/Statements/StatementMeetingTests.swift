import Foundation
import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements
import TestKit
import Testing

/// Statements beside what was typed by hand, on two devices, and with names of persons in them.
@Suite struct StatementMeetingTests {
    private func run(
        _ text: String, _ acceptance: StatementAcceptance = .all, in fixture: EngineFixture,
        _ change: (inout StatementImportOptions) -> Void = { _ in }
    ) throws -> StatementImportReport {
        var options = StatementImportOptions()
        options.acceptance = acceptance
        change(&options)
        return try fixture.store.statements.importFiles(
            [StatementFile(name: "a.csv", bytes: Array(text.utf8))], options, at: fixture.moment)
    }

    private func rows(_ lines: [String]) -> String { "Date;Libellé;Montant\n" + lines.joined(separator: "\n") + "\n" }

    private func months(
        _ text: String, day: String = "17", _ amount: String = "-13,49", _ range: ClosedRange<Int> = 5...10
    )
        -> [String]
    {
        range.map { "\(day)/\($0 < 10 ? "0" : "")\($0)/2026;\(text);\(amount)" }
    }

    /// Each entry was compared with all charges between its day and the next one of each subscription.
    @Test("A statement of long ago takes no longer than one of today", .timeLimit(.minutes(1)))
    func longAgo() throws {
        let fixture = try EngineFixture("2026-05-01")
        for number in 0..<4 { try fixture.add("Club \(number)", [.amount: "12", .nextBillingOn: "2026-05-17"]) }
        let entries = (0..<2_000).map { "0\($0 % 9 + 1)/03/1970;SHOP \($0 * 7_919 % 10_000);-12,00" }
        _ = try run(rows(entries), in: fixture)
        #expect(try fixture.store.subscriptions.all().count == 4)
    }

    @Test("Many payees that look like one subscription bring the latest prices only")
    func manyPrices() throws {
        let fixture = try EngineFixture("2014-12-01")
        let id = try fixture.add("Quaxo", [.amount: "13", .nextBillingOn: "2014-12-20"])
        try fixture.go(to: "2026-05-01")
        let letters = Array("bcdfghjklm")
        var entries: [String] = []
        for number in 0..<120 {
            let (place, (year, month)) = (number / 2, number.quotientAndRemainder(dividingBy: 12))
            let day = "\(2015 + year)-\(month < 9 ? "0" : "")\(month + 1)-20"
            let word = String(repeating: letters[place % 10], count: place / 10 + 3)
            entries.append("\(day);Quaxo \(word);-\(14 + place % 5),\(10 + place)")
        }
        let report = try run(rows(entries), in: fixture)
        #expect(report.priceChanges.count == 24)
        let stored = try fixture.store.subscriptions.load(id)
        #expect(stored.prices.count <= 26)
        #expect(report.priceChanges.last.map { $0.to == stored.price(on: $0.on) } == true)
    }

    @Test("Entries of days that no bank has are refused, each by its row")
    func impossibleDays() throws {
        let fixture = try EngineFixture("2026-05-01")
        let id = try fixture.add("Netflix", [.amount: "13.49", .nextBillingOn: "2026-05-17"])
        let good = months("NETFLIX.COM", "-13,49", 1...4)
        let bad = ["05/01/0001;NETFLIX.COM;-13,49", "31/12/1969;SHOP;-1,00", "17/06/2027;NETFLIX.COM;-13,49"]
        let error = try #require(throws: DeviceStoreError.self) { try run(rows(good + bad), in: fixture) }
        guard case .refusedRows(let refused, _) = error else { throw error }
        #expect(refused.map(\.row) == [6, 7, 8] && refused.allSatisfy { $0.fault.pointer == "date" })
        #expect(refused.first?.fault.detail == "Must be from 1970-01-01 to 2027-06-05.")
        let many = Array(repeating: bad[1], count: 1200)
        let all = try #require(throws: DeviceStoreError.self) { try run(rows(good + many), in: fixture) }
        #expect("\(all)".hasPrefix("1200 rows cannot be imported"))
        guard case .refusedRows(let first, let further) = all else { throw all }
        #expect(first.count == 1000 && further == 200)
        // A standing order that is due next year.
        let report = try run(rows(good + ["05/06/2027;NETFLIX.COM;-13,49"]), in: fixture)
        #expect(report.refused.isEmpty)
        #expect(try fixture.store.subscriptions.all().map(\.id) == [id])
    }

    @Test(
        "What was typed by hand is known in the texts of banks, without a catalogue",
        arguments: [
            ("Netflix", "NETFLIX.COM AMSTERDAM"), ("Netflix Standard", "CARTE NETFLIX.COM"),
            ("Disney Plus", "DISNEYPLUS 39032 GBR"), ("1Password", "1PASSWORD TORONTO"),
            ("Spotify Famille", "SPOTIFY AB"),
            ("Mon Deezer", "PAYPAL *DEEZER"), ("Salle de sport", "SALLE DE SPORT LUMIERE LYON"),
        ])
    func byHand(typed: String, paid: String) throws {
        let fixture = try EngineFixture("2026-05-01")
        let id = try fixture.add(typed, [.amount: "13.49", .nextBillingOn: "2026-05-17"])
        try fixture.go(to: "2026-11-10")
        let report = try run(rows(months(paid)), in: fixture)
        #expect(report.proposals.isEmpty)
        #expect(report.confirmed.count == 6)
        #expect(try fixture.store.subscriptions.all().map(\.id) == [id])
        #expect(try fixture.store.ledger.missed(at: fixture.moment).isEmpty)
    }

    @Test(
        "A name that says nothing: two charges that were confirmed tell the payee",
        arguments: [(["FITX BERLIN"], 0), (["FITX BERLIN", "CLUB DE VOILE"], 1)])
    func byCharges(payees: [String], proposed: Int) throws {
        let fixture = try EngineFixture("2026-05-01")
        let id = try fixture.add("Gym", [.amount: "13.49", .nextBillingOn: "2026-05-17"])
        try fixture.go(to: "2026-11-10")
        for day in ["2026-05-17", "2026-06-17"] {
            let due = try #require(CalendarDay(iso: day))
            try fixture.store.ledger.confirm(OccurrenceID(subscriptionID: id, billingOn: due), at: fixture.moment)
        }
        let report = try run(rows(payees.flatMap { months($0) }), .none, in: fixture)
        #expect(report.proposals.count == proposed)
        #expect(report.confirmed.count == 4)
    }

    @Test("A booking is the day of payment from which the next charge of a prepaid card is counted")
    func prepaid() throws {
        let fixture = try EngineFixture("2026-08-01")
        let draft: SubscriptionDraft = [
            .amount: "13.49", .nextBillingOn: "2026-08-06", .cycle: "every:28d after payment",
        ]
        let id = try fixture.add("Netflix", draft)
        try fixture.go(to: "2026-11-10")
        let days = ["07/08", "04/09", "02/10", "31/10"]
        let report = try run(rows(days.map { "\($0)/2026;NETFLIX.COM;-13,49" }), in: fixture)
        #expect(report.confirmed.count == 4)
        #expect(try fixture.store.subscriptions.summary(id, at: fixture.moment).nextBillingOn?.iso == "2026-11-28")
        #expect(try fixture.store.ledger.missed(at: fixture.moment).isEmpty)
        for _ in 0..<2 {
            let again = try run(rows(days.map { "\($0)/2026;NETFLIX.COM;-13,49" }), in: fixture)
            #expect(again.confirmed.isEmpty && again.proposals.isEmpty)
        }
        #expect(try fixture.store.ledger.history(id, at: fixture.moment).count == 4)
        try fixture.store.journal.undo(at: fixture.moment)
        #expect(try fixture.store.subscriptions.summary(id, at: fixture.moment).nextBillingOn?.iso == "2026-11-26")
        #expect(try fixture.store.ledger.missed(at: fixture.moment).count == 4)
    }

    @Test("The bank knows what was paid, also for a charge that was confirmed at the price of before")
    func aRiseThatTheUserDidNotSee() throws {
        let fixture = try EngineFixture("2026-05-01")
        let id = try fixture.add("Netflix", [.amount: "13.49", .nextBillingOn: "2026-05-17"])
        for month in 5...10 {
            try fixture.go(to: "2026-\(month < 10 ? "0" : "")\(month)-17")
            try fixture.store.ledger.confirm(
                OccurrenceID(subscriptionID: id, billingOn: fixture.moment.today), at: fixture.moment)
        }
        try fixture.go(to: "2026-11-10")
        let lines = months("NETFLIX.COM", "-13,49", 5...7) + months("NETFLIX.COM", "-15,99", 8...10)
        #expect(try run(rows(lines), in: fixture).priceChanges.map(\.on.iso) == ["2026-08-17"])
        let history = try fixture.store.ledger.history(id, at: fixture.moment)
        #expect(history.map(\.amount.decimal) == ["15.99", "15.99", "15.99", "13.49", "13.49", "13.49"])
    }

    @Test("A word in common without a charge that fits is another service")
    func onlySimilar() throws {
        let fixture = try EngineFixture("2026-05-01")
        try fixture.add("Canal Vision", [.amount: "60", .nextBillingOn: "2026-05-02"])
        try fixture.go(to: "2026-11-10")
        #expect(try run(rows(months("VISION DIRECTE")), in: fixture).accepted.count == 1)
    }

    @Test("A doubled charge of a known subscription is reported, at each reading, and changes nothing")
    func chargedTwice() throws {
        for (day, back) in [("17", false), ("18", false), ("18", true)] {
            let fixture = try EngineFixture("2026-05-01")
            let id = try fixture.add("Netflix", [.amount: "13.49", .nextBillingOn: "2026-05-17"])
            try fixture.go(to: "2026-11-10")
            var lines = months("NETFLIX.COM AMSTERDAM") + ["\(day)/08/2026;NETFLIX.COM AMSTERDAM;-13,49"]
            if back { lines.append("20/08/2026;NETFLIX.COM AMSTERDAM;13,49") }
            for _ in 0..<2 {
                let report = try run(rows(lines), in: fixture)
                #expect(report.proposals.isEmpty)
                #expect(report.chargedTwice.map(\.subscriptionID) == [id])
                #expect(report.chargedTwice.map(\.charge.isRefunded) == [back])
                #expect(report.chargedTwice.map(\.charge.on.iso) == ["2026-08-\(day)"])
            }
            let history = try fixture.store.ledger.history(id, at: fixture.moment)
            #expect(history.count == 6 && history.allSatisfy { $0.paid?.decimal == "13.49" || $0.paid == nil })
        }
    }

    @Test("A second contract beside a known one is proposed")
    func secondContract() throws {
        for day in ["18", "27"] {
            let fixture = try EngineFixture("2026-05-01")
            try fixture.add("Free Mobile", [.amount: "13.49", .nextBillingOn: "2026-05-17"])
            try fixture.go(to: "2026-11-10")
            let lines = months("PRLV SEPA FREE MOBILE MANDAT 1") + months("PRLV SEPA FREE MOBILE MANDAT 2", day: day)
            let report = try run(rows(lines), in: fixture)
            #expect(report.confirmed.count == 6)
            #expect(report.chargedTwice.isEmpty)
            #expect(report.accepted.count == 1)
            #expect(try run(rows(lines), in: fixture).accepted.isEmpty)
        }
    }

    @Test("The currency is that of the device where the file names none; another one is refused as before")
    func currency() throws {
        let fixture = try EngineFixture("2026-05-01")
        #expect(throws: DeviceStoreError.self) { try run(rows(months("VIDEO CLUB")), in: fixture) }
        try fixture.add("Other", [.amount: "1", .currency: "CHF", .nextBillingOn: "2026-05-17"])
        #expect(
            try run(rows(months("VIDEO CLUB")), .none, in: fixture).proposals.map(\.amount.currency.code) == ["CHF"])
        try fixture.store.settings.set(.homeCurrency, to: "CAD", at: fixture.moment)
        #expect(
            try run(rows(months("VIDEO CLUB")), .none, in: fixture).proposals.map(\.amount.currency.code) == ["CAD"])
    }

    @Test("One statement on two devices and merged gives every subscription once, in either order")
    func twoDevices() throws {
        let lines =
            months("PRLV SEPA FREE MOBILE MANDAT 1") + months("PRLV SEPA FREE MOBILE MANDAT 2")
            + months("CARTE VIDEO CLUB", day: "03", "-9,99")
        let (one, two) = (try EngineFixture("2026-11-01"), try EngineFixture("2026-11-02"))
        for fixture in [one, two] {
            #expect(try run(rows(lines), in: fixture) { $0.reading.currency = .eur }.accepted.count == 3)
        }
        let ids = { (fixture: EngineFixture) in Set(try fixture.store.subscriptions.all().map(\.id)) }
        #expect(try ids(one) == ids(two))
        #expect(try ids(one).count == 3)
        let (first, second) = (try one.backup(), try two.backup())
        try one.store.backups.merge(second, at: one.moment)
        try two.store.backups.merge(first, at: two.moment)
        for fixture in [one, two] {
            #expect(try fixture.store.subscriptions.all().count == 3)
            #expect(try fixture.store.ledger.missed(at: fixture.moment).isEmpty)
        }
        for id in try ids(one) { #expect(try one.store.ledger.history(id, at: one.moment).count == 6) }
        // The account and the other payees have no part in the ids.
        let third = try EngineFixture("2026-11-20")
        let accepted = try run(
            "Compte;Date;Libellé;Montant\n"
                + months("CARTE VIDEO CLUB", day: "03", "-9,99").map { "FR7630001;\($0)" }.joined(separator: "\n"),
            in: third
        ) { $0.reading.currency = .eur }.accepted
        #expect(Set(accepted.values).isSubset(of: try ids(one)))
        #expect(accepted.count == 1)
    }

    @Test("No name, account or card of a person is in the database, its log, a backup or an export")
    func persons() throws {
        let fixture = try EngineFixture("2026-11-20")
        let texts = [
            "VIR PERMANENT MARTINEAU JEANNE", "MME LEFORT SYLVIE", "Jeanne Morvan", "DAUERAUFTRAG Jürgen Kaufmann",
            "Zelle payment to Jennifer Walsh", "PRLV SEPA Petra Vogel MANDAT 4711",
            "SWISH Karin Lindqvist", "VIR SEPA LOYER M BERTIN FR7630004000031234567890143",
            "PRLV SEPA FREE MOBILE MARTINEAU JEANNE MANDAT 77 IBAN FR76 3000 4000 0312 3456 7890 143",
            "CARTE 17/05 VIDEO CLUB CB*4523 4111 1111 1111 1111", "PRLV SEPA ENERCITY MME DUBREUIL HENRI",
        ]
        let lines = texts.enumerated().flatMap { months($1, day: "\(10 + $0)", "-\(20 + $0),50") }
        let report = try run(rows(lines), in: fixture) { $0.reading.currency = .eur }
        let names = Set(try fixture.store.subscriptions.all().map(\.name))
        #expect(names == ["Free Mobile", "Video Club", "Enercity"])
        #expect(report.excluded.contains { $0.name == "Petra Vogel" && $0.reason == .person })
        let secrets = [
            "Martineau", "Jeanne", "Lefort", "Sylvie", "Morvan", "Kaufmann", "Jürgen", "Walsh", "Vogel", "Petra",
            "Lindqvist", "Bertin", "Dubreuil", "FR76", "0312", "7890143", "3456", "4523", "4111",
        ]
        var files = try ["store.sqlite", "store.sqlite-wal"].map {
            Array(try Data(contentsOf: URL(filePath: fixture.folder.file($0))))
        }
        files.append(try fixture.backup())
        for format in [ExportFormat.json, .csv, .ical, .ledger] {
            files.append(Array(try fixture.store.portability.export(format, at: fixture.moment).utf8))
        }
        #expect(String(decoding: files.flatMap(\.self), as: UTF8.self).contains("Enercity"))
        for bytes in files {
            let text = TextFolding.fold(String(decoding: bytes, as: UTF8.self))
            let words = Set(text.split(separator: " ").map(String.init))
            for secret in secrets.map(TextFolding.fold) {
                // Short numbers may stand in any number.
                let isFound = secret.contains(where: \.isLetter) ? text.contains(secret) : words.contains(secret)
                #expect(!isFound, "\(secret)")
            }
        }
    }
}

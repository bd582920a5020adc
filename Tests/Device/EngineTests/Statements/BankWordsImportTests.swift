import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements
import Testing

@Suite struct BankWordsImportTests {
    private let prices = [("FILMTEMPEL", "10.99"), ("KLANGWERK RADIO", "9.99"), ("TURNHALLE OST", "39.00")]

    private func run(
        _ text: String, _ months: ClosedRange<Int>, _ names: ArraySlice<(String, String)>,
        _ acceptance: StatementAcceptance, in fixture: EngineFixture
    ) throws -> StatementImportReport {
        var file = "Date;Description;Amount;Currency\n"
        for month in months {
            for (place, (name, price)) in names.enumerated() {
                let row = text.replacing("{p}", with: name)
                file += "2026-\(month < 10 ? "0" : "")\(month)-\(10 + place);\"\(row)\";-\(price);EUR\n"
            }
        }
        var options = StatementImportOptions()
        options.acceptance = acceptance
        return try fixture.store.statements.importFiles(
            [StatementFile(name: "a.csv", bytes: Array(file.utf8))], options, at: fixture.moment)
    }

    @Test(
        "A short statement confirms what a long one found, and takes no price of another payee",
        arguments: [
            "/TRTP/SEPA Incasso algemeen doorlopend/CSID/NL00ZZZ123456789/NAME/{p}/MARF/4711/REMI/abo/IBAN/NL00",
            "Point Of Sale Withdrawal {p}", "Quuxi brall zorvo fente {p}", "Quuxi brall zorvo fente vluz {p}",
        ])
    func twoImports(text: String) throws {
        let fixture = try EngineFixture()
        // Only with more names than these it is learned that the words before are the bank's.
        let others = [
            "AUTOHAUS", "BUCHLADEN", "CAFE SOLE", "DACHDECKER", "EISENWAREN", "FAHRRAD", "GARTEN", "HUTLADEN",
        ]
        .enumerated().map { ($1, "\(50 + $0 * 13).00") }
        let first = try run(text, 5...9, (prices + others)[...], .all, in: fixture)
        #expect(first.accepted.count == prices.count + others.count)
        let next = try run(text, 10...10, prices[...], .none, in: fixture)
        // Unknown words before a name may be those of another payee.
        let isKnown = !text.hasPrefix("Quuxi")
        #expect(Set(next.confirmed.map { $0.name.uppercased() }) == (isKnown ? Set(prices.map(\.0)) : []))
        #expect(next.priceChanges.isEmpty && next.corrections.isEmpty)
        // Another payee at nearly the price and on the day of the first.
        let stranger = try run(text, 11...12, [("VIDEOHALLE", "11.99")], .none, in: fixture)
        #expect(stranger.confirmed.isEmpty && stranger.priceChanges.isEmpty && stranger.corrections.isEmpty)
        #expect(try fixture.store.subscriptions.all().count == prices.count + others.count)
    }

    @Test(
        "The name of a subscription within the text of another payee takes no price",
        arguments: ["UEBERWEISUNG ANNA SCHMIDT ANTEIL FUER {p}", "CARTE MUSEE DES BEAUX ARTS {p}"])
    func within(text: String) throws {
        let fixture = try EngineFixture()
        try fixture.add("Netflix", [.amount: "13.99", .startedOn: "2026-05-10", .nextBillingOn: "2026-12-10"])
        let report = try run(text, 5...10, [("NETFLIX", "9.00")], .none, in: fixture)
        #expect(report.confirmed.isEmpty && report.priceChanges.isEmpty && report.corrected.isEmpty)
        #expect(try fixture.store.subscriptions.all().map(\.price.decimal) == ["13.99"])
    }
}

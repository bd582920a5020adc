import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct RateStoreTests {
    private let history = """
        Date,USD,JPY,RUB,
        2026-11-20,1.25,160,N/A,
        2026-11-19,1.2,157.25,N/A,
        2026-10-30,1.1,150,N/A,

        """

    private func fixture(home: String = "EUR") throws -> EngineFixture {
        let fixture = try EngineFixture("2026-11-21")
        try fixture.store.settings.set(.homeCurrency, to: home, at: fixture.moment)
        return fixture
    }

    @Test("Without a home currency there is no sum")
    func noHome() throws {
        let fixture = try EngineFixture()
        #expect(try fixture.store.rates.annualCost(at: fixture.moment) == nil)
    }

    @Test("A yearly cost converts at the latest rate; what has none is named")
    func annualCost() throws {
        let fixture = try fixture()
        try fixture.add("Netflix")
        try fixture.add("Dollar", [.currency: "USD", .amount: "12.34"])
        try fixture.add("Rouble", [.currency: "RUB", .amount: "100"])
        let report = try fixture.store.rates.importFile(Array(history.utf8), at: fixture.moment)
        #expect(report.count == 6 && report.changed == 6)
        #expect(try fixture.store.rates.importFile(Array(history.utf8), at: fixture.moment).changed == 0)
        let sum = try #require(try fixture.store.rates.annualCost(at: fixture.moment))
        // 12 × 13.49 + 12 × 12.34 / 1.25
        #expect(sum.amount.decimal == "280.34")
        #expect(sum.unconverted.map(\.code) == ["RUB"])
        #expect(sum.rates.map(\.on.iso) == ["2026-11-20"])
        let status = try fixture.store.rates.status(at: fixture.moment)
        #expect(status.missing.map(\.code) == ["RUB"] && status.count == 6)
        #expect(status.days?.lowerBound.iso == "2026-10-30" && status.days?.upperBound.iso == "2026-11-20")
    }

    @Test("Past charges convert at the rate of their day or the last one before; coming ones at the latest")
    func spent() throws {
        let fixture = try EngineFixture("2026-10-01")
        try fixture.store.settings.set(.homeCurrency, to: "EUR", at: fixture.moment)
        try fixture.add("Dollar", [.currency: "USD", .amount: "11", .nextBillingOn: "2026-10-31"])
        try fixture.go(to: "2026-11-21")
        _ = try fixture.store.rates.importFile(Array(history.utf8), at: fixture.moment)
        let rates = fixture.store.rates
        let (first, last) = (try fixture.day("2026-10-01"), try fixture.day("2026-11-21"))
        // 31 October is a Saturday: the rate of Friday, 1.1.
        #expect(try rates.spent(from: first, through: last, at: fixture.moment)?.amount.decimal == "10.00")
        let coming = try fixture.store.totals.forecast(months: 1, at: fixture.moment).map(\.amount)
        #expect(try rates.coming(coming, at: fixture.moment)?.amount.decimal == "8.80")
        #expect(
            try rates.spent(from: first, through: last, andComing: coming, at: fixture.moment)?.amount.decimal
                == "18.80")
    }

    @Test("Another home currency than the euro")
    func dollars() throws {
        let fixture = try fixture(home: "USD")
        try fixture.add("Netflix", [.amount: "10"])
        try fixture.add("Yen", [.currency: "JPY", .amount: "1600"])
        _ = try fixture.store.rates.importFile(Array(history.utf8), at: fixture.moment)
        let sum = try #require(try fixture.store.rates.annualCost(at: fixture.moment))
        #expect(sum.amount.description.contains("300") && sum.rates.map(\.currency.code) == ["JPY", "USD"])
    }

    @Test("A rate of one's own counts before others, can be undone, and is in backups and merges")
    func own() throws {
        let fixture = try fixture()
        try fixture.add("Rouble", [.currency: "RUB", .amount: "100"])
        try fixture.store.rates.set("rub", unitsPerEuro: "100", on: fixture.day("2026-01-01"), at: fixture.moment)
        #expect(try fixture.store.rates.annualCost(at: fixture.moment)?.amount.decimal == "12.00")
        let backup = try fixture.backup()
        #expect(
            try fixture.store.journal.entries(at: fixture.moment).first?.displayText(.french).contains("RUB") == true)
        _ = try fixture.store.journal.undo(at: fixture.moment)
        #expect(try fixture.store.rates.annualCost(at: fixture.moment)?.unconverted.map(\.code) == ["RUB"])
        let other = try self.fixture()
        _ = try other.store.backups.merge(backup, at: other.moment)
        #expect(try other.store.rates.status(at: other.moment).own.map(\.rate.decimal) == ["100"])
    }

    @Test("A reference rate ends an older rate of one's own, also when it is too old to apply")
    func ended() throws {
        let fixture = try EngineFixture("2026-10-01")
        try fixture.store.settings.set(.homeCurrency, to: "EUR", at: fixture.moment)
        try fixture.add("Rouble", [.currency: "RUB", .amount: "100", .nextBillingOn: "2026-11-02"])
        try fixture.go(to: "2026-11-21")
        let rates = fixture.store.rates
        try rates.set("RUB", unitsPerEuro: "50", on: fixture.day("2026-01-01"), at: fixture.moment)
        let published = "Date,RUB,USD,\n2026-11-20,N/A,1.25,\n2026-10-02,100,1.1,\n"
        _ = try rates.importFile(Array(published.utf8), at: fixture.moment)
        #expect(try rates.annualCost(at: fixture.moment)?.unconverted.map(\.code) == ["RUB"])
        for first in ["2026-01-01", "2026-10-20", "2026-11-02"] {
            let sum = try rates.spent(
                from: fixture.day(first), through: fixture.moment.today, at: fixture.moment)
            #expect(sum?.unconverted.map(\.code) == ["RUB"], "from \(first)")
        }
    }

    @Test("Amounts to come convert in any currency, not only in those of subscriptions")
    func otherCurrencies() throws {
        let fixture = try fixture()
        _ = try fixture.store.rates.importFile(Array(history.utf8), at: fixture.moment)
        let dollars = Money(minorUnits: 10_00, currency: .usd)
        #expect(try fixture.store.rates.coming([dollars], at: fixture.moment)?.amount.decimal == "8.00")
    }

    @Test("One amount converts; without a rate or a home currency there is none")
    func oneAmount() throws {
        let dollars = Money(minorUnits: 10_00, currency: .usd)
        let fixture = try fixture()
        #expect(try fixture.store.rates.converted(dollars, at: fixture.moment) == nil)
        try fixture.store.rates.set("USD", unitsPerEuro: "1.25", on: fixture.day("2026-01-01"), at: fixture.moment)
        #expect(
            try fixture.store.rates.converted(dollars, at: fixture.moment) == Money(minorUnits: 8_00, currency: .eur))
        let other = try EngineFixture("2026-11-21")
        #expect(try other.store.rates.converted(dollars, at: other.moment) == nil)
    }

    @Test(
        "A file with a fault changes nothing",
        arguments: [
            "", "PK\u{3}\u{4}", "Date,USD\n2026-11-20,0\n", "Date,USD\n2026-02-30,1\n",
            "Date,USD\n2026-11-20,1\n2026-11-20,2\n",
            "Day,USD\n", "Date,USD\n2030-01-01,1\n",
            "<a><Cube time=\"2026-11-20\"><Cube currency=\"USD\" rate=\"1.1\"/></Cube>",
            "<Cube><Cube currency=\"USD\" rate=\"1.1\"/></Cube>", "<!DOCTYPE x [<!ENTITY a \"b\">]><Cube/>",
            "<Cube time=\"2026-11-20\"><Cube currency=\"USD\" rate=\"1,1\"/></Cube>",
        ])
    func refused(_ text: String) throws {
        let fixture = try fixture()
        #expect(throws: DeviceStoreError.self) {
            try fixture.store.rates.importFile(Array(text.utf8), at: fixture.moment)
        }
        #expect(try fixture.store.rates.status(at: fixture.moment).count == 0)
    }

    @Test("What a server sent goes with it; what a file brought stays")
    func anotherServer() throws {
        let (fixture, dollar) = (try fixture(), try FieldRules.currency("USD"))
        let (rates, moment) = (fixture.store.rates, fixture.moment)
        _ = try rates.importFile(Array(history.utf8), at: moment)
        let since = try fixture.day("2016-01-01")
        let copy = RateCopy(server: "http://localhost:1", checkedAt: moment.now, since: since, entityTag: nil)
        let sent = ["2026-10-29", "2026-11-19"].map { day in
            DatedRate(currency: dollar, on: CalendarDay(iso: day) ?? .earliest, rate: .one)
        }
        // The rate of the file is not replaced.
        #expect(try rates.take(sent, copy, at: moment) == 1)
        let dollars = Money(minorUnits: 12_00, currency: dollar)
        #expect(try rates.converted(dollars, at: EngineFixture.moment("2026-11-19"))?.decimal == "10.00")
        #expect(try rates.status(at: moment).count == 7)
        #expect(try rates.take([], copy, at: moment) == 0)
        #expect(try rates.status(at: moment).count == 7)
        let other = RateCopy(server: "http://localhost:2", checkedAt: moment.now, since: nil, entityTag: nil)
        #expect(try rates.take([], other, at: moment) == 0)
        #expect(try rates.status(at: moment).count == 6)
        // Days that were not asked for.
        let early = [DatedRate(currency: dollar, on: since.adding(days: -1), rate: .one)]
        #expect(throws: DeviceStoreError.self) { try rates.take(early, copy, at: moment) }
        #expect(try rates.copy()?.server == "http://localhost:2")
        // What a file says too stays.
        #expect(try rates.take(sent, other, at: moment) == 1)
        _ = try rates.importFile(Array("Date,USD,\n2026-10-29,1,\n".utf8), at: moment)
        #expect(try rates.take([], copy, at: moment) == 0)
        #expect(try rates.status(at: moment).count == 7)
    }

    @Test("The history in a zip archive, as the bank offers it; one with several files changes nothing")
    func zip() throws {
        let fixture = try fixture()
        let twice = ZipSample.archive([("a.csv", history), ("b.csv", history)])
        #expect(throws: DeviceStoreError.self) { try fixture.store.rates.importFile(twice, at: fixture.moment) }
        let archive = ZipSample.archive([("eurofxref-hist.csv", history)])
        #expect(try fixture.store.rates.importFile(archive, at: fixture.moment).changed == 6)
    }

    @Test("The daily XML of the European Central Bank")
    func xml() throws {
        let fixture = try fixture()
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01">
            <gesmes:subject>Reference rates</gesmes:subject>
            <Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.25'/>
            <Cube currency='CYP' rate='0.58'/></Cube></Cube>
            </gesmes:Envelope>
            """
        let report = try fixture.store.rates.importFile(Array(text.utf8), at: fixture.moment)
        #expect(report.days.lowerBound.iso == "2026-11-20" && report.count >= 1)
    }

    @Test(
        "Rates that are none are refused",
        arguments: [("EUR", "1"), ("USD", "0"), ("USD", "-1"), ("XXXX", "1"), ("USD", "1e5")])
    func refusedRate(code: String, rate: String) throws {
        let fixture = try fixture()
        #expect(throws: DeviceStoreError.self) {
            try fixture.store.rates.set(code, unitsPerEuro: rate, on: fixture.day("2026-01-01"), at: fixture.moment)
        }
    }
}

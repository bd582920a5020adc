import Foundation
import JSONWire
import TestKit
import Testing

@Suite struct RatesCommandTests {
    private let client: Client

    init() throws {
        client = try Client()
        _ = try client.add("A", "--amount", "11", "--currency", "USD")
        _ = try client.add("B", "--amount", "10")
        _ = try client.add("C", "--amount", "5", "--currency", "CHF")
    }

    private func importRates() throws {
        let table = "Date,USD,GBP,\n2026-11-19,1.1000,0.8500,\n2026-11-18,1.0900,N/A,\n"
        let report = try client.json("rates", "import", try client.folder.write(table, to: "rates.csv"))
        #expect(report["rates"] == .number("3") && report["changed"] == .number("3"))
    }

    @Test func everySumHasItsHomeCurrency() throws {
        // Arrays, as before, while no home currency is set.
        #expect(try client.json("total").arrayValue?.count == 3)
        #expect(try client.json("what-if", "--cancel", "A")["home"] == nil)
        let payments = try client.json("widget")
        #expect(payments["home"] == nil)
        _ = try client.run("settings", "set", "home_currency", "EUR")
        try importRates()
        _ = try client.run("budget", "set", "--amount", "22", "--currency", "USD")
        let total = try client.json("total")
        #expect(total["rows"]?.arrayValue?.count == 3)
        // 132 USD at 1.1, and 120 EUR; the francs have no rate.
        #expect(total["home"]?["annual"]?.stringValue == "240.00" && total["home"]?["monthly"]?.stringValue == "20.00")
        #expect(total["home"]?["unconverted"]?.arrayValue == [.string("CHF")])
        #expect(total["home"]?["rates"]?.each("on") == ["2026-11-19"])
        #expect(try client.json("what-if", "--cancel", "A")["home"]?["amount"]?.stringValue == "120.00")
        #expect(try client.json("budget", "list")["home"]?["amount"]?.stringValue == "20.00")
        // The widget keeps its payments and adds the yearly cost of all subscriptions.
        let widget = try client.json("widget", "--family", "small")
        #expect(widget["home"] == total["home"])
        #expect(try client.json("widget")["entries"] == payments["entries"])
        for command in [["month"], ["year", "2027"], ["forecast"], ["spending"]] {
            #expect(try client.json(command)["home"]?["currency"]?.stringValue == "EUR", "\(command)")
        }
        let text = try client.run("total").output
        #expect(text.contains("together €240.00 per year") && text.contains("1.1 USD (2026-11-19)"))
        #expect(text.contains("not converted, for want of a rate: CHF"))
        let lines = try client.run("widget").output.split(separator: "\n")
        #expect(lines.suffix(2) == text.split(separator: "\n").suffix(2))
        #expect(lines.contains { $0.contains("$11.00 ($132.00 a year)") })
        _ = try client.run("rates", "set", "CHF", "0.96", "--on", "today")
        #expect(try client.json("total")["home"]?["annual"]?.stringValue == "302.50")
        #expect(try client.run("undo").output.contains("CHF: exchange rate 0.96"))
    }

    @Test func onlyLimitsThatDoNotOverlapAreAddedUp() throws {
        _ = try client.run("settings", "set", "home_currency", "EUR")
        func set(_ limit: [String]) throws {
            #expect(try client.run(["budget", "set", "--amount"] + limit).status == 0, "\(limit)")
        }
        try set(["100", "--currency", "EUR", "--scope", "pro"])
        try set(["200", "--currency", "EUR", "--scope", "personal"])
        #expect(try client.json("budget", "list")["home"]?["amount"]?.stringValue == "300.00")
        // Counts charges in its own currency alone.
        try importRates()
        try set(["22", "--currency", "USD"])
        #expect(try client.run("budget").output.contains("limits together €320.00; 1 EUR = 1.1 USD"))
        for limit in [["30", "--category", "streaming"], ["1000", "--period", "year", "--scope", "pro"]] {
            try set(limit + ["--currency", "EUR"])
            let json = try client.json("budget", "list")
            #expect(json["home"]?["amount"]?.isNull == true && json["home"]?["rates"]?.arrayValue?.isEmpty == true)
            #expect(try !client.run("budget").output.contains("together"))
            #expect(try client.run("undo").status == 0)
        }
        #expect(try client.json("budget", "list")["home"]?["amount"]?.stringValue == "320.00")
    }

    @Test func aFileWithAnyFaultChangesNothing() throws {
        try importRates()
        let before = try client.run("rates", "status").output
        #expect(before.hasPrefix("home currency") && before.contains("1 day old, up to 2026-11-19"))
        for (text, reason) in [
            ("", "The file is empty."), ("PK\u{3}\u{4}zip", "zip archive"), ("root:x:0:0", "first column must be Date"),
            ("Date,USD,\n2026-11-20,-1,\n", "USD"), ("Date,USD,\n2026-02-30,1,\n", "day"),
            ("Date,USD,\n2027-11-20,1,\n", "in the future"), ("<gesmes:Envelope><Cube", "damaged"),
        ] {
            let refused = try client.run("rates", "import", try client.folder.write(text, to: "bad"))
            #expect(refused.status == 1 && refused.errors.contains(reason), "\(text): \(refused.errors)")
        }
        #expect(try client.run("rates", "status").output == before)
        for wrong in [["rates", "set", "EUR", "1"], ["rates", "set", "USD", "0"], ["rates", "set", "XYZ", "1"]] {
            #expect(try client.run(wrong).status == 1, "\(wrong)")
        }
    }
}

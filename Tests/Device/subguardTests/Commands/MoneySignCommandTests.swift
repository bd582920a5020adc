import Foundation
import JSONWire
import TestKit
import Testing

/// Signs of money that several currencies share, in every command that reads amounts.
@Suite struct MoneySignCommandTests {
    private static let signs = [
        ("€", "EUR"), ("$", "USD"), ("¥", "JPY"), ("лв", "BGN"), ("Kč", "CZK"), ("kr", "DKK"), ("£", "GBP"),
        ("Ft", "HUF"), ("zł", "PLN"), ("lei", "RON"), ("kr", "SEK"), ("Fr", "CHF"), ("kr", "ISK"), ("kr", "NOK"),
        ("₽", "RUB"), ("₺", "TRY"), ("$", "AUD"), ("R$", "BRL"), ("$", "CAD"), ("¥", "CNY"), ("HK$", "HKD"),
        ("Rp", "IDR"), ("₪", "ILS"), ("₹", "INR"), ("₩", "KRW"), ("Mex$", "MXN"), ("RM", "MYR"), ("NZ$", "NZD"),
        ("₱", "PHP"), ("S$", "SGD"), ("฿", "THB"), ("R", "ZAR"), ("₴", "UAH"), ("NT$", "TWD"),
    ]

    private func wallos(_ signs: [String], first: Int = 0) -> String {
        let rows = signs.enumerated().map { index, sign in
            """
            {"Name":"S\(first + index)","Payment Cycle":"Monthly","Next Payment":"2026-12-01","Renewal":"Automatic",
            "Category":"Streaming","Payment Method":"Card","Paid By":"Ana","Price":"\(sign)1299","Notes":"","URL":"",
            "State":"Enabled","Notifications":"Enabled","Cancellation Date":"","Active":"Yes"}
            """
        }
        return "{\"success\":true,\"subscriptions\":[\(rows.joined(separator: ","))]}"
    }

    @Test("34 of 34 currencies of Wallos, whether the flag or the home currency names them")
    func wallosCurrencies() throws {
        let client = try Client()
        for (number, (sign, code)) in Self.signs.enumerated() {
            let file = try client.folder.write(wallos([sign], first: 100 + number), to: "\(code).json")
            let flag = try client.json("import", "--format", "wallos", file, "--currency", code, "--dry-run")
            #expect(flag["added"]?.arrayValue?.count == 1, "\(code)")
            #expect(try client.run("settings", "set", "home_currency", code).status == 0)
            #expect(try client.run("import", "--format", "wallos", file).status == 0, "\(code)")
        }
        #expect(try client.json("list").each("currency") == Self.signs.map { $0.1 })
    }

    @Test("A sign that stays ambiguous is refused with the currencies it may be, each row by itself")
    func ambiguous() throws {
        let client = try Client()
        let file = try client.folder.write(wallos(["kr", "Kč", "$", "kr"]), to: "w.json")
        let outcome = try client.run("import", "--format", "wallos", file, "--currency", "EUR", "--json")
        let refused = try JSONValue.parse(Array(outcome.output.utf8))
        let fields = try #require(refused["error"]?["fields"]?.arrayValue)
        #expect(fields.map { $0["row"] } == [.number("1"), .number("4")])
        #expect(fields[0]["field"]?.stringValue == "currency" && fields[0]["code"]?.stringValue == "unknown_currency")
        #expect(fields[0]["detail"]?.stringValue?.contains("DKK, ISK, NOK, SEK") == true)
        #expect(try client.run("import", "--format", "wallos", file, "--currency", "SEK").status == 0)
        #expect(try client.json("list").each("currency") == ["SEK", "CZK", "USD", "SEK"])
    }

    @Test("Without decimals, a mark before three digits separates groups")
    func groupsOfYen() throws {
        let client = try Client()
        let add = ["add", "--cycle", "monthly", "--next", "2026-12-01", "--name"]
        for (name, amount, read) in [
            ("A", "4,277 JPY", "4277"), ("B", "¥4.277", "4277"), ("C", "12,345 JPY", "12345"),
            ("D", "260.000 ₫", "260000"), ("E", "4,277.00 USD", "4277.00"), ("F", "4,277 TND", "4.277"),
        ] {
            #expect(try client.run(add + [name, "--amount", amount]).status == 0, "\(amount)")
            #expect(try client.json("show", name)["amount"] == .string(read), "\(amount)")
        }
        for amount in ["4,27 JPY", "0,277 JPY", "1234,567 JPY", "4,2770 JPY", "4,277 USD"] {
            #expect(try client.run(add + ["X", "--amount", amount]).status == 1, "\(amount)")
        }
        #expect(try client.run("price", "A", "--amount", "5,100", "--from", "2027-01-01").status == 0)
        #expect(try client.json("edit", "A", "--amount", "4,980")["amount"] == .string("4980"))
        #expect(try client.json("show", "A")["prices"]?.each("amount").last == "5100")
        let rows = "name,amount,currency,cycle,next_billing_on\nG,\"4,277\",JPY,monthly,2026-12-01\n"
        let file = try client.folder.write(rows, to: "a.csv")
        #expect(try client.run("import", "--format", "csv", file).status == 0)
        #expect(try client.json("show", "G")["amount"] == .string("4277"))
        // A number of JSON has no groups.
        let row = #"{"name":"H","amount":4.277,"currency":"JPY","cycle":"monthly","next_billing_on":"2026-12-01"}"#
        let json = try client.folder.write("[\(row)]", to: "a.json")
        #expect(try client.run("import", "--format", "json", json).status == 1)
    }

    @Test func theDollarIsThatOfTheHomeCurrency() throws {
        let client = try Client()
        #expect(try client.run("settings", "set", "home_currency", "CAD").status == 0)
        #expect(try client.run("add", "Crave $13.49 monthly").status == 0)
        let id = try client.id(
            "add", "--name", "Rogers", "--amount", "$80", "--cycle", "monthly", "--next", "2026-12-01")
        _ = try client.id("add", "--name", "US", "--amount", "US$5", "--cycle", "monthly", "--next", "2026-12-01")
        let csv = """
            Name;Price;Currency;Cycle;Next
            A;$1.50;;monthly;2026-12-01
            B;2,50;$;monthly;2026-12-01
            C;2,50 kr.;SEK;monthly;2026-12-01\n
            """
        #expect(try client.run("import", "--format", "csv", try client.folder.write(csv, to: "a.csv")).status == 0)
        let currencies = try client.json("list").arrayValue?.map {
            "\($0["name"]?.stringValue ?? "") \($0["currency"]?.stringValue ?? "")"
        }
        #expect(currencies?.sorted() == ["A CAD", "B CAD", "C SEK", "Crave CAD", "Rogers CAD", "US USD"])
        // The currency of the subscription before that of the settings.
        #expect(try client.run("edit", id, "--currency", "AUD").status == 0)
        #expect(try client.json("edit", id, "--amount", "$81")["currency"]?.stringValue == "AUD")
        #expect(try client.run("edit", id, "--amount", "81 €").status == 1)
    }
}

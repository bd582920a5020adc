import Foundation
import JSONWire
import TestKit
import Testing

/// A sheet is taken once, whatever was done with its entries since, and only in currencies that are known.
@Suite struct SheetRepeatTests {
    /// A group with an expense of the owner, and the id of the expense.
    private func trip(_ client: Client) throws -> String {
        _ = try client.id("people", "add", "Bob")
        _ = try client.id("groups", "add", "--name", "Trip", "--members", "me,Bob")
        return try client.id(
            "expenses", "add", "--group", "Trip", "--title", "Hotel", "--amount", "100", "--currency", "EUR",
            "--paid-by", "me", "--on", "2026-11-10")
    }

    private func export(_ client: Client, _ format: String) throws -> String {
        try client.folder.write(
            try client.run("groups", "export", "Trip", "--format", format).output, to: "s.\(format)")
    }

    private func count(_ client: Client) throws -> Int? { try client.json("expenses", "list").arrayValue?.count }

    @Test(arguments: ["csv", "json"])
    func aSettledExpenseMakesNoDebtAgain(_ format: String) throws {
        let client = try Client()
        let id = try trip(client)
        let file = try export(client, format)
        #expect(try client.run("expenses", "edit", id, "--settled").status == 0)
        let again = try client.json("groups", "import", file, "--into", "Trip", "--me", "Me")
        #expect(again["expenses"] == .number("0") && again["known"] == .number("1"))
        #expect(try client.json("balance").arrayValue?.isEmpty == true)
    }

    @Test("An export in JSON is told by its ids, and leaves what is alike to other entries")
    func anEditedExpenseIsKnown() throws {
        let client = try Client()
        let id = try trip(client)
        #expect(try client.run("repay", "Bob", "--amount", "7.00 EUR", "--group", "Trip").status == 0)
        let file = try export(client, "json")
        #expect(try client.run("expenses", "edit", id, "--title", "Hotel Roma", "--amount", "90").status == 0)
        let again = try client.json("groups", "import", file, "--into", "Trip", "--me", "Me")
        #expect(again["known"] == .number("2") && again["repayments"] == .number("0"), "\(again)")
        #expect(try count(client) == 1)
        // The same file twice in another database, with an edit between; undone, it is taken again.
        let other = try Client()
        for taken in [1, 0] {
            let report = try other.json("groups", "import", file, "--me", "Me")
            #expect(report["expenses"] == .number("\(taken)") && report["repayments"] == .number("\(taken)"))
            let row = try other.json("expenses", "list")[0]?["id"]?.stringValue ?? ""
            #expect(try other.run("expenses", "edit", row, "--title", "Other").status == 0)
        }
        while try count(other) != 0 { #expect(try other.run("undo").status == 0) }
        #expect(try other.json("groups", "import", file, "--me", "Me")["expenses"] == .number("1"))
        #expect(try count(other) == 1)
        // In another group, it is another expense, so that a merge of both devices keeps the first one's.
        #expect(try other.json("expenses", "list")[0]?["id"]?.stringValue != id)
        #expect(try client.run("groups", "add", "--name", "Other", "--members", "me,Bob").status == 0)
        #expect(try client.json("groups", "import", file, "--into", "Other", "--me", "Me")["expenses"] == .number("1"))
    }

    private func spliit(_ currency: String, _ expense: String) -> String {
        """
        {"name":"Sea",\(currency),"participants":[{"id":"a","name":"Ann"},{"id":"b","name":"Bob"}],"expenses":[\
        {"id":"e1","expenseDate":"2022-07-01T00:00:00.000Z","title":"Hotel","amount":75000,\(expense)"paidById":"a",\
        "paidFor":[{"participantId":"a","shares":100},{"participantId":"b","shares":100}],"splitMode":"EVENLY"}]}
        """
    }

    @Test func anEditedExpenseOfSpliitIsKnown() throws {
        let client = try Client()
        let file = try client.folder.write(spliit("\"currencyCode\":\"EUR\"", ""), to: "s.json")
        #expect(try client.json("groups", "import", file, "--me", "Ann")["expenses"] == .number("1"))
        let id = try client.json("expenses", "list")[0]?["id"]?.stringValue ?? ""
        #expect(try client.run("expenses", "edit", id, "--title", "Hotel Split").status == 0)
        #expect(try client.json("groups", "import", file, "--me", "Ann")["known"] == .number("1"))
        #expect(try count(client) == 1)
    }

    @Test("An amount in an unknown currency is not one of another currency")
    func unknownCurrencies() throws {
        let (table, bills) = (
            "Date,Description,Currency,Cost,Ann,Bob\n", "what,amount,currency,date,payer_name,owers\n"
        )
        let splitwise = "Date,Description,Category,Cost,Currency,Ann,Bob\n"
        for (text, place) in [
            (table + "2022-07-01,Hotel,HRK,750.00,375.00,-375.00\n", "line 2, Currency"),
            (splitwise + "2022-07-01,Hotel,,750.00,HRK,375.00,-375.00\n", "line 2, Currency"),
            (bills + "Hotel,750,HRK,2022-07-01,Ann,\"Ann,Bob\"\n", "line 2, currency"),
            (
                bills + "Hotel,750,,2022-07-01,Ann,\"Ann,Bob\"\n\ncurrencyname,exchange_rate\nHRK,1\n",
                "line 2, currency"
            ),
            (spliit("\"currencyCode\":\"EUR\"", "\"currencyCode\":\"HRK\","), "expenses/0/currencyCode"),
            (spliit("\"currencyCode\":\"HRK\"", ""), "expenses/0/currencyCode"),
        ] {
            let client = try Client()
            let file = try client.folder.write(text, to: "s.csv")
            for more in [[], ["--currency", "EUR"]] {
                let refused = try client.run(["groups", "import", file, "--me", "Ann"] + more)
                #expect(refused.status == 1, "\(text)")
                let reason = refused.errors.contains(place) && refused.errors.contains("Unknown currency: HRK.")
                #expect(reason, "\(refused.errors)")
            }
            #expect(try client.json("groups", "list").arrayValue?.isEmpty == true)
        }
        // Other expenses of the same group are not concerned, and a name that people gave a currency needs the option.
        for (text, units) in [
            (spliit("\"currencyCode\":\"HRK\"", "\"currencyCode\":\"EUR\","), "750.00"),
            (spliit("\"currency\":\"Euros\",\"currencyCode\":\"\"", ""), "750.00"),
            (spliit("\"currency\":\"Won\",\"currencyCode\":\"\"", ""), "750.00"),
            (bills + "Hotel,750,,2022-07-01,Ann,\"Ann,Bob\"\n\ncurrencyname,exchange_rate\nEuros,1\n", "750.00"),
        ] {
            let client = try Client()
            let file = try client.folder.write(text, to: "s.csv")
            let taken = try client.run("groups", "import", file, "--me", "Ann", "--currency", "EUR")
            #expect(taken.status == 0, "\(taken.errors)")
            #expect(try client.json("expenses", "list")[0]?["amount"]?.stringValue == units)
        }
    }
}

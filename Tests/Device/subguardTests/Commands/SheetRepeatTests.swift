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
        // Sent back with an edit, it is still the one of the first device.
        let row = try other.json("expenses", "list")[0]?["id"]?.stringValue ?? ""
        #expect(try other.run("expenses", "edit", row, "--title", "Hotel Milano").status == 0)
        let back = try client.folder.write(
            try other.run("groups", "export", "Trip", "--format", "json").output, to: "back.json")
        #expect(try client.json("groups", "import", back, "--into", "Trip", "--me", "Me")["expenses"] == .number("0"))
        #expect(try count(client) == 1)
        // In another group, it is another expense, so that a merge of both devices keeps the first one's.
        #expect(try other.json("expenses", "list")[0]?["id"]?.stringValue != id)
        #expect(try client.run("groups", "add", "--name", "Other", "--members", "me,Bob").status == 0)
        #expect(try client.json("groups", "import", file, "--into", "Other", "--me", "Me")["expenses"] == .number("1"))
    }

    /// A sheet without ids: two equal expenses, another one, and a payment.
    private static let splitwise = """
        Date,Description,Category,Cost,Currency,Ann,Ben,Dan
        2026-01-01,Dinner,Food,30.00,EUR,20.00,-10.00,-10.00
        2026-01-01,Dinner,Food,30.00,EUR,20.00,-10.00,-10.00
        2026-01-02,Taxi,Food,9.00,EUR,-3.00,-3.00,6.00
        2026-01-03,Dan paid Ann,Payment,5.00,EUR,-5.00,0.00,5.00
        """

    @Test("A table is known by what it says, whatever became of its people", arguments: [true, false])
    func editedPeople(isDeleted: Bool) throws {
        let client = try Client()
        let file = try client.folder.write(Self.splitwise, to: "Trip.csv")
        #expect(try client.json("groups", "import", file)["expenses"] == .number("3"))
        let edit = isDeleted ? ["people", "delete", "Dan", "--force"] : ["people", "edit", "Dan", "--name", "Daniel"]
        #expect(try client.run(edit).status == 0)
        let (people, debts) = (try client.json("people", "list"), try client.json("settle", "Trip"))
        for _ in 1...2 {
            let again = try client.json("groups", "import", file)
            #expect(again["known"] == .number("4") && again["expenses"] == .number("0"), "\(again)")
            #expect(again["repayments"] == .number("0") && again["people"]?.arrayValue?.isEmpty == true)
        }
        #expect(try client.json("people", "list") == people && client.json("settle", "Trip") == debts)
        // Only the people of what is new are added.
        var more = Self.splitwise.replacing("Dan\n2026-01-01", with: "Dan,Eve,Fay\n2026-01-01")
        more = more.replacing("0\n", with: "0,0.00,0.00\n")
        more += ",0.00,0.00\n2026-01-04,Bus,,8.00,EUR,4.00,0.00,0.00,-4.00,0.00"
        let taken = try client.json("groups", "import", try client.folder.write(more, to: "Trip.csv"))
        #expect(taken["expenses"] == .number("1") && taken["known"] == .number("4"), "\(taken)")
        #expect(taken["people"]?.arrayValue == [.string("Eve")])
    }

    @Test func twoDevicesTakeATableOnce() throws {
        let (client, other) = (try Client(), try Client())
        for name in ["Ann", "Ben", "Dan"] { _ = try client.id("people", "add", name) }
        _ = try client.id("groups", "add", "--name", "Trip", "--members", "Ann,Ben,Dan")
        let (backup, theirs) = (client.folder.file("a.json"), other.folder.file("b.json"))
        #expect(try client.run("backup", backup).status == 0 && other.run("restore", backup).status == 0)
        let file = try client.folder.write(Self.splitwise, to: "Trip.csv")
        for device in [client, other] {
            #expect(try device.json("groups", "import", file)["expenses"] == .number("3"))
        }
        let debts = try client.json("settle", "Trip")
        #expect(try other.run("backup", theirs).status == 0 && client.run("merge", theirs).status == 0)
        #expect(try client.json("settle", "Trip") == debts)
        #expect(try count(client) == 3)
    }

    @Test func severalPeopleOfANameAreRefusedOnlyForNewEntries() throws {
        let client = try Client()
        let file = try client.folder.write(Self.splitwise, to: "Trip.csv")
        #expect(try client.json("groups", "import", file)["expenses"] == .number("3"))
        _ = try client.id("people", "add", "dan")
        #expect(try client.json("groups", "import", file)["known"] == .number("4"))
        let refused = try client.run("groups", "import", file, "--name", "Other")
        #expect(refused.status == 1 && refused.errors.contains("Several people have the name Dan."))
    }

    private func spliit(_ currency: String, _ expense: String) -> String {
        """
        {"name":"Sea",\(currency),"participants":[{"id":"a","name":"Ann"},{"id":"b","name":"Bob"}],"expenses":[\
        {"id":"e1","expenseDate":"2022-07-01T00:00:00.000Z","title":"Hotel","amount":75000,\(expense)"paidById":"a",\
        "paidFor":[{"participantId":"a","shares":100},{"participantId":"b","shares":100}],"splitMode":"EVENLY"}]}
        """
    }

    /// Versions of Spliit without codes divide each amount by 100.
    @Test(
        "Without a code, Spliit counts hundredths in every currency",
        arguments: [
            ("¥", 1_000_000, "10000"), ("₩", -1_000_000, "10000"), ("FCFA", 100, "1"), ("CLP", 1_000_000, "10000"),
            ("KWD", 1_000_050, "10000.500"), ("€", 12_345, "123.45"),
        ])
    func hundredths(_ sign: String, _ amount: Int, _ expected: String) throws {
        for mode in ["EVENLY", "BY_AMOUNT"] {
            let text = { (sign: String, amount: Int) in
                """
                {"name":"Sea","currency":"\(sign)","participants":[{"id":"a","name":"Ann"},{"id":"b","name":"Bob"}],\
                "expenses":[{"id":"e1","expenseDate":"2022-07-01","title":"Hotel","amount":\(amount),"paidById":"a",\
                "paidFor":[{"participantId":"b","shares":\(amount)}],"splitMode":"\(mode)"}]}
                """
            }
            let client = try Client()
            let file = try client.folder.write(text(sign, amount), to: "s.json")
            let taken = try client.run("groups", "import", file, "--me", "Ann")
            #expect(taken.status == 0, "\(taken.errors)")
            #expect(try client.json("expenses", "list")[0]?["amount"]?.stringValue == expected)
            let rest = try client.folder.write(text("¥", 1_000_050), to: "r.json")
            let refused = try client.run("groups", "import", rest, "--me", "Ann")
            #expect(refused.status == 1 && refused.errors.contains("expenses/0/amount: Has a fraction"))
        }
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

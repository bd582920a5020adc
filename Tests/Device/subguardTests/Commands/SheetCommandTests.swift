import Foundation
import JSONWire
import TestKit
import Testing

/// The sheet of a group, as Spliit writes it.
@Suite struct SheetCommandTests {
    /// As Spliit exports it: a sign for the currency, cells rounded one by one, a BOM.
    private static let spliit =
        "\u{FEFF}\"Date\",\"Description\",\"Category\",\"Currency\",\"Cost\",\"Is Reimbursement\",\"Split mode\","
        + "\"Zoé\",\"Ana\",\"Ben\"\n"
        + "\"2026-10-01\",\"Dîner « chez Léo »\",\"Food\",\"€\",\"10.00\",\"No\",\"Evenly\",3.33,-3.33,-3.33\n"
        + "\"2026-10-02\",\"Taxi\",\"\",\"€\",\"10.00\",\"No\",\"Unevenly – By shares\",-3.33,6.67,0\n"
        + "\"2026-10-03\",\"Hôtel, 2 nuits\",\"\",\"€\",\"300.00\",\"No\",\"Unevenly – By amount\",-100,-50.5,149.5\n"

    private func balances(_ client: Client, _ group: String) throws -> [String: String] {
        let rows = try client.json("settle", group).arrayValue ?? []
        return Dictionary(
            uniqueKeysWithValues: rows.map {
                (
                    "\($0["from_name"]?.stringValue ?? "") to \($0["to_name"]?.stringValue ?? "")",
                    $0["amount"]?.stringValue ?? ""
                )
            })
    }

    @Test func aSheetOfSpliitIsTakenOnce() throws {
        let client = try Client()
        let file = try client.folder.write(Self.spliit, to: "Rome 2026.csv")
        let first = try client.json("groups", "import", file, "--me", "zoe")
        #expect(first["expenses"] == .number("3") && first["known"] == .number("0"))
        #expect(first["people"]?.arrayValue?.compactMap(\.stringValue) == ["Ana", "Ben"])
        #expect(try client.json("groups", "list")[0]?["name"]?.stringValue == "Rome 2026")
        // Zoé, who is me, bears 3.34, 3.33 and 100 and paid 10; Ana 3.33, 6.67 and 50.50, and paid 10.
        let settled = try balances(client, "rome 2026")
        #expect(settled == ["Me to Ben": "96.67", "Ana to Ben": "50.50"])
        let again = try client.run("groups", "import", file, "--me", "Zoé")
        #expect(again.status == 0 && again.output == "0 expenses added, 3 already known\n")
        #expect(try client.json("expenses", "list").arrayValue?.count == 3)
        #expect(try client.run("undo").status == 0)
        #expect(try client.json("people", "list").arrayValue?.count == 1)
    }

    @Test(arguments: ["csv", "json"])
    func anExportComesBackAndIsKnown(format: String) throws {
        let client = try Client()
        for name in ["Ana", "@Ben", "Zoé \"Z\""] { _ = try client.id("people", "add", "--name", name) }
        _ = try client.id("groups", "add", "--name", "Trip", "--members", "me,Ana,@Ben,Zoé \"Z\"")
        func spend(_ title: String, _ amount: String, _ currency: String, _ payer: String, _ more: String...) throws {
            let added = try client.run(
                [
                    "expenses", "add", "--group", "Trip", "--title", title, "--amount", amount, "--currency", currency,
                    "--paid-by", payer, "--on", "2026-02-28",
                ] + more)
            #expect(added.status == 0, "\(added.errors)")
        }
        try spend("Hotel", "100", "EUR", "me", "--split", "even")
        try spend("=1+1", "12.34", "EUR", "Ana", "--split", "shares", "--parts", "me=2,Ana=1")
        try spend("Sushi", "1000", "JPY", "@Ben", "--split", "percent", "--parts", "me=33.33,Ana=66.67")
        try spend("Two payers", "10.01", "EUR", "me=3.34,Ana=6.67", "--split", "even")
        try spend("Gift", "5", "EUR", "me", "--split", "exact", "--parts", "Ana=5")
        #expect(try client.run("repay", "Ana", "--amount", "7.00 EUR", "--group", "Trip").status == 0)
        let export = try client.run("groups", "export", "trip", "--format", format).output
        let file = try client.folder.write(export, to: "Trip.\(format)")
        let known = try client.json("groups", "import", file)
        #expect(known["expenses"] == .number("0") && known["repayments"] == .number("0"), "\(known)\n\(export)")
        // Into another store: the same balances, person by person.
        let other = try Client()
        let taken = try other.json("groups", "import", file, "--me", "Me")
        #expect(taken["repayments"] == .number("1"))
        #expect(try balances(other, "trip") == balances(client, "trip"))
    }

    @Test func aJSONExportOfSpliitSaysWhoPaid() throws {
        let client = try Client()
        let sheet = """
            {"id":"x","name":"Coloc","information":null,"currency":"$","currencyCode":"USD","expenses":[
            {"id":"e1","expenseDate":"2026-01-06T00:00:00.000Z","title":"Rent",\
            "category":{"grouping":"Home","name":"Rent"},
            "amount":90000,"paidById":"a","paidFor":[{"participantId":"b","shares":5000},\
            {"participantId":"c","shares":5000}],
            "isReimbursement":false,"splitMode":"BY_PERCENTAGE","recurrenceRule":"NONE","notes":null},
            {"id":"e2","expenseDate":"2026-01-07T00:00:00.000Z","title":"Reimbursement","category":null,
            "amount":45000,"paidById":"b","paidFor":[{"participantId":"a","shares":1}],
            "isReimbursement":true,"splitMode":"EVENLY","notes":""}],
            "participants":[{"id":"a","name":"Ana"},{"id":"b","name":"Ben"},{"id":"c","name":"Zoé"}],"activities":[]}
            """
        let report = try client.json("groups", "import", try client.folder.write(sheet, to: "s.json"))
        #expect(report["expenses"] == .number("1") && report["repayments"] == .number("1"))
        #expect(try balances(client, "coloc") == ["Zoé to Ana": "450.00"])
    }

    @Test(
        "A faulty sheet changes nothing, and each fault names its place",
        arguments: [
            ("Name,Amount\na,1\n", "line 1"),
            ("Date,Description,Cost,Ana,Ben\n2026-02-30,x,1,1,-1\n", "line 2, Date"),
            ("Date,Description,Currency,Cost,Ana,Ben\n2026-02-28,x,EUR,abc,1,-1\n", "line 2, Cost"),
            ("Date,Description,Currency,Cost,Ana,Ben\n2026-02-28,x,kr,1,1,-1\n", "line 2, Currency"),
            ("Date,Description,Currency,Cost,Ana,Ben,Zoé\n2026-02-28,x,EUR,1,-1,0,0\n", "who paid"),
            (
                "Date,Description,Currency,Cost,Split mode,Ana,Ben\n2026-02-28,x,EUR,10,By amount,1,-1\n",
                "line 2, parts"
            ),
            ("Date,Description,Currency,Cost,Ana,Ben\n2026-02-28,,EUR,1,0.5,-0.5\n", "line 2, title"),
            ("Date,Description,Currency,Cost,Ana,Ana\n2026-02-28,x,EUR,1,0.5,-0.5\n", "line 1"),
            ("{\"expenses\":[],\"participants\":7}", "Not a sheet"),
            (
                """
                {"expenses":[{"expenseDate":"2026-01-06","amount":0}],"participants":[],"currencyCode":"EUR"}
                """,
                "expenses/0/amount"
            ),
        ])
    func refused(_ text: String, _ reason: String) throws {
        let client = try Client()
        let refused = try client.run("groups", "import", try client.folder.write(text, to: "bad.csv"))
        #expect(refused.status == 1 && refused.errors.contains(reason), "\(refused.errors)")
        #expect(try client.json("groups", "list").arrayValue?.isEmpty == true)
        #expect(try client.json("people", "list").each("me") == ["?"])
    }
}

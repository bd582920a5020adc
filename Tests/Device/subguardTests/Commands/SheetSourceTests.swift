import Foundation
import JSONWire
import TestKit
import Testing

/// Sheets of Splitwise, Cospend and IHateMoney, with the balances that those programs show.
@Suite struct SheetSourceTests {
    /// As Splitwise exports it: an empty line, cells that are changes of balances, and a last row for each currency.
    private static let splitwise = """
        Date,Description,Category,Cost,Currency,Ana Gómez,Ben,Zoé

        2026-09-01,Groceries,Groceries,90.00,EUR,60.00,-30.00,-30.00
        2026-09-03,"Taxi, airport",Taxi,10.00,EUR,-3.34,6.67,-3.33
        2026-09-05,Ben paid Ana Gómez,Payment,20.00,EUR,-20.00,20.00,0.00
        2026-09-06,Concert,Entertainment,100.00,USD,-50.00,-50.00,100.00
        2026-09-07,Own coffee,Dining out,3.00,EUR,0.00,0.00,0.00
        2026-09-08,Rent,Rent,1000.00,EUR,400.00,100.00,-500.00

        2026-09-30,Total balance, , ,EUR,436.66,96.67,-533.33
        2026-09-30,Total balance, , ,USD,-50.00,-50.00,100.00
        """

    /// As Cospend exports it: members first, weights, a bill in the bin, other sections behind empty lines.
    private static let cospend = """
        what,amount,date,timestamp,payer_name,payer_weight,payer_active,owers,repeat,repeatallactive,repeatuntil,\
        repeatfreq,categoryid,paymentmode,paymentmodeid,comment,deleted
        deleteMeIfYouWant,1,1970-01-01,666,"Zoé",1,1,"Zoé",n,,,,,,,,
        deleteMeIfYouWant,1,1970-01-01,666,"Ana",1,1,"Ana",n,,,,,,,,
        deleteMeIfYouWant,1,1970-01-01,666,"Ben",2,1,"Ben",n,,,,,,,,
        "Courses",10,2026-10-01,1790812800,"Zoé",1,1,"Zoé,Ana,Ben",n,0,,1,1,,0,"march%C3%A9+du%20samedi",0
        "Courses",10.02,2026-10-02,1790899200,"Zoé",1,1,"Zoé,Ana,Ben",n,0,,1,1,,0,"",0
        "Courses",10.02,2026-10-02,1790899200,"Zoé",1,1,"Zoé,Ana,Ben",n,0,,1,1,,0,"",0
        "Café",30.299999999999997,2026-10-03,1790985600,"Ana",1,1,"Ana,Ben",n,0,,1,2,,0,"",0
        "Remboursement",4,2026-10-03,1790985600,"Ben",2,1,"Zoé",n,0,,1,-11,c,-2,"",0
        "Consigne",-3,2026-10-04,1791072000,"Ana",1,1,"Zoé,Ana,Ben",n,0,,1,0,,0,"",0
        "Supprimé",99,2026-10-05,1791158400,"Ana",1,1,"Zoé,Ben",n,0,,1,0,,0,"",1

        categoryname,categoryid,icon,color
        "Épicerie",1,"🛒","#ffaa00"

        currencyname,exchange_rate
        "€",1
        "$",1.2
        """

    private static let ihatemoney = """
        what,bill_type,amount,currency,date,payer_name,payer_weight,owers
        crêpes,Expense,10.0,XXX,2026-10-01,zoé,1.0,"zoé, ana, ben"
        crêpes,Expense,10.0,XXX,2026-10-02,zoé,1.0,"zoé, ana, ben"
        crêpes,Expense,10.0,XXX,2026-10-03,zoé,1.0,"zoé, ana, ben"
        prêt,Reimbursement,7.5,XXX,2026-10-04,ana,1.0,zoé
        """

    /// What everybody is owed in a group, from the transfers that settle it.
    private func balances(_ client: Client, _ group: String) throws -> [String: String] {
        var cents: [String: Int] = [:]
        for row in try client.json("settle", group).arrayValue ?? [] {
            let amount = Int((Double(row["amount"]?.stringValue ?? "") ?? 0) * 100 + 0.5)
            let currency = row["currency"]?.stringValue ?? ""
            cents["\(row["from_name"]?.stringValue ?? "") \(currency)", default: 0] -= amount
            cents["\(row["to_name"]?.stringValue ?? "") \(currency)", default: 0] += amount
        }
        return cents.mapValues { String(format: "%.2f", Double($0) / 100) }
    }

    @Test func aTableOfSplitwise() throws {
        let client = try Client()
        let file = try client.folder.write(Self.splitwise, to: "Lisbon.csv")
        let report = try client.json("groups", "import", file)
        #expect(report["format"]?.stringValue == "splitwise" && report["without_effect"] == .number("1"))
        #expect(report["expenses"] == .number("4") && report["repayments"] == .number("1"))
        #expect(
            try balances(client, "lisbon") == [
                "Ana Gómez EUR": "436.66", "Ben EUR": "96.67", "Zoé EUR": "-533.33", "Ana Gómez USD": "-50.00",
                "Ben USD": "-50.00", "Zoé USD": "100.00",
            ])
        #expect(try client.json("groups", "import", file)["known"] == .number("5"))
        #expect(
            try client.json("expenses", "list").arrayValue?.contains {
                $0["title"]?.stringValue == "Ben paid Ana Gómez"
            } == false)
    }

    @Test("A table of Splitwise in another language, separated by semicolons")
    func inGerman() throws {
        let client = try Client()
        let text = """
            Datum;Beschreibung;Kategorie;Kosten;Währung;Ana;Ben
            2026-09-01;Miete;Miete;100,00;EUR;50,00;-50,00
            2026-09-02;Ben zahlte Ana;Zahlung;20,00;EUR;-20,00;20,00
            """
        let report = try client.json("groups", "import", try client.folder.write(text, to: "WG.csv"))
        #expect(report["expenses"] == .number("1") && report["repayments"] == .number("1"))
        #expect(try balances(client, "wg") == ["Ana EUR": "30.00", "Ben EUR": "-30.00"])
    }

    @Test(
        "A table of Splitwise that does not add up changes nothing",
        arguments: [
            ("2026-09-01,x,General,10.00,EUR,5.00,-4.99\n", "line 2: "),
            ("2026-09-01,x,General,10.00,EUR,15.00,-15.00\n", "line 2, Cost"),
            ("2026-09-01,x,General,10.00,EUR,5.00,-5.00\n2026-09-30,Total balance, , ,EUR,6.00,-6.00\n", "line 3"),
        ])
    func refused(_ rows: String, _ reason: String) throws {
        let client = try Client()
        let file = try client.folder.write("Date,Description,Category,Cost,Currency,Ana,Ben\n" + rows, to: "bad.csv")
        let refused = try client.run("groups", "import", file)
        #expect(refused.status == 1 && refused.errors.contains(reason), "\(refused.errors)")
        #expect(try client.json("groups", "list").arrayValue?.isEmpty == true)
    }

    @Test func billsOfCospend() throws {
        let client = try Client()
        let file = try client.folder.write(Self.cospend, to: "coloc.csv")
        let report = try client.json("groups", "import", file)
        #expect(report["format"]?.stringValue == "cospend" && report["repayments"] == .number("1"))
        #expect(report["expenses"] == .number("5"))
        // Zoé 30.04 − 30.04/4 − 4 + 3/4; Ana 30.30 − 10.10 − 30.04/4 − 3 + 3/4; Ben the rest.
        #expect(try balances(client, "coloc") == ["Zoé EUR": "19.28", "Ana EUR": "10.44", "Ben EUR": "-29.72"])
        let notes = try client.json("expenses", "list").arrayValue?.compactMap { $0["notes"]?.stringValue }
        #expect(notes?.contains("marché du samedi") == true)
        #expect(try client.json("groups", "import", file)["known"] == .number("6"))
    }

    @Test("Fractions of cents are no debts: three times a third of ten is ten")
    func billsOfIHateMoney() throws {
        let client = try Client()
        let file = try client.folder.write(Self.ihatemoney, to: "bretagne.csv")
        let refused = try client.run("groups", "import", file)
        #expect(refused.status == 1 && refused.errors.contains("--currency"))
        let report = try client.json("groups", "import", file, "--currency", "EUR")
        #expect(report["format"]?.stringValue == "ihatemoney" && report["repayments"] == .number("1"))
        #expect(try balances(client, "bretagne") == ["zoé EUR": "12.50", "ana EUR": "-2.50", "ben EUR": "-10.00"])
        let json = """
            [{"what":"gîte","bill_type":"Expense","amount":100.0,"currency":"EUR","date":"2026-10-05",\
            "payer_name":"ana",
            "payer_weight":3.0,"owers":["ana","ben"]}]
            """
        let more = try client.json(
            "groups", "import", try client.folder.write(json, to: "more.json"), "--into", "bretagne")
        #expect(more["expenses"] == .number("1"))
        #expect(try balances(client, "bretagne") == ["zoé EUR": "12.50", "ana EUR": "22.50", "ben EUR": "-35.00"])
    }

    @Test("An income of Spliit, with a negative cost, is owed by who received it")
    func incomes() throws {
        let csv = """
            Date,Description,Category,Currency,Cost,Is Reimbursement,Split mode,Ana,Ben
            2026-10-01,Deposit back,,EUR,-100.00,No,Evenly,-50.00,50.00
            """
        let json = """
            {"id":"x","name":"g","currency":"€","currencyCode":"EUR","expenses":[{"id":"e1",
            "expenseDate":"2026-10-01T00:00:00.000Z","title":"Deposit back","amount":-10000,"paidById":"a",
            "paidFor":[{"participantId":"a","shares":100},{"participantId":"b","shares":100}],
            "isReimbursement":false,"splitMode":"EVENLY"}],
            "participants":[{"id":"a","name":"Ana"},{"id":"b","name":"Ben"}]}
            """
        for (text, name) in [(csv, "g.csv"), (json, "g.json")] {
            let client = try Client()
            #expect(
                try client.json("groups", "import", try client.folder.write(text, to: name))["expenses"] == .number("1")
            )
            #expect(try balances(client, "g") == ["Ana EUR": "-50.00", "Ben EUR": "50.00"], "\(name)")
        }
    }
}

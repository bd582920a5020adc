import JSONWire
import TestKit
import Testing

/// What `import --format bank` finds beside regular charges.
@Suite struct StatementCommandTests {
    private func statement(_ client: Client) throws -> String {
        let months = (5...10).map { $0 < 10 ? "0\($0)" : "10" }
        let rows =
            months.map { "17/\($0)/2026;CARTE 16/\($0) NETFLIX.COM AMSTERDAM;-13,49" }
            + ["18/08/2026;CARTE 17/08 NETFLIX.COM AMSTERDAM;-13,49"]
            + months.map { "03/\($0)/2026;PRLV SEPA VIDEO CLUB MANDAT 4;-9,99" }
            + ["04/07/2026;PRLV SEPA VIDEO CLUB MANDAT 4;-9,99", "06/07/2026;VIDEO CLUB;9,99"]
            + months.map { "02/\($0)/2026;VIR PERMANENT JEANNE MORVAN;-50,00" }
            + months.map { "20/\($0)/2026;RETRAIT DAB LYON;-60,00" }
        return try client.folder.write(
            "Date;Libellé;Montant\n" + rows.joined(separator: "\n") + "\n", to: "a.csv")
    }

    @Test func doubledChargesAreReported() throws {
        let client = try Client()
        let id = try client.add("Netflix", next: "2026-12-17")
        let file = try statement(client)
        let found = try client.json("import", "--format", "bank", file)
        #expect(found["charged_twice"]?.each("name") == ["Video Club", "Netflix"])
        #expect(found["charged_twice"]?.each("on") == ["2026-07-04", "2026-08-18"])
        let known = try #require(found["charged_twice"]?.arrayValue?.last)
        #expect(known["subscription_id"] == .string(id) && known["proposal_id"] == .null)
        #expect(known["amount"] == .string("13.49") && known["currency"] == .string("EUR"))
        #expect(found["set_aside"]?.each("reason") == ["doubled"])
        #expect(found["proposals"]?.each("name") == ["Video Club"])
        #expect(found["confirmed"]?.arrayValue?.count == 6)
        #expect(found["excluded"] == nil)
        let english = try client.run("import", "--format", "bank", file).output
        #expect(english.contains("Netflix: charged twice, €13.49 again on 2026-08-18"), "\(english)")
        #expect(english.contains("Video Club: charged twice, €9.99 again on 2026-07-04, which came back"), "\(english)")
        let french = try client.run("import", "--format", "bank", file, "--lang", "fr").output
        #expect(french.contains("Netflix : prélevé deux fois, encore 13,49"), "\(french)")
    }

    /// What a statement proves of before the day of entry counts as confirmed, but is no part of the score.
    @Test func chargesFromBeforeEntryStayOutOfTheScore() throws {
        let (client, imported) = (try Client(), try Client())
        let file = try statement(client)
        let bank = ["import", "--format", "bank", file, "--currency", "EUR", "--accept", "all"]
        #expect(try client.json(bank)["proposals"]?.each("name").isEmpty == false)
        let spent = try client.json("spending", "--by", "subscription")
        #expect(spent.each("assumed").allSatisfy { $0 == "0.00" } && !spent.each("confirmed").isEmpty, "\(spent)")
        let known = try client.json(bank)
        #expect(known["confirmed"] == .array([]) && known["proposals"] == .array([]), "\(known)")
        let export = try client.folder.write(try client.run("export", "--format", "json").output, to: "export")
        #expect(try imported.run("import", "--format", "json", export).status == 0)
        for device in [client, imported] {
            let score = try device.json("score")
            #expect(score["percent"] == .null && score["due"] == .number("0"), "\(score)")
            #expect(try device.json("spending", "--by", "subscription") == spent)
        }
        // A subscription that was entered with a history: what was assumed is confirmed.
        let entered = try Client()
        _ = try entered.add("Netflix", "--started", "2026-05-17", next: "2026-12-17")
        #expect(try entered.json(bank)["confirmed"]?.arrayValue?.isEmpty == false)
        #expect(try entered.json("score")["due"] == .number("0"))
        // One whose charges were missed since it was entered is judged as before.
        let early = try Client()
        _ = try early.run(
            "add", "--name", "Netflix", "--amount", "13.49", "--currency", "EUR", "--cycle", "monthly", "--next",
            "2026-09-17", now: "2026-09-01T10:00:00Z")
        #expect(try early.json("score")["missed"] == .number("3"))
        #expect(try early.json("import", "--format", "bank", file)["confirmed"]?.arrayValue?.count == 6)
        #expect(try early.json("score")["late"] == .number("2"))
    }

    @Test func whatIsLeftOutIsListedOnRequest() throws {
        let client = try Client()
        let file = try statement(client)
        let found = try client.json("import", "--format", "bank", file, "--currency", "EUR", "--all")
        #expect(found["excluded"]?.each("name").sorted() == ["Jeanne Morvan", "Lyon"])
        #expect(found["excluded"]?.each("reason").sorted() == ["cash", "transfer"])
        let plain = try client.run("import", "--format", "bank", file, "--currency", "EUR").output
        #expect(!plain.contains("Morvan"))
        let english = try client.run("import", "--format", "bank", file, "--currency", "EUR", "--all").output
        #expect(
            english.contains("6 payments, last €50.00 on 2026-10-02: Jeanne Morvan (transfer)"), "\(english)")
        let french = try client.run(
            "import", "--format", "bank", file, "--currency", "EUR", "--all", "--lang", "fr"
        ).output
        #expect(french.contains("Jeanne Morvan (virement)"), "\(french)")
        #expect(try client.run("import", "--format", "csv", file, "--all").status == 64)
    }

    /// A sign of several currencies means the one that was named: by the flag, else the one in use.
    @Test func signsMeanTheNamedCurrency() throws {
        let client = try Client()
        let rows = (5...8).map { "2026-0\($0)-17,ZÖRBLAX TV,-$13.49" }.joined(separator: "\n")
        let file = try client.folder.write("Date,Description,Amount\n" + rows + "\n", to: "a.csv")
        func found(_ more: String...) throws -> [String] {
            try client.json(["import", "--format", "bank", file, "--dry-run"] + more)["proposals"]?.each("currency")
                ?? []
        }
        #expect(try found("--currency", "CAD") == ["CAD"])
        #expect(try found() == ["USD"])
        #expect(try found("--currency", "EUR") == ["USD"])
        #expect(try client.run("settings", "set", "home_currency", "AUD").status == 0)
        #expect(try found() == ["AUD"])
        let krona = try client.folder.write(
            "Datum;Text;Belopp\n" + (5...8).map { "2026-0\($0)-17;ZÖRBLAX TV;-129,00 kr" }.joined(separator: "\n")
                + "\n",
            to: "b.csv")
        func crowns(_ more: String...) throws -> Client.Outcome {
            try client.run(["import", "--format", "bank", krona, "--dry-run", "--json"] + more)
        }
        #expect(try crowns("--currency", "SEK").output.contains(#""SEK""#))
        #expect(try crowns("--currency", "DKK").output.contains(#""DKK""#))
    }

    /// Without `--accept`, what is stored is updated, and nothing is added; a correction names the price it replaces.
    @Test func whatIsStoredIsUpdatedWithoutAcceptance() throws {
        let client = try Client()
        _ = try client.add("Netflix", next: "2026-12-29")
        #expect(try client.run("price", "Netflix", "--amount", "14.99", "--from", "2026-11-20").status == 0)
        let rows =
            (5...10).map { "17/\($0 < 10 ? "0" : "")\($0)/2026;NETFLIX.COM AMSTERDAM;-19,99" }
            + (5...10).map { "03/\($0 < 10 ? "0" : "")\($0)/2026;VIDEO CLUB;-9,99" }
        let file = try client.folder.write(
            "Date;Libellé;Montant\n" + rows.joined(separator: "\n") + "\n", to: "a.csv")
        let french = try client.run("import", "--format", "bank", file, "--dry-run", "--lang", "fr").output
        let plain = String(french.map { $0.isWhitespace && !$0.isNewline ? " " : $0 })
        #expect(plain.contains("par mois, au lieu de 14,99 € ; 6 échéances"), "\(french)")
        let said = try client.run("import", "--format", "bank", file).output
        #expect(said.contains("Netflix: corrected to €19.99, monthly, instead of €14.99; 6 charges"), "\(said)")
        #expect(try client.json("list").each("name") == ["Netflix"])
        #expect(try client.run("undo").status == 0)
        #expect(try client.json("list").each("amount") == ["14.99"])
    }

    /// An order of day and month is said where the dates need one.
    @Test(arguments: [("2026-0{m}-17", nil), ("20260{m}17", nil), ("17/0{m}/2026", "dmy"), ("0{m}/17/2026", "mdy")])
    func orderOfDates(date: String, order: String?) throws {
        let client = try Client()
        let rows = (5...8).map { date.replacing("{m}", with: "\($0)") + ";VIDEO CLUB;-9,99" }
        let file = try client.folder.write(
            "Date;Payee;Amount\n" + rows.joined(separator: "\n") + "\n", to: "a.csv")
        let bank = ["import", "--format", "bank", file, "--currency", "EUR", "--dry-run"]
        let dates = order.map { "dates \($0); " } ?? ""
        let said = try client.run(bank).output
        #expect(said.contains("Amount=amount; \(dates)decimal mark ,\n"), "\(said)")
        let read = try client.json(bank)["files"]?.arrayValue?.first
        #expect(read?["date_order"] == order.map { .string($0) })
        let french = try client.run(bank + ["--lang", "fr"]).output
        let plain = String(french.map { $0.isWhitespace && !$0.isNewline ? " " : $0 })
        #expect(plain.contains("Amount=amount ; \(dates.replacing(";", with: " ;"))séparateur décimal ,"), "\(french)")
    }
}

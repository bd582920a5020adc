import JSONWire
import TestKit
import Testing

/// What `import --format bank` says of refunds, of one different amount, and of statements without any subscription.
@Suite struct StatementRefundCommandTests {
    private func statement(_ client: Client, _ rows: [String], _ name: String = "a.csv") throws -> String {
        try client.folder.write("Date;Libellé;Montant\n" + rows.joined(separator: "\n") + "\n", to: name)
    }

    private let charges = (5...8).map { "17/0\($0)/2026;PRLV ZÖRBLAX TV;-13,49" }

    @Test func refundsAreNamed() throws {
        let client = try Client()
        let id = try client.add("Zörblax TV", next: "2026-12-17")
        let first = try statement(
            client,
            charges + [
                "20/06/2026;ZÖRBLAX TV REMBOURSEMENT;13,49", "19/07/2026;AVOIR ZÖRBLAX TV;3,49",
                "01/07/2026;BOULANGERIE;-4,00",
            ])
        let plan = try client.json("import", "--format", "bank", first, "--dry-run")
        #expect(plan["refunds"]?.each("effect") == ["not_charged", "reduced"])
        #expect(plan["refunds"]?.each("charged_on") == ["2026-06-17", "2026-07-17"])
        #expect(plan["refunds"]?.each("subscription_id") == [id, id])
        #expect(plan["other_entries"]?.integerValue == 1)
        let said = try client.run("import", "--format", "bank", first)
        #expect(said.status == 0 && said.output.contains("3 charges confirmed, 1 charge refunded, 0 rows skipped"))
        #expect(
            said.output.contains(
                "Zörblax TV: €13.49 charged on 2026-06-17 came back on 2026-06-20; it counts as not charged"),
            "\(said.output)")
        #expect(said.output.contains("€3.49 of €13.49 charged on 2026-07-17 came back on 2026-07-19; €10.00 count"))
        #expect(said.output.contains("1 entry belongs to no subscription"))
        #expect(try client.run("import", "--format", "bank", first).output.contains("counts as not charged"))

        let later = try statement(
            client, ["25/08/2026;REFUND ZÖRBLAX TV;13,49", "26/08/2026;ZÖRBLAX TV;99,00"], "b.csv")
        let kept = try client.run("import", "--format", "bank", later, "--lang", "fr").output
        #expect(kept.contains("prélevés le 17/08/2026, remboursés le 25/08/2026"), "\(kept)")
        #expect(kept.contains("pour la corriger : subguard skip \"Zörblax TV:2026-08-17\""), "\(kept)")
        #expect(kept.contains("crédités le 26/08/2026, sans prélèvement correspondant"))
        #expect(try client.run("skip", "Zörblax TV:2026-08-17").status == 0)
    }

    @Test func oneDifferentAmountIsNoPrice() throws {
        let client = try Client()
        _ = try client.add("Zörblax TV", next: "2026-12-17")
        let file = try statement(client, charges + ["17/09/2026;PRLV ZÖRBLAX TV;-13,79"])
        let said = try client.run("import", "--format", "bank", file).output
        #expect(said.contains("Zörblax TV: €13.79 on 2026-09-17 instead of €13.49; one charge changes no price"))
        #expect(said.contains("subguard price \"Zörblax TV\" --amount 13.79 --from 2026-09-17"), "\(said)")
        #expect(try client.run("price", "Zörblax TV", "--amount", "13.79", "--from", "2026-09-17").status == 0)
        #expect(!(try client.run("import", "--format", "bank", file).output.contains("one charge changes")))
    }

    @Test func nothingRecurs() throws {
        let client = try Client()
        let file = try statement(client, ["05/08/2026;BOULANGERIE;-3,20", "06/08/2026;PHARMACIE;-12,00"])
        let said = try client.run("import", "--format", "bank", file, "--currency", "EUR", "--lang", "fr")
        #expect(said.status == 0 && said.output.contains("Aucun prélèvement récurrent n’a été trouvé."), "\(said)")
        #expect(said.output.contains("2 écritures n’appartiennent à aucun abonnement"))
        let all = try statement(client, charges, "b.csv")
        let once = try client.run("import", "--format", "bank", all, "--accept", "all", "--currency", "EUR").output
        #expect(once.contains("1 subscription added") && !once.contains("No recurring"))
        #expect(once.contains("Added:\n") && once.contains("Zörblax Tv: €13.49, monthly, "), "\(once)")
        let twice = try client.run("import", "--format", "bank", all, "--currency", "EUR").output
        #expect(twice.contains("All recurring charges are there already; nothing was changed."), "\(twice)")
    }

    @Test func theFileWithAFaultIsNamed() throws {
        let client = try Client()
        let good = try statement(client, charges)
        let empty = try client.folder.write("Date;Libellé;Montant\n", to: "leer.csv")
        let said = try client.run("import", "--format", "bank", good, empty, "--currency", "EUR")
        #expect(said.status == 1 && said.errors.contains("leer.csv: file: No entry was found"), "\(said.errors)")
        let json = try client.run("import", "--format", "bank", good, empty, "--currency", "EUR", "--json").output
        #expect(json.contains(#""code":"required""#) && json.contains("leer.csv"), "\(json)")
        let bad = try statement(client, ["31/02/2026;X;-1,00", "01/03/2026;Y;-1,00"], "bad.csv")
        let rows = try client.run("import", "--format", "bank", good, bad, "--currency", "EUR")
        #expect(rows.status == 1 && rows.errors.contains("bad.csv, row 2:"), "\(rows.errors)")
        let alone = try client.run("import", "--format", "bank", bad, "--currency", "EUR")
        #expect(alone.errors.contains("  row 2:"), "\(alone.errors)")
    }

    /// Without a catalogue of a server, the one in the program names services.
    @Test func theBuiltInCatalogueNamesServices() throws {
        let client = try Client()
        let rows = ["17/07/2026;CARTE NETFLIX.COM AMSTERDAM;-14,99", "17/08/2026;CARTE NETFLIX.COM AMSTERDAM;-14,99"]
        let file = try statement(client, rows)
        let found = try client.json("import", "--format", "bank", file, "--currency", "EUR", "--accept", "all")
        #expect(found["proposals"]?.each("catalogue_slug") == ["netflix"])
        #expect(found["proposals"]?.each("confidence") == ["likely"])
        let shown = try client.json("show", "Netflix")
        #expect(shown["category"]?.stringValue == "streaming" && shown["catalogue_item_id"]?.stringValue != nil)
        #expect(try client.run("add", "netflix").status == 0)
        #expect(try client.json("import", "--format", "bank", file)["proposals"]?.arrayValue?.isEmpty == true)
    }
}

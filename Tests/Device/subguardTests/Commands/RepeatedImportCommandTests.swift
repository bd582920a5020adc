import JSONWire
import TestKit
import Testing

/// The same file twice, columns that no one knows, and files that hold nothing.
@Suite struct RepeatedImportCommandTests {
    private static let table = """
        Nom;Prix;Devise;Fréquence;Prochaine échéance;Partagé avec;Leer
        Netflix;13,49;EUR;mensuel;05/12/2026;Zoé;
        Loyer;800;EUR;mensuel;2026-12-01;;
        netflix;13,49;EUR;mensuel;05/12/2026;;

        """

    @Test func aTableIsReadOnce() throws {
        let client = try Client()
        let file = try client.folder.write(Self.table, to: "i.csv")
        let first = try client.json("import", "--format", "csv", file)
        #expect(first["added"]?.arrayValue?.count == 2)
        #expect(first["repeated"]?.each("name") == ["Netflix"] && first["ignored"] == .array([.string("Partagé avec")]))
        let said = try client.run("import", "--format", "csv", file, now: "2027-03-10T09:00:00Z")
        #expect(said.status == 0 && said.output.contains("0 subscriptions added, 0 updated, 3 skipped"), "\(said)")
        #expect(said.output.contains("row 2: Netflix is there already; skipped"))
        #expect(said.output.contains("not recognised, and not imported: Partagé avec"))
        #expect(try client.json("list").each("name") == ["Loyer", "Netflix"])
        #expect(try client.run("price", "Netflix", "--amount", "15", "--from", "2027-01-01").status == 0)
        #expect(try client.json("import", "--format", "csv", file)["added"]?.arrayValue?.isEmpty == true)
        // Another price, day or cycle is another subscription.
        let other = Self.table.replacing("800", with: "801").replacing("05/12", with: "06/12")
        let others = try client.folder.write(other, to: "o.csv")
        #expect(try client.json("import", "--format", "csv", others)["added"]?.arrayValue?.count == 2)
    }

    /// A file of anyone may repeat any number of rows.
    @Test func manyRepeatedRowsAreCounted() throws {
        let client = try Client()
        let row = "Netflix;13,49;EUR;mensuel;05/12/2026\n"
        let rows = String(repeating: row, count: 26)
        let file = try client.folder.write("Nom;Prix;Devise;Fréquence;Prochaine échéance\n" + rows, to: "i.csv")
        let said = try client.run("import", "--format", "csv", file).output
        #expect(said.matches(of: /is there already; skipped/).count == 20 && said.contains("  5 more"), "\(said)")
    }

    @Test func foreignJSONIsReadOnce() throws {
        let client = try Client()
        let row = #"""
            {"name":"Gym","amount":"29.90","currency":"EUR","cycle":"monthly","next_billing_on":"2026-12-05","mood":1}
            """#
        let file = try client.folder.write("[\(row),\(row)]", to: "f.json")
        let first = try client.json("import", "--format", "json", file)
        #expect(first["added"]?.arrayValue?.count == 1 && first["repeated"]?.each("name") == ["Gym"])
        #expect(first["ignored"] == .array([.string("mood")]))
        let again = try client.run("import", "--format", "json", file, "--lang", "fr").output
        #expect(again.contains("ligne 1 : Gym est déjà là ; ignorée"), "\(again)")
        #expect(try client.json("list").each("name") == ["Gym"])
    }

    @Test func ownExportsSayWhatWasAdded() throws {
        let client = try Client()
        _ = try client.add("Netflix", next: "2026-12-17")
        #expect(try client.run("people", "add", "Zoé").status == 0)
        let file = try client.folder.write(try client.run("export", "--format", "json").output, to: "own.json")
        let report = try client.json("import", "--format", "json", file)
        #expect(report["added"]?.arrayValue?.isEmpty == true && report["others"] == .object([:]))
        #expect(report["ignored"]?.arrayValue?.isEmpty == true && report["repeated"]?.arrayValue?.isEmpty == true)
        let said = try client.run("import", "--format", "json", file).output
        #expect(said.contains("already") && !said.contains("people added"), "\(said)")
        let other = try Client()
        #expect(try other.json("import", "--format", "json", file)["others"]?["people"]?.integerValue ?? 0 > 0)
    }

    @Test func anEmptyFileSaysSo() throws {
        let client = try Client()
        for (format, text) in [
            ("json", "[]"), ("wallos", "[]"), ("json", #"{"subscriptions":[]}"#), ("csv", "name,amount\n"),
        ] {
            let file = try client.folder.write(text, to: "e.\(format)")
            let said = try client.run("import", "--format", format, file)
            #expect(said.status == 0 && said.output.contains("The file holds nothing to import."), "\(format): \(said)")
        }
    }
}

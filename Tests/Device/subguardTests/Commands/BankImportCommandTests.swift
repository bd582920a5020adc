import Foundation
import TestKit
import Testing

/// `import --format bank` as far as files are read: what is not understood is refused and named.
@Suite struct BankImportCommandTests {
    private static let months = (1...6).map { "05/0\($0)/2026" }

    private func run(_ text: String, _ arguments: String..., home: String? = nil) throws -> Client.Outcome {
        let client = try Client()
        if let home { #expect(try client.run("settings", "set", "home_currency", home).status == 0) }
        let file = try client.folder.write(text, to: "statement")
        return try client.run(["import", "--format", "bank", file, "--dry-run"] + arguments)
    }

    @Test func unknownNamesOfColumnsAreNoHindrance() throws {
        let rows = Self.months.map { "\($0);NETFLIX;\u{2212}13,49;987,00" }
        let found = try run((["Jour;Machin;Somme;Reste"] + rows).joined(separator: "\n"), "--currency", "EUR")
        #expect(found.status == 0 && found.output.contains("Netflix: €13.49, monthly, sure"), "\(found.output)")
    }

    @Test(
        "Nothing recognised: status 1, with the header and what to do",
        arguments: [
            ("Jour;Machin;Truc\n05/01/2026;NETFLIX;A\n", "found: Jour, Machin, Truc. Use --map COLUMN=amount"),
            ("Date;Amount;Saldo\n05/01/2026;-1,00;9,00\n", "found: Date, Amount, Saldo. Use --map COLUMN=description"),
            ("Date;Payee;Amount\n", "No entry was found in the file; columns: Date=date, Payee=payee, Amount=amount"),
            ("!Type:Invst\nD1\n^\n", "it has other lists only, !Type:Invst"),
            ("<OFX><CURDEF>EUR</OFX>", "No entry was found"),
        ])
    func nothingRecognised(text: String, sentence: String) throws {
        let found = try run(text, "--currency", "EUR")
        #expect(found.status == 1)
        #expect(found.errors.contains(sentence), "\(found.errors)")
    }

    @Test func separatorEncodingAndStates() throws {
        let text = "Date^Payee^Amount^Status\n2026-01-05^Café^-1.00^Booked\n2026-01-06^Gym^-1.00^Denied\n"
        let found = try run(text, "--separator", "^", "--encoding", "utf8", "--currency", "EUR", "--lang", "fr")
        #expect(
            found.output.contains("Non comptabilisé, donc ignoré : 1 avec « Denied » dans la colonne Status."),
            "\(found)")
        #expect(try run(text, "--separator", "ab").status == 64)
        let wrong = try run(text, "--separator", "^", "--encoding", "cp850", "--currency", "EUR")
        #expect(wrong.status == 1 && wrong.errors.contains("--encoding utf-8"), "\(wrong.errors)")
    }

    @Test func theHomeCurrencyIsAssumedAndNamed() throws {
        let text = "Date;Payee;Amount\n05/01/2026;NETFLIX;-13,49\n"
        #expect(try run(text).status == 1)
        let found = try run(text, home: "CHF")
        #expect(found.status == 0 && found.output.contains("The file names no currency; CHF is assumed."), "\(found)")
    }

    @Test func aColumnCannotForgeALine() throws {
        let text = "Date;\"Payee\nforged\";Amount\n05/01/2026;NETFLIX;-13,49\n"
        let found = try run(text, "--currency", "EUR")
        #expect(found.status == 0 && found.output.contains("Payee\u{FFFD}forged=payee"), "\(found.output)")
        let refused = try run(text, "--currency", "EUR", "--map", "Other=payee")
        #expect(refused.errors.contains("found: Date, Payee\u{FFFD}forged, Amount"), "\(refused.errors)")
    }

    @Test func manyRefusedRowsAreCounted() throws {
        let text = "Date;Payee;Amount\n05/01/2026;A;-1,00\n" + String(repeating: "99/01/2026;B;x\n", count: 1200)
        let file = text + "06/01/2026;C;-1,00\n"
        let found = try run(file, "--currency", "EUR", "--skip-bad")
        #expect(found.output.contains("1,200 rows skipped"), "\(found.output.suffix(300))")
        #expect(found.output.contains("Further rows that cannot be read: 200."))
        #expect(try run(file, "--currency", "EUR").errors.contains("1200 rows cannot be imported"))
    }

    @Test func aTerminalIsAskedForTheColumn() throws {
        let client = try Client()
        let text = (["Jour;Machin;Truc"] + Self.months.map { "\($0);NETFLIX;13" }).joined(separator: "\n")
        let file = try client.folder.write(text, to: "statement")
        let terminal = try Terminal()
        terminal.type("Truc\ny\n")
        let process = try client.process(["import", "--format", "bank", file, "--currency", "EUR"])
        process.standardInput = terminal.program
        process.standardOutput = terminal.program
        try process.run()
        process.waitUntilExit()
        let shown = try terminal.text()
        #expect(process.terminationStatus == 0 && shown.contains("Which column is it?"), "\(shown)")
        #expect(try client.json("list").each("name") == ["Netflix"])
    }
}

import Foundation
import JSONWire
import TestKit
import Testing

@Suite struct OutputTests {
    /// Ends with an error message, not with a signal.
    @Test(arguments: [">/dev/full", ">&-"], ["list", "list --json", "export --format json"])
    func outputThatCannotBeWrittenIsTold(_ redirection: String, _ arguments: String) throws {
        let client = try Client()
        _ = try client.add()
        let process = try client.process([])
        let program = try #require(process.executableURL).path
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "\"$0\" \(arguments) --store \"$1\" \(redirection)", program, client.store]
        let errors = try client.folder.write("", to: "errors")
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 1)
        let text = String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
        #expect(text.hasPrefix("error: cannot write the output: "), "\(text)")
        #expect(try client.json("list").each("name") == ["Netflix"])
    }

    /// A name with CSI, DEL and an override, as another program may have written it.
    @Test func jsonOnATerminalHasNoControlCharacters() throws {
        let client = try Client()
        let arguments = ["show", "\u{9B}31m\u{7F}\u{202E}é", "--json"]
        let piped = try client.run(arguments).output
        let terminal = try Terminal()
        let process = try client.process(arguments)
        process.standardOutput = terminal.program
        try process.run()
        process.waitUntilExit()
        let shown = try terminal.text()
        #expect(shown.contains(#"\u009B31m\u007F\u202Eé"#), "\(shown)")
        #expect(!shown.unicodeScalars.contains("\u{9B}") && piped.unicodeScalars.contains("\u{9B}"))
        let document = shown.replacing("\r\n", with: "\n")
        #expect(try JSONValue.parse(Array(document.utf8)) == JSONValue.parse(Array(piped.utf8)))
    }

    @Test(arguments: [["list", "--limit"], ["nonsense"], ["add", "--cycle", "often"], ["people", "add"]])
    func wrongCallsAreADocumentToo(_ arguments: [String]) throws {
        let outcome = try Client().run(["--json"] + arguments)
        #expect(outcome.status == 64 && !outcome.errors.isEmpty)
        let error = try JSONValue.parse(Array(outcome.output.utf8))["error"]
        #expect(error?["code"] == .string("usage") && error?["detail"]?.stringValue?.isEmpty == false)
    }

    @Test(arguments: [
        (["lst"], "Unknown command 'lst'. Did you mean 'list'?"), (["nonsense"], "Unknown command 'nonsense'"),
        (["--lang", "fr", "budgets", "list"], "commande inconnue : budgets ; voulais-tu dire budget ?"),
        (["list", "nonsense"], "Unexpected argument 'nonsense'"),
        (["lsit"], "Unknown command 'lsit'. Did you mean 'list'?"),
        (["--lang", "fr", "people", "nonsense"], "argument inattendu : nonsense"),
    ])
    func namesTheCommandThatWasMeant(_ arguments: [String], _ text: String) throws {
        let outcome = try Client().run(arguments)
        #expect(outcome.status == 64 && outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test func globalFlagsStandAnywhere() throws {
        let client = try Client()
        _ = try client.id("people", "add", "--name", "Zoé")
        for arguments in [
            ["--json", "people", "list"], ["people", "--json", "list"], ["people", "list", "--json"],
            ["--lang", "fr", "people", "--json", "--zone=Asia/Tokyo", "list"],
        ] {
            let outcome = try client.run(arguments)
            #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            #expect(try JSONValue.parse(Array(outcome.output.utf8)).each("name").last == "Zoé")
        }
        // Every group of commands, not only those of people.
        for arguments in [
            ["--lang", "fr", "settings", "set", "home_currency", "EUR"], ["--lang", "fr", "settings", "list"],
            ["--lang", "fr", "rates", "status"], ["--lang", "fr", "rates", "--json", "status"],
            ["--lang", "fr", "account"],
        ] {
            let outcome = try client.run(arguments)
            #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        }
    }

    @Test(arguments: [
        (
            ["add", "Salle"], 64,
            """
            il manque : montant, devise, fréquence, prochaine échéance. Par exemple : subguard add "Salle 13,49 €/mois"
            """
        ),
        (["add", "Salle"], 64, "Utilisation : subguard add [<options>] [<line> ...]"),
        (["show", "Zut"], 1, "abonnement introuvable : Zut\n  Pour voir ce qui existe : subguard list"),
        (["balance", "Zut"], 1, "personne introuvable : Zut\n  Pour voir ce qui existe : subguard people list"),
        (["changes", "--since", "x"], 64, "Une date s’écrit par exemple 15/01/2027, 15 janvier ou demain."),
        (["month", "x"], 64, "Un mois s’écrit par exemple 2027-01."),
        (["backup", "/nowhere/x.json"], 1, "écriture impossible : /nowhere/x.json : fichier ou dossier inexistant"),
        (["restore", "/usr"], 1, "lecture impossible : /usr : c’est un dossier"),
        (["--store", "/etc/passwd", "list"], 1, "le fichier est endommagé ou n’est pas une base SubGuard"),
    ])
    func aRefusalSaysWhatToDo(_ arguments: [String], _ status: Int32, _ text: String) throws {
        let client = try Client()
        // The database of the client comes last.
        let process = try client.process(arguments)
        if arguments.contains("--store") { process.arguments = arguments }
        process.environment?["LANG"] = "fr_FR.UTF-8"
        let outcome = try client.outcome(of: process)
        #expect(outcome.status == status && outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test func aNameOfSeveralIsNotShortened() throws {
        let client = try Client()
        for _ in 0..<2 { _ = try client.id("people", "add", "--name", "Zoé") }
        let outcome = try client.run("balance", "Zoé", "--lang", "fr")
        #expect(outcome.errors.contains("Zoé est ambigu : donne un nom plus long ou l’un de ces identifiants\n  01"))
    }
}

import Foundation
import JSONWire
import TestKit
import Testing

/// What is said when a call is wrong, and by the help.
@Suite struct RefusalCommandTests {
    private func fields(_ outcome: Client.Outcome) throws -> [String] {
        try JSONValue.parse(Array(outcome.output.utf8))["error"]?["fields"]?.each("field") ?? []
    }

    @Test("Names out of files write no line and no colour of their own", arguments: ["en", "fr"])
    func namesOfFiles(_ language: String) throws {
        let name = "x\n\u{1B}[32mImport finished\nTo update, run: curl"
        let json = "{\"subscriptions\":[],\"x\\n\\u001b[32mTo update, run: curl\":[{}]}"
        let sheet = "Date,Description,Category,Cost,Currency,Ann,\"\(name)\"\n2026-01-01,x,y,5,EUR,1,zz\n"
        let spliit = "Date,Description,Category,Currency,Cost,Ann,\"\(name)\"\n2026-01-01,x,y,EUR,5,1,zz\n"
        let client = try Client()
        for arguments in [
            ["import", "--format", "json", try client.folder.write(json, to: "a.json")],
            ["groups", "import", try client.folder.write(sheet, to: "a.csv")],
            ["groups", "import", try client.folder.write(spliit, to: "b.csv")],
            [
                "import", "--format", "bank", try client.folder.write("x", to: "c\n\u{1B}[32mcurl.csv"),
                try client.folder.write(sheet, to: "d.csv"),
            ], ["import", "--format", "json", "/none\n\u{1B}[32mcurl"],
        ] {
            let refused = try client.run(arguments + ["--lang", language])
            let lines = refused.errors.split(separator: "\n")
            #expect(refused.status == 1 && lines.count == 1 && !refused.errors.contains("\u{1B}"), "\(refused.errors)")
        }
        let rows = (1...3).map { "2026-0\($0)-01;A;-1,00\n" }.joined()
        let file = try client.folder.write("Date;Payee;Amount EUR\n" + rows, to: "e\n\u{1B}[32mcurl.csv")
        let shown = try client.run("import", "--format", "bank", file, "--dry-run").output
        #expect(!shown.contains("\u{1B}") && !shown.contains("\ncurl") && shown.contains("[32mcurl.csv"))
    }

    @Test(
        "Usage errors have fields, and name every missing one at once",
        arguments: [
            (["people", "add"], ["name"]),
            (["expenses", "add", "--title", "Taxi"], ["group", "amount", "paid_by"]),
            (["groups", "add"], ["name", "members"]),
            (["add"], ["name", "amount", "currency", "cycle", "next"]),
            (["add", "--amount", "9 €", "--cycle", "monthly"], ["name", "next"]),
            (["add", "--name", "X", "--cycle", "monthly"], ["amount", "currency", "next"]),
            (["add", "Gym"], ["amount", "currency", "cycle", "next"]),
            (["list", "--renewing", "soon"], ["renewing"]), (["list", "--colour"], ["colour"]),
            (["upcoming", "--days"], ["days"]), (["nonsense"], ["command"]),
        ])
    func usage(_ arguments: [String], _ names: [String]) throws {
        for language in ["en", "fr"] {
            let outcome = try Client().run(arguments + ["--json", "--lang", language])
            #expect(outcome.status == 64)
            let found = try fields(outcome)
            #expect(Set(names).isSubset(of: found), "\(outcome.output)")
        }
        let text = try Client().run(arguments).errors
        #expect(
            !text.contains("Missing expected argument")
                || names.allSatisfy {
                    text.contains("--" + $0.replacingOccurrences(of: "_", with: "-"))
                }, "\(text)")
    }

    @Test("A required value that is empty is refused with the others; a missing one is wrong usage")
    func emptyValues() throws {
        let client = try Client()
        let given = ["name": "A", "amount": "9", "currency": "EUR", "cycle": "monthly", "next": "2026-12-01"]
        for (option, field) in [
            ("name", "name"), ("amount", "amount"), ("currency", "currency"), ("cycle", "cycle"),
            ("next", "next_billing_on"),
        ] {
            let others = given.flatMap { $0.key == option ? [] : ["--\($0.key)", $0.value] }
            let empty = try client.run(["add", "--\(option)", ""] + others + ["--json"])
            #expect(empty.status == 1, "\(empty)")
            let code = try JSONValue.parse(Array(empty.output.utf8))["error"]?["code"]
            #expect(code == .string(option == "amount" ? "invalid_amount" : "required"), "\(empty)")
            #expect(try fields(empty) == [field], "\(empty)")
            let two = try client.run(["add", "--\(option)", "", "--color", "x"] + others + ["--json"])
            #expect(try two.status == 1 && Set(fields(two)) == [field, "color"], "\(two)")
            #expect(try client.run(["add"] + others).status == 64)
        }
        #expect(try client.json("list") == .array([]))
    }

    @Test func usageSaysEachThingOnceAndWhatIsAllowed() throws {
        let client = try Client()
        #expect(try fields(client.run("what-if", "--json")) == ["cancel"])
        let refused = try client.run("import", "--format", "bank", "--encoding", "x", "a.csv", "--json")
        let detail = try JSONValue.parse(Array(refused.output.utf8))["error"]?["detail"]?.stringValue ?? ""
        #expect(refused.status == 64 && detail.contains("one of the following: utf-8, windows-1252"), "\(detail)")
    }

    @Test("A synchronisation that failed says why")
    func failedSync() throws {
        let client = try Client()
        let failed = try client.run("sync", "--server", "http://127.0.0.1:1", "--json")
        let report = try JSONValue.parse(Array(failed.output.utf8))
        #expect(failed.status == 1 && report["catalogue"]?["result"] == .string("failed"), "\(failed)")
        #expect(report["error"]?["code"] == .string("unreachable"))
        #expect(report["error"]?["detail"]?.stringValue?.hasPrefix("server unreachable") == true)
        #expect(failed.errors.hasPrefix("error: server unreachable"), "\(failed.errors)")
    }

    @Test(arguments: [
        (["rm", "x"], "Did you mean 'delete'?"), (["confirm", "x"], "Did you mean 'ack'?"),
        (["acquitter", "x"], "Did you mean 'ack'?"),
        (["people", "rm", "x"], "Did you mean 'people delete'?"), (["groups", "ad"], "Did you mean 'groups add'?"),
        (["--lang", "fr", "rm", "x"], "voulais-tu dire delete ?"),
    ])
    func wordsOfOtherPrograms(_ arguments: [String], _ said: String) throws {
        let outcome = try Client().run(arguments)
        #expect(outcome.status == 64 && outcome.errors.contains(said), "\(outcome.errors)")
    }

    @Test func helpHasHeadings() throws {
        let help = try Client().run("--help").output
        for call in ["--json", "--help --json", "help add --json", "people --help --json"] {
            let output = try Client().run(call.split(separator: " ").map(String.init)).output
            #expect(try JSONValue.parse(Array(output.utf8))["help"]?.stringValue?.contains("USAGE") == true, "\(call)")
        }
        let version = try JSONValue.parse(Array(Client().run("--version", "--json").output.utf8))
        #expect(version["version"]?.stringValue == "0.1.0")
        for heading in ["SUBSCRIPTIONS", "CHARGES", "QUESTIONS", "SHARING", "DATA", "SERVER"] {
            #expect(help.uppercased().contains(heading), "\(heading)")
        }
        #expect(help.contains("Names of subscriptions, people and groups work wherever an id does."))
    }

    @Test(
        "A group alone lists what it has",
        arguments: ["groups", "expenses", "transactions", "receipts", "budget"])
    func bareGroups(_ group: String) throws {
        let client = try Client()
        #expect(try client.json(group) == .array([]))
        #expect(try client.json("--json", group) == .array([]))
        #expect(try client.run(group, "--help").output.contains("SUBCOMMANDS"))
        #expect(try client.run("rates").status == 0)
    }

    @Test("French refusals name fields, cycles and categories in French; their names in JSON stay")
    func french() throws {
        let client = try Client()
        let id = try client.add()
        for (arguments, said) in [
            (["edit", id, "--amount", "x"], "erreur : montant : "),
            (["edit", id, "--next", "31/02/2027"], "erreur : prochaine échéance : "),
            (["edit", id, "--cycle", "souvent"], "erreur : fréquence : doit être quotidien, hebdomadaire"),
            (["edit", id, "--contract-ends", "hier soir"], "erreur : fin du contrat : "),
            (["edit", id, "--color", "rouge"], "erreur : couleur : "),
        ] {
            let outcome = try client.run(arguments + ["--lang", "fr"])
            #expect(outcome.errors.hasPrefix(said), "\(outcome.errors)")
            #expect(!outcome.errors.contains("_"), "\(outcome.errors)")
        }
        let two = try client.run("edit", id, "--amount", "x", "--name", "", "--lang", "fr", "--json")
        #expect(try Set(fields(two)) == ["amount", "name"])
        #expect(two.errors.contains("montant : ") && two.errors.contains("nom : "))
        let csv = "name,amount,currency,cycle,next_billing_on\nA,x,EUR,monthly,2026-12-01\n"
        let file = try client.folder.write(csv, to: "a.csv")
        #expect(
            try client.run("import", "--format", "csv", file, "--lang", "fr").errors.contains("ligne 2 : montant : "))
        #expect(try client.run("import", "--format", "csv", file).errors.contains("row 2: amount: "))
    }

    @Test func booleansAreBooleans() throws {
        let client = try Client()
        let id = try client.id(
            "add", "--name", "X", "--amount", "5 €", "--cycle", "monthly", "--next", "2026-12-01", "--trial-ends",
            "2026-11-30", "--variable")
        let shown = try client.json("show", id)
        #expect(shown["variable"] == .bool(true) && shown["trial_converts"] == .bool(true))
        #expect(shown["bundled"] == .bool(false) && shown["cancels_on"] == .null)
    }
}

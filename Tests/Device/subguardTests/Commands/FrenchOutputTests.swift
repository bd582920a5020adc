import Foundation
import TestKit
import Testing
import Translations

/// Under `--lang fr`, nothing is English but what is typed: commands, flags, fields and values of the contract.
///
/// The English words are those of the program's own texts that no French text of it has, so that a new text without
/// French is found wherever it is shown.
@Suite struct FrenchOutputTests {
    private let client: Client

    init() throws {
        client = try Client(environment: ["LANG": "fr_FR.UTF-8", "COLUMNS": "200"])
        try #require(Self.english.count > 300)
    }

    private static let english: Set<String> = {
        var (keys, values): (Set<String>, Set<String>) = ([], [])
        for entry in French.entries
        where entry.context.map({ $0.hasPrefix("device") || $0 == "domain" }) ?? true {
            keys.formUnion(words(entry.english))
            values.formUnion(words(entry.translation))
        }
        // The names of a setting, of a field and of two commands are typed as they are.
        return keys.union(frequent).subtracting(values).subtracting(["language", "name", "list", "show"])
    }()

    /// For texts that have no French at all.
    private static let frequent: Set<String> = [
        "about", "after", "all", "already", "and", "any", "are", "because", "been", "before", "but", "cannot", "done",
        "each", "for", "from", "has", "have", "here", "how", "its", "must", "new", "not", "nothing", "now", "only",
        "other", "please", "such", "than", "that", "the", "their", "then", "there", "this", "until", "use", "was",
        "were", "what", "when", "which", "will", "with", "without", "yet", "you", "your",
    ]

    private static func words(_ text: some StringProtocol) -> [String] {
        // Interpolations, commands, flags, variables, links, identifiers and what was typed.
        let spoken = String(text)
            .replacing(
                #/
                \\\([^)]*\)|`[^`]*`|«[^»]*»|--[a-z-]+|[A-Z_]{3,}(?:=\S+)?
                |https?:\S+|\S*[\/_]\S*|[a-z]+\.[a-z]+|\S+\.json
                |[0-9a-f]{8}-[0-9a-f-]{27}
                /#,
                with: " ")
        return spoken.lowercased().matches(of: /\p{L}{3,}/).map { String($0.0) }
    }

    /// Runs a command and compares what it says with the list.
    @discardableResult
    private func says(_ arguments: [String], now: String = "2026-11-20T10:00:00Z") throws -> String {
        let outcome = try client.run(arguments + ["--lang", "fr"], now: now)
        // Left out: what was typed or is to be typed, and the list of a usage line or of possible values.
        let text = (outcome.output + outcome.errors)
            .replacing(
                #/
                (?m)^Utilisation\ :\ .*$|:\ subguard\ [a-z\ \-]+$|^\ \ Pour\ en\ savoir\ plus\ :\ .*$|^\ \ -\ .*$
                |champs\ :\ .*$|'[^'\ ]*'|<[^>]*>
                /#,
                with: ""
            )
        let found = Set(Self.words(text)).intersection(Self.english)
        #expect(found.isEmpty, "\(arguments): \(found.sorted()) in\n\(outcome.output)\(outcome.errors)")
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    private func saysAll(_ lines: [String], with places: [String: String] = [:]) throws {
        for line in lines {
            try says(line.split(separator: " ").map { word in places[String(word)] ?? String(word) })
        }
    }

    private func add(_ name: String, _ more: String...) throws -> String {
        try says(
            ["add", "--name", name, "--amount", "12,34", "--currency", "EUR", "--cycle", "monthly", "--next"]
                + (more.isEmpty ? ["2026-11-25"] : more))
    }

    @Test func commands() throws {
        try saysAll([
            "list", "upcoming", "pending", "missed", "score", "widget", "reminders", "total", "forecast", "spending",
            "month", "year", "changes --since 2026-01-01", "budget list", "cancel-by", "savings", "overlaps",
            "people list", "groups list", "expenses list", "transactions list", "backups", "undo --list", "undo",
            "settings list", "status", "consent", "premium", "search zzz", "logo zzz",
        ])
        let id = try add("Été “26”")
        let trial = try add("Ciné", "2026-12-03", "--trial-ends", "2026-12-02")
        let contract = try add(
            "Salle", "2026-12-10", "--minimum-months", "12", "--extension-months", "12", "--notice-days", "30",
            "--variable", "--payment-method", "Visa", "--website", "x.fr")
        _ = try add("Été", "2026-11-20")
        let zoé = try says(["people", "add", "--name", "Zoé"])
        let ana = try says(["people", "add", "--name", "Ana", "--email", "ana@x.fr"])
        let group = try says(["groups", "add", "--name", "Coloc", "--members", "\(zoé),\(ana)"])
        let places = [
            "ID": id, "TRIAL": trial, "CONTRACT": contract, "ZOE": zoé, "ANA": ana, "GROUP": group,
            "DUE": "\(id):2026-11-25", "FILE": client.folder.file("f.json"), "CSV": client.folder.file("f.csv"),
            "BAD": try client.folder.write("name,amount\nx,-1\n,2\n", to: "bad.csv"),
        ]
        try saysAll(
            [
                "list", "list --status trial", "show ID", "show TRIAL", "show CONTRACT", "upcoming", "pending",
                "missed", "widget --family large", "reminders", "total", "forecast --months 3", "month", "year",
                "changes --since 2026-01-01", "cancel-by", "overlaps", "what-if --cancel CONTRACT ID",
                "what-if --cancel TRIAL", "price ID --amount 15 --from 2027-01-01",
                "edit ID --notes bonjour --remind 7,1",
                "ack DUE", "skip DUE", "paid DUE --amount 12,30", "pending", "pause ID", "show ID", "resume ID",
                "cancel ID --on 2026-12-31", "list", "show ID", "cancel CONTRACT", "savings",
                "pause ID --from 2027-01-01 --until 2027-02-01", "show ID", "pause ID --remove 2027-01-01",
                "list --sort yearly --renewing 30",
                "budget set --amount 1 --currency EUR", "budget list", "share ID --with ZOE", "show ID",
                """
                expenses add --group GROUP --title Pain --amount 9 --currency EUR --paid-by ZOE --on 2026-11-01 \
                --split even
                """,
                "expenses list", "settle GROUP", "groups list", "people list",
                "transactions add --title Prime --amount 5 --currency EUR --on 2026-11-01 --type income --recurring",
                "transactions list", "undo --list", "undo", "redo", "undo 2", "backup FILE", "backups", "merge FILE",
                "restore FILE", "settings set home_currency EUR", "settings list", "settings get home_currency",
                "import --format csv BAD", "import --format csv BAD --skip-bad", "import --format json FILE --dry-run",
                "suggest Zut", "status", "consent grant", "consent revoke", "account sign-out", "account erase",
                "balance", "balance ZOE", "balance ZOE --message", "settle ZOE",
                "repay ZOE --amount 1,50 --currency EUR",
                "balance ZOE --message", "people delete ZOE --force", "groups edit GROUP --name Nous",
                "groups delete GROUP", "delete TRIAL", "repair clock",
            ], with: places)
        let later = "2027-03-01T10:00:00Z"
        for line in ["missed", "score", "spending", "spending --by month", "spending --by category", "status", "list"] {
            try says(line.split(separator: " ").map { "\($0)" }, now: later)
        }
    }

    @Test func refusals() throws {
        let id = try add("Été")
        _ = try add("Étage")
        let places = [
            "ID": id, "DUE": "\(id):2026-11-25", "EMPTY": try client.folder.write("", to: "empty.csv"),
            "OBJECT": try client.folder.write("{}", to: "object.txt"),
            "ODD": try client.folder.write("foo,bar\n1,2\n", to: "odd.csv"),
            "OLD": try client.folder.write("{\"format\":\"subguard-backup\",\"version\":99}", to: "old.txt"),
        ]
        try saysAll(
            [
                "lsit", "zzzzzz", "add netflix", "add Salle 12", "add Salle hebdo", "people show x", "rates set USD x",
                "rates import nowhere", "backup /nowhere/x.json", "backup EMPTY --seal --passphrase-file nowhere",
                "remind --exec /nowhere", "remind --mail", "list --store EMPTY/x", "list --foo", "list --statsu x",
                "list --status x", "show", "show Ét", "show inexistant",
                "add", "add --name x", "add --name x --amount y --currency EUR --cycle monthly --next 2026-12-01",
                "add --name x --amount 1,234 --currency EUR --cycle monthly --next 2026-12-01",
                "add --name x --amount -1 --currency EUR --cycle monthly --next 2026-12-01",
                "add --name x --amount 1 --currency EURO --cycle monthly --next 2026-12-01",
                "add --name x --amount 1 --currency EUR --cycle fortnight --next 2026-12-01",
                "add --name x --amount 1 --currency EUR --cycle bimensuel --next 2026-12-01",
                "add --name x --amount 1 --currency EUR --cycle monthly --next 2026-02-30",
                "add --name x --amount 1 --currency EUR --cycle monthly --next 2026-12-01 --ends 2026-01-01",
                "add --name x --amount 123456789012 --currency EUR --cycle monthly --next 2026-12-01",
                "edit ID --website javascript:alert(1)", "edit ID --remind x", "edit ID --color x",
                "edit ID --bundled-in ID",
                "edit ID --amount -1", "edit ID --notice-days -1", "price ID --amount 0 --from 2027-01-01",
                "price ID --amount 5 --from x", "cancel ID --on x", "ack ID:2026-11-26", "ack x", "ack DUE DUE x",
                "paid DUE --amount x", "paid DUE --amount 0", "upcoming --days -1", "upcoming --from 2026-01-01",
                "upcoming --from 2026-02-01 --to 2026-01-01", "upcoming --days 3 --from 2026-01-01 --to 2026-01-02",
                "forecast --months 0", "month x", "year 1", "spending --by x", "changes", "changes --since x",
                "what-if", "what-if --cancel x", "widget --family x", "reminders --at x", "reminders --quiet x",
                "budget set --amount 0 --currency EUR", "budget delete x", "people add --name", "people delete x",
                "balance x", "repay x --amount 5 --currency EUR", "people delete me",
                "price ID --remove 2020-01-01", "pause ID --remove 2020-01-01", "list --renewing -1",
                "groups add --name x --members y", "expenses add --group x", "share ID --with x",
                "share ID --with me --split x",
                "transactions add --title x --amount 1 --currency EUR --on 2026-11-01 --type x", "settle x",
                "export --format x", "import --format x EMPTY", "import --format csv EMPTY",
                "import --format json EMPTY",
                "import --format json OBJECT", "import --format csv ODD", "import --format csv ODD --map x",
                "import --format csv ODD --map foo=bar", "import --format wallos OBJECT",
                "import --format subtrackr ODD",
                "import --format csv nowhere.csv", "backup", "restore EMPTY", "restore OBJECT", "restore OLD",
                "merge OBJECT", "undo 99", "undo x", "redo", "settings set x y", "settings get x",
                "settings set home_currency x", "settings set backup_warning_days x", "sync --server x", "suggest",
                "consent x", "premium verify", "list --now x", "list --zone x", "list --lang x", "list extra",
            ], with: places)
    }
}

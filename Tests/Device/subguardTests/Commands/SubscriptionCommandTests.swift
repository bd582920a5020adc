import Foundation
import JSONWire
import TestKit
import Testing

@Suite struct SubscriptionCommandTests {
    @Test func aLifeOfASubscription() throws {
        let client = try Client()
        let id = try client.add("Ça \"va\" 🎉", "--remind", "7,1", "--notes", "a;b")
        let list = try client.json("list")
        #expect(
            list[0]?.names == [
                "id", "name", "amount", "currency", "cycle", "next_billing_on", "scope", "category", "status",
                "annual_amount", "monthly_amount", "cancels_on", "bundled",
            ])
        #expect(list.each("name") == ["Ça \"va\" 🎉"] && list.each("annual_amount") == ["161.88"])
        #expect(try client.run("edit", id, "--amount", "15.99").status == 0)
        #expect(try client.json("price", id, "--amount", "17.99", "--from", "2027-01-01")["amount"] == .string("15.99"))
        let shown = try client.json("show", id)
        #expect(shown["prices"]?.each("amount") == ["15.99", "17.99"])
        #expect(shown["prices"] != nil && shown["shares"] != nil && shown["history"] != nil)
        for (command, status) in [("pause", "paused"), ("resume", "active"), ("cancel", "cancelled")] {
            let answer = try client.json(command, id)
            #expect(answer["status"] == .string(status))
            // Nothing more is charged after a cancellation.
            let isOver = command == "cancel"
            #expect(answer["next_billing_on"] == (isOver ? .null : .string("2026-11-25")))
            #expect(answer["annual_amount"] == .string(isOver ? "0.00" : "191.88"))
        }
        #expect(try client.json("list", "--status", "cancelled").arrayValue?.count == 1)
        #expect(try client.json("total") == .array([]))
        #expect(try client.run("delete", id).status == 0)
        #expect(try client.json("list") == .array([]))
    }

    @Test func everyDayFlagTakesDatesInWords() throws {
        let client = try Client()
        _ = try client.run(
            "add", "--name", "Été", "--amount", "1 234,5 €", "--cycle", "tous les mois", "--next", "15 janvier",
            "--trial-ends", "dans 3 jours", "--ends", "January 15, 2029")
        let shown = try client.json("list")[0]
        #expect(shown?["amount"] == .string("1234.50") && shown?["cycle"] == .string("monthly"))
        #expect(shown?["next_billing_on"] == .string("2027-01-15"))
        // `--now` decides which day is meant.
        let later = "2027-02-01T10:00:00Z"
        #expect(try client.json("price", "été", "--amount", "9,99", "--from", "1er mars", now: later)["name"] != nil)
        let prices = try client.json("show", "été", now: later)["prices"]
        #expect(prices?[1]?["from"] == .string("2027-03-01"))
        #expect(try client.json("upcoming", "--from", "tomorrow", "--to", "dans 1 an", now: later)[0] != nil)
        #expect(try client.json("spending", "--from", "1er janvier", "--to", "hier", now: later)[0] != nil)
        #expect(try client.run("upcoming", "--from", "demain", "--to", "hier").status == 64)
        for (flag, text, field) in [
            ("--next", "31 février", "next charge"), ("--trial-ends", "30 February", "end of the trial"),
            ("--ends", "mar", "end"), ("--cycle", "bimensuel", "cycle"), ("--cycle", "often", "cycle"),
        ] {
            let refused = try client.run(["edit", "été", flag, text])
            #expect(refused.status == 1 && refused.errors.contains(field + ": "), "\(flag) \(text)")
        }
        #expect(try client.json("list")[0] == shown)
    }

    @Test func totalsAreByCurrencyScopeAndCategory() throws {
        let client = try Client()
        _ = try client.add("a")
        _ = try client.add("b", "--category", "pro", "--currency", "USD", "--cycle", "weekly")
        let total = try client.json("total")
        #expect(total.each("currency") == ["EUR", "USD"] && total.each("annual") == ["161.88", "701.48"])
        #expect(total[1]?["by_scope"]?["pro"]?["count"] == .number("1"))
        #expect(total[1]?["by_scope"]?["personal"]?["annual"] == .string("0.00"))
        #expect(total[0]?["by_scope"]?.names == ["pro", "personal"])
        #expect(total[0]?["by_category"]?.names == ["other"])
    }

    @Test func scopeAndCategoryAreTwoThings() throws {
        let client = try Client()
        let netflix = try client.add("Netflix", "--scope", "pro", "--category", "STREAMING")
        // Of before: the scope was a category.
        let figma = try client.add("Figma", "--category", "Professionnel")
        let rent = try client.add("Loyer")
        let fields = { (id: String) in
            let shown = try client.json("show", id)
            return [shown["scope"]?.stringValue, shown["category"]?.stringValue]
        }
        #expect(try fields(netflix) == ["pro", "streaming"])
        #expect(try fields(figma) == ["pro", "other"])
        #expect(try fields(rent) == ["personal", "other"])
        _ = try client.json("edit", rent, "--category", "Maison")
        #expect(try fields(rent) == ["personal", "home"])
        _ = try client.json("edit", figma, "--category", "logiciels", "--scope", "perso")
        #expect(try fields(figma) == ["personal", "software"])
        #expect(try client.json("list", "--scope", "pro").each("name") == ["Netflix"])
        #expect(try client.json("list", "--category", "pro").each("name") == ["Netflix"])
        #expect(try client.json("list", "--category", "Logiciels").each("name") == ["Figma"])
        let total = try client.json("total")
        #expect(total[0]?["by_scope"]?["personal"]?["count"] == .number("2"))
        #expect(total[0]?["by_category"]?.names == ["home", "software", "streaming"])
        #expect(try client.json("spending", "--by", "scope") == .array([]))
        _ = try client.json("budget", "set", "--amount", "20", "--currency", "EUR", "--scope", "pro")
        _ = try client.json("budget", "set", "--amount", "30", "--currency", "EUR", "--category", "streaming")
        let budgets = try client.json("budget", "list")
        #expect(budgets.each("scope").sorted() == ["null", "pro"])
        #expect(budgets.each("category").sorted() == ["null", "streaming"])
        let both = ["budget", "set", "--amount", "1", "--currency", "EUR", "--scope", "pro", "--category", "ai"]
        #expect(try client.run(both).status == 1)
        #expect(try client.run("edit", rent, "--scope", "work").status == 1)
    }

    @Test func globalFlagsStandBeforeOrAfter() throws {
        let client = try Client()
        _ = try client.add()
        let before = try client.process([])
        before.arguments = ["--store", client.store, "--json", "--now=2026-11-20T10:00:00Z", "list"]
        let pipe = Pipe()
        before.standardOutput = pipe
        try before.run()
        let bytes = Array(pipe.fileHandleForReading.readDataToEndOfFile())
        before.waitUntilExit()
        #expect(try JSONValue.parse(bytes) == client.json("list"))
        let nested = try client.process([])
        nested.arguments = ["--store", client.store, "people", "list", "--json"]
        nested.standardOutput = Pipe()
        try nested.run()
        nested.waitUntilExit()
        #expect(nested.terminationStatus == 0)
    }

    @Test(arguments: [
        ["frob"], ["add"], ["list", "--frob"], ["add", "--name", "x"], ["list", "--status", "dead"],
        ["upcoming", "--days", "x"], ["upcoming", "--from", "2026-01-01"], ["widget", "--family", "huge"], ["ack"],
        ["export", "--format", "xls"], ["list", "--lang", "de"], ["show", "x", "--now", "yesterday"],
        ["list", "--zone", "Mars/Base"],
        ["forecast", "--months", "0"], ["expenses", "add"],
    ])
    func wrongCallsEndWith64(_ arguments: [String]) throws {
        let client = try Client()
        let outcome = try client.run(arguments)
        #expect(outcome.status == 64, "\(arguments) \(outcome.errors)")
        #expect(!outcome.errors.isEmpty && outcome.output.isEmpty)
    }

    @Test(arguments: [
        (["show", "01a1f777"], "01a1f777"),
        (["delete", "01a1f866-0d00-760d-b139-6c6ff0b1b12c"], "no such subscription"),
        (
            [
                "add", "--name", "x", "--amount", "1.234", "--currency", "EUR", "--cycle", "monthly", "--next",
                "2026-12-01",
            ], "amount"
        ),
        (
            [
                "add", "--name", "x", "--amount", "1.5", "--currency", "JPY", "--cycle", "monthly", "--next",
                "2026-12-01",
            ], "amount"
        ),
        (
            [
                "add", "--name", "x", "--amount", "-5", "--currency", "EUR", "--cycle", "monthly", "--next",
                "2026-12-01",
            ], "amount"
        ),
        (
            ["add", "--name", "x", "--amount", "0", "--currency", "EUR", "--cycle", "monthly", "--next", "2026-12-01"],
            "amount"
        ),
        (
            ["add", "--name", " ", "--amount", "1", "--currency", "EUR", "--cycle", "monthly", "--next", "2026-12-01"],
            "name"
        ),
        (
            ["add", "--name", "x", "--amount", "1", "--currency", "ZZZ", "--cycle", "monthly", "--next", "2026-12-01"],
            "currency"
        ),
        (["ack", "nonsense"], "occurrence"), (["settle", "01a1f866-0d00-760d-b139-6c6ff0b1b12c"], "group"),
        (["restore", "/nonexistent"], "/nonexistent"),
        (["import", "--format", "json", "/nonexistent"], "/nonexistent"),
        (["people", "add", "--name", "x", "--email", "nope"], "email"),
    ])
    func refusalsEndWith1AndLeaveTheStoreAlone(_ arguments: [String], _ word: String) throws {
        let client = try Client()
        _ = try client.add()
        let before = try client.json("export", "--format", "json")
        let outcome = try client.run(arguments)
        #expect(outcome.status == 1, "\(arguments) \(outcome.errors)")
        #expect(outcome.errors.contains(word) && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(try client.json("export", "--format", "json") == before)
    }

    @Test func theFreeTierHoldsFive() throws {
        let client = try Client(isPremium: false)
        for number in 1...5 { _ = try client.add("n° \(number)") }
        let refused = try client.run(
            "add", "--name", "6", "--amount", "1", "--currency", "EUR", "--cycle", "monthly", "--next", "2026-12-01")
        #expect(refused.status == 1 && refused.errors.contains("premium"))
        #expect(try client.run("export", "--format", "ical").status == 1)
        #expect(try client.run("export", "--format", "json").status == 0)
        let json = try client.run("export", "--format", "csv", "--json")
        #expect(try JSONValue.parse(Array(json.output.utf8))["error"]?["code"] == .string("premium_required"))
        #expect(json.status == 1 && json.errors.contains("premium"))
        let french = try client.run("export", "--format", "csv", "--lang", "fr")
        #expect(french.errors.contains("nécessite Premium"))
    }

    @Test func speaksFrench() throws {
        let client = try Client()
        #expect(try client.run("list", "--lang", "fr").output.contains("Aucun abonnement pour l’instant"))
        #expect(try client.run("pending", "--lang", "fr").output == "Bravo ! 🎉 Rien à confirmer.\n")
        #expect(try client.run("widget", "--lang", "fr").output.contains("Tout est confirmé ✓"))
        _ = try client.add()
        #expect(try client.run("total", "--lang", "fr").output.contains("161,88\u{00A0}€"))
        #expect(try client.run("list").output.contains("\u{1B}") == false)
    }

    /// French input is understood, whatever the output language.
    @Test func understandsFrenchInput() throws {
        let client = try Client()
        let id = try client.id(
            "add", "--name", "Été", "--amount", "12,50 €", "--cycle", "mensuel", "--next", "15/01/2027")
        let shown = try client.json("show", id)
        #expect(shown["amount"] == .string("12.50") && shown["currency"] == .string("EUR"))
        #expect(shown["cycle"] == .string("monthly") && shown["next_billing_on"] == .string("2027-01-15"))
        #expect(try client.run("price", id, "--amount", "13,20", "--from", "16/01/2027").status == 0)
        #expect(try client.json("paid", "\(id):2027-01-15", "--amount", "11,99 €")["amount"] == .string("11.99"))
        #expect(
            try client.json("edit", id, "--cycle", "toutes les 2 semaines")["cycle"] == .string("biweekly"))
        for (arguments, message) in [
            (["price", id, "--amount", "13 $", "--from", "2027-02-01"], "devise : doit être la devise indiquée"),
            (["edit", id, "--amount", "12 USD"], "devise : doit être la devise indiquée"),
            (["edit", id, "--cycle", "bimensuel"], "fréquence : « deux fois par mois » n’est pas pris en charge"),
            (["edit", id, "--amount", "12;5"], "montant : doit être un montant, tel que 13,49"),
        ] {
            let outcome = try client.run(arguments + ["--lang", "fr"])
            #expect(outcome.status == 1 && outcome.errors.hasPrefix("erreur : \(message)"), "\(outcome)")
        }
        let english = try client.run("edit", id, "--cycle", "bimensuel")
        #expect(english.errors.hasPrefix("error: cycle: Twice a month is not supported."))
    }

    @Test func usageErrorsSpeakFrench() throws {
        let client = try Client()
        for (arguments, message) in [
            (["list", "--frob"], "Erreur : option inconnue : --frob ; voulais-tu dire"),
            (["upcoming", "--days", "9999"], "Erreur : --days doit être compris entre 0 et 3660"),
            (["expenses", "add"], "Erreur : arguments obligatoires : --group <group>, --title <title>, "),
        ] {
            let outcome = try client.run(arguments + ["--lang", "fr"])
            #expect(outcome.status == 64 && outcome.errors.hasPrefix(message), "\(outcome)")
            #expect(outcome.errors.contains("Utilisation : subguard "), "\(outcome)")
        }
    }

    @Test func frenchScreensHaveFrenchDatesNumbersAndMonths() throws {
        let client = try Client()
        let id = try client.add("Netflix", "--amount", "1234.5")
        let said = { (arguments: [String], now: String) in
            try client.run(arguments + ["--lang", "fr"], now: now).output
        }
        let now = "2026-11-20T10:00:00Z"
        #expect(try said(["list"], now).contains("1\u{202F}234,50\u{A0}€  Mensuel    25/11/2026"))
        #expect(try said(["forecast", "--months", "2"], now).contains("décembre 2026"))
        #expect(try said(["cancel-by"], now).hasPrefix("à résilier au plus tard le  nom"))
        #expect(try said(["reminders"], now).contains("22/11/2026 09:00  Netflix : échéance dans 3 jours"))
        let later = "2027-01-26T10:00:00Z"
        #expect(try said(["missed"], later).contains("25/12/2026"))
        #expect(try said(["missed"], later).contains("oublié"))
        #expect(try said(["show", id], later).contains("prix à partir du"))
        #expect(
            try said(["score"], later).contains("0 confirmée à temps, 0 en retard (compte pour moitié), 3 oubliées"))
    }

    @Test func completionsAreThere() throws {
        for shell in ["bash", "zsh", "fish"] {
            let process = Process()
            process.executableURL = Client.programs.appendingPathComponent("subguard")
            process.arguments = ["--generate-completion-script", shell]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0 && text.contains("cancel-by"))
        }
    }

    @Test func anAmbiguousIdListsWhatItMayMean() throws {
        let client = try Client()
        let ids = try [client.add("Ça \"va\" 🎉"), client.add("b"), client.add("c")]
        // Ids created at the same time have a common prefix.
        #expect(Set(ids.map { $0.prefix(13) }).count == 1)
        for command in ["show", "pause", "delete"] {
            let outcome = try client.run(command, String(ids[0].prefix(13)))
            #expect(outcome.status == 1 && outcome.errors.contains("ambiguous id "))
            for (id, name) in zip(ids, ["Ça \"va\" 🎉", "b", "c"]) {
                #expect(outcome.errors.contains("  \(id)  \(name)\n"), "\(outcome.errors)")
            }
        }
        let json = try client.run("show", String(ids[0].prefix(8)), "--json")
        #expect(try JSONValue.parse(Array(json.output.utf8))["error"]?["code"] == .string("ambiguous"))
        #expect(
            try client.run("show", String(ids[0].prefix(8)), "--lang", "fr").errors.contains(
                "ambigu : donne plus de caractères"))
        // Ids are accepted as printed in a list, or as any unique prefix, with or without hyphens.
        let lines = try client.run("list").output.split(separator: "\n").dropFirst()
        for line in lines { #expect(try client.run("show", String(line.prefix { $0 != " " })).status == 0) }
        #expect(try client.json("show", String(ids[1].prefix(30)))["name"] == .string("b"))
        #expect(try client.json("show", ids[1].filter { $0 != "-" })["name"] == .string("b"))
        let people = try ["A", "B"].map { try client.id("people", "add", "--name", $0) }
        let refused = try client.run("people", "delete", String(people[0].prefix(9)))
        #expect(refused.status == 1 && refused.errors.contains("\(people[1])  B\n"))
    }

    @Test func anEmptyValueTakesAValueAway() throws {
        let client = try Client()
        let id = try client.add("a", "--remind=7,1", "--notes=a=b=")
        #expect(try client.json("show", id)["remind"] == .string("7,1"))
        #expect(try client.json("show", id)["notes"] == .string("a=b="))
        #expect(try client.run("edit", id, "--remind=", "--notes=").status == 0)
        #expect(try client.json("show", id)["remind"] == .string(""))
        #expect(try client.json("show", id)["notes"] == .string(""))
        #expect(try client.json("reminders") == .array([]))
        let other = try client.add("b", "--remind=")
        #expect(try client.json("show", other)["remind"] == .string(""))
        let refused = try client.run("edit", id, "--remind=x")
        #expect(
            refused.status == 1 && refused.errors.contains("reminders: Must be numbers of days separated by commas"))
        let name = try client.run("edit", id, "--name=")
        #expect(name.status == 1 && name.errors.contains("name: Must not be empty"))
    }

    @Test func websitesAreLinks() throws {
        let client = try Client()
        let id = try client.add("a", "--website", "https://a.example/x?y=z")
        let refused = try client.run("edit", id, "--website", "javascript:alert(1)")
        #expect(refused.status == 1 && refused.errors.hasPrefix("error: website: "))
        #expect(try client.json("show", id)["website"] == .string("https://a.example/x?y=z"))
        #expect(
            try client.run(
                "add", "--name", "b", "--amount", "1", "--currency", "EUR", "--cycle", "monthly", "--next",
                "2026-12-01", "--website", "data:text/html,x"
            ).status == 1)
    }

    @Test func cancellingSaysWhatIsOwedAndWhere() throws {
        let client = try Client()
        _ = try client.add(
            "Gym", "--contract-ends", "2027-02-28", "--notice-days", "30", "--website", "https://gym.example/account")
        let answer = try client.json("cancel", "gym")
        #expect(answer["cancels_on"]?.stringValue == "2027-03-01" && answer["status"]?.stringValue == "active")
        #expect(answer["commitment"]?["until"]?.stringValue == "2027-02-28")
        #expect(answer["commitment"]?["amounts"]?.each("amount") == ["53.96"])
        #expect(answer["commitment"]?["in_forecast"]?.each("amount") == ["53.96"])
        #expect(answer["cancel_channel"]?.stringValue == "website")
        let text = try client.run("cancel", "gym", "--on", "2026-12-01").output
        #expect(text.contains("still costs €53.96 until 2027-02-28") && text.contains("of which €13.49"))
        #expect(text.contains("https://gym.example/account"))
        #expect(try client.run("resume", "gym").status == 0)
        let entry = try client.json("cancel-by")[0]
        #expect(entry?["reason"]?.stringValue == "contract" && entry?["notice_days"] == .number("30"))
        #expect(entry?["cancel_url"]?.stringValue == "https://gym.example/account")
    }

    @Test func pausesAndPricesAreListedAndRemoved() throws {
        let client = try Client()
        let id = try client.add("Été")
        #expect(try client.run("pause", "été", "--from", "2026-12-01", "--until", "2026-12-31").status == 0)
        #expect(try client.json("show", id)["states"]?.each("state") == ["paused", "active"])
        #expect(try client.run("show", id).output.contains("2026-12-01  paused"))
        #expect(try client.run("pause", "été", "--remove", "2026-12-01").status == 0)
        #expect(try client.json("show", id)["states"]?.arrayValue?.isEmpty == true)
        _ = try client.run("price", "été", "--amount", "15", "--from", "2027-01-01")
        #expect(try client.run("price", "été", "--remove", "2027-01-01").status == 0)
        #expect(try client.json("show", id)["prices"]?.each("amount") == ["13.49"])
        for wrong in [
            ["pause", "été", "--remove", "2026-12-01"], ["price", "été", "--remove", "2027-01-01"],
            ["pause", "été", "--from", "2027-01-02", "--until", "2027-01-01"],
        ] {
            let refused = try client.run(wrong + ["--json"])
            #expect(refused.status == 1)
            let fields = try JSONValue.parse(Array(refused.output.utf8))["error"]?["fields"]
            #expect(fields?.each("field").count == 1)
        }
        #expect(try client.run("price", "été", "--amount", "3").status == 64)
        #expect(try client.run("pause", "été", "--remove", "2026-12-01", "--from", "2026-12-01").status == 64)
    }

    @Test func allWrongFieldsAreNamedAtOnce() throws {
        let client = try Client()
        let refused = try client.run(
            "add", "--name", "X", "--amount", "zero", "--currency", "QQQ", "--cycle", "monthly", "--next", "2026-12-01",
            "--color", "red", "--json")
        #expect(refused.status == 1)
        let error = try JSONValue.parse(Array(refused.output.utf8))["error"]
        #expect(Set(error?["fields"]?.each("field") ?? []) == ["amount", "currency", "color"])
        #expect(refused.errors.split(separator: "\n").count == 3)
        // What the flags alone could not read, an empty name, and names that stand for nothing.
        let flags = try client.run(
            "add", "--name", "", "--amount", "abc", "--cycle", "often", "--next", "31/02/2027", "--bundled-in", "nope",
            "--catalogue-item", "nope", "--color", "red", "--json")
        let all = try JSONValue.parse(Array(flags.output.utf8))["error"]?["fields"]?.each("field") ?? []
        #expect(
            Set(all) == [
                "name", "amount", "cycle", "next_billing_on", "bundled_in", "catalogue_item_id", "color",
            ])
        // A line with a date that does not exist is no name with a number.
        let line = try client.run("add", "Bad 5 EUR 31/02/2027 monthly")
        #expect(line.status == 1 && line.errors.contains("next charge: "))
        #expect(try client.json("list").arrayValue?.isEmpty == true)
        let id = try client.add()
        let edit = try client.run("edit", id, "--amount", "1.234", "--website", "javascript:x", "--json")
        #expect(try JSONValue.parse(Array(edit.output.utf8))["error"]?["fields"]?.each("field").count == 2)
        #expect(try client.json("show", id)["amount"]?.stringValue == "13.49")
    }

    @Test func aWordOfANameIsEnough() throws {
        let client = try Client()
        let garage = try client.add("Loyer du Garage")
        let other = try client.add("Garage Pass")
        #expect(try client.json("show", "pass")["id"]?.stringValue == other)
        // The beginning of a whole name wins over that of a word.
        #expect(try client.json("show", "garage")["id"]?.stringValue == other)
        #expect(try client.json("show", "loyer")["id"]?.stringValue == garage)
        #expect(try client.run("show", "arage").errors.contains("no such subscription"))
        _ = try client.add("Box pass")
        #expect(try client.run("show", "pass").errors.contains("ambiguous"))
    }

    @Test func theListFitsAndIsSorted() throws {
        let client = try Client()
        _ = try client.add(
            "A very long name of a subscription that nobody would type twice 🎉🎉🎉", "--category", "streaming")
        _ = try client.add("Zoé", "--cycle", "semi_annual", next: "2026-11-21")
        let biweekly = try client.add("Deux semaines", "--cycle", "biweekly", "--amount", "234.50")
        _ = try client.add("Every 999 days of the year", "--cycle", "every:999d", "--category", "education")
        #expect(try client.run("cancel", biweekly, "--on", "2027-05-20").status == 0)
        for language in ["en", "fr"] {
            let lines = try Self.shown(client, language)
            #expect(lines.count == 5 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        }
        #expect(try client.run("list", "--lang", "fr").output.contains("999 jours"))
        // What another one pays for has no charge and no cost of its own.
        let part = try client.add("Part", "--amount", "77")
        #expect(try client.run("edit", part, "--bundled-in", "zoé").status == 0)
        let line = try client.run("list", "--search", "part").output.split(separator: "\n").last ?? ""
        #expect(line.contains("bundled") && !line.contains("2026-") && !line.contains("924"))
        #expect(try client.json("list", "--sort", "next").each("name").first == "Zoé")
        #expect(try client.json("list", "--renewing", "1").each("name") == ["Zoé"])
        #expect(try client.run("list", "--renewing", "-1").status == 64)
        #expect(try client.run("list", "--sort", "size").status == 64)
    }

    /// The lines of the list on a terminal, without its colours.
    private static func shown(_ client: Client, _ language: String) throws -> [Substring] {
        try Terminal.output(of: client, ["list", "--lang", language]).replacing(/\u{1B}\[[0-9]+m/, with: "")
            .split(separator: "\n")
    }

    @Test(arguments: ["en", "fr"])
    func aListFitsEightyColumnsWhateverItHolds(_ language: String) throws {
        let client = try Client()
        let rows = [
            ["Netflix Premium 🎬 für alle", "186000", "IDR", "semi_annual"], ["A", "9999999.99", "EUR", "weekly"],
            ["Ça \"va\"", "99999.99", "CHF", "every:100d"], ["IDR", "9999999999", "IDR", "daily"],
        ]
        for row in rows {
            #expect(
                try client.run(
                    "add", "--name", row[0], "--amount", row[1], "--currency", row[2], "--cycle", row[3], "--next",
                    "2026-12-05", "--category", "health", "--variable"
                ).status == 0)
        }
        _ = try client.run("cancel", "A", "--on", "2027-12-01")
        let lines = try Self.shown(client, language)
        #expect(lines.count == 5)
        // Emoji take two columns.
        for line in lines { #expect(line.count + line.count { $0 == "🎬" } <= 80, "\(line)") }
        #expect(
            lines.contains {
                $0.contains("9,999,999,999") || $0.contains("9 999 999 999") || $0.contains("9\u{202F}999")
            })
    }

    @Test func quickEntryWithoutANameSaysSo() throws {
        let client = try Client()
        let refused = try client.run("add", "12,50 € mensuel", "--lang", "fr")
        #expect(refused.status != 0 && refused.errors.contains("il manque : nom"))
        #expect(try client.json("add", "12,50 € bimestriel", "--name", "Salle")["cycle"] == .string("every:2m"))
    }

    @Test func whatWasPaidAheadStaysInTheForecastAfterACancellation() throws {
        let client = try Client()
        let id = try client.add("Yearly", "--cycle", "yearly", "--next", "2026-12-01", "--amount", "120")
        _ = try client.run("paid", "\(id):2026-12-01", "--amount", "99")
        _ = try client.run("cancel", id)
        for command in [["upcoming", "--days", "20"], ["forecast", "--months", "2"]] {
            #expect(try client.json(command).each("amount").last == "99.00", "\(command)")
        }
    }
}

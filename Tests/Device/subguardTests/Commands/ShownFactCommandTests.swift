import JSONWire
import TestKit
import Testing

/// What a command stores is shown by `list`, `show` and `--json`, and survives backups, merges and undo.
@Suite struct ShownFactCommandTests {
    private static let expense = [
        "--currency", "EUR", "--paid-by", "me", "--on", "2026-11-19", "--split", "even",
    ]

    @Test func aGroupHasATotalInEachCurrency() throws {
        let client = try Client()
        _ = try client.id("people", "add", "--name", "Zoé")
        let group = try client.id(
            "groups", "add", "--name", "Coloc “B”", "--members", "me,Zoé", "--details", "flat 3\nleft")
        #expect(try client.json("groups", "list")[0]?["total"] == .array([]))
        for (amount, currency) in [("1000.10", "EUR"), ("0.01", "EUR"), ("500", "JPY"), ("3", "KWD")] {
            _ = try client.json([
                "expenses", "add", "--group", group, "--title", "Pain", "--amount", amount, "--currency", currency,
                "--paid-by", "me", "--on", "2026-11-19", "--split", "even",
            ])
        }
        let total = try client.json("groups", "list")[0]?["total"]
        #expect(total?.each("currency") == ["EUR", "JPY", "KWD"])
        #expect(total?.each("amount") == ["1000.11", "500", "3.000"])
        #expect(try client.json("groups", "show", "coloc")["total"] == total)
        #expect(try client.run("groups", "list").output.contains("€1,000.11 + ¥500"))
        let shown = try client.run("groups", "show", "coloc").output
        #expect(shown.hasPrefix("Coloc “B”\n") && shown.contains("€1,000.11") && shown.contains("Me, Zoé"))
        #expect(shown.contains("flat 3"))
        let french = try client.run("groups", "show", "coloc", "--lang", "fr").output
        #expect(french.contains("dépenses") && french.contains("Moi, Zoé"))
        // Settled expenses were spent too.
        #expect(
            try client.run("expenses", "edit", try client.json("expenses", "list").each("id")[0], "--settled").status
                == 0)
        #expect(try client.json("groups", "list")[0]?["total"] == total)
        _ = try client.run("undo", "2")
        #expect(try client.json("groups", "list")[0]?["total"]?.each("currency") == ["EUR", "JPY"])
    }

    @Test func anExpenseSaysWhetherItIsSettled() throws {
        let client = try Client()
        _ = try client.id("people", "add", "--name", "Zoé")
        _ = try client.id("groups", "add", "--name", "Trip", "--members", "me,Zoé")
        let add = ["expenses", "add", "--group", "Trip", "--amount", "9"] + Self.expense
        let made = try client.json(add + ["--title", "Taxi", "--settled", "--notes", "“cash”"])
        #expect(made["settled"] == .bool(true))
        #expect(try client.json(add + ["--title", "Train"])["settled"] == .bool(false))
        #expect(try client.json("balance").each("amount") == ["4.50"], "the taxi makes no debt")
        let list = try client.run("expenses", "list").output.split(separator: "\n")
        #expect(list.count { $0.hasSuffix("settled") } == 1)
        #expect(list.first { $0.contains("Taxi") }?.hasSuffix("settled") == true)
        #expect(try client.run("expenses", "list", "--lang", "fr").output.contains("réglé"))
        let shown = try client.run("expenses", "show", "taxi").output
        #expect(shown.hasPrefix("Taxi\n") && shown.contains("“cash”"))
        #expect(try client.json("expenses", "show", "taxi")["settled"] == .bool(true))
        let backup = client.folder.file("b.json")
        #expect(try client.run("backup", backup).status == 0)
        #expect(try client.json("expenses", "edit", "taxi", "--no-settled")["settled"] == .bool(false))
        #expect(try client.run("undo").status == 0)
        let other = try Client()
        #expect(try other.run("merge", backup).status == 0)
        #expect(try other.json("expenses", "show", "taxi")["settled"] == .bool(true))
    }

    @Test func aShareKeepsItsNotesAndSaysWhetherItIsAgreed() throws {
        let client = try Client()
        for name in ["Zoé", "Ana"] { _ = try client.id("people", "add", "--name", name) }
        let id = try client.add()
        #expect(try client.run("share", id, "--accepted").errors.contains("name the others"))
        let share = try client.json("share", id, "--with", "Zoé", "--accepted", "--notes", "pays “cash”\non the 5th")
        #expect(share["accepted"] == .bool(true) && share["notes"] == .string("pays “cash”\non the 5th"))
        let shown = { try client.json("show", id) }
        #expect(try shown()["shares_notes"] == .string("pays “cash”\non the 5th"))
        #expect(try client.run("show", id).output.contains("pays “cash”"))
        #expect(try client.run("show", id, "--lang", "fr").output.contains("notes sur le partage"))
        // The same split again takes nothing back.
        #expect(try client.run("share", id, "--with", "Zoé").status == 0)
        #expect(try shown()["shares_accepted"] == .bool(true))
        #expect(try client.json("share", id, "--no-accepted")["accepted"] == .bool(false))
        #expect(try client.json("share", id, "--accepted")["notes"] == .string("pays “cash”\non the 5th"))
        #expect(try shown()["shares"]?.each("name") == ["Zoé"])
        let backup = client.folder.file("b.json")
        #expect(try client.run("backup", backup).status == 0)
        // Others agreed to another split.
        let both = try client.json("share", id, "--with", "Zoé,Ana")
        #expect(both["accepted"] == .bool(false) && both["notes"] == .string("pays “cash”\non the 5th"))
        #expect(try client.json("share", id, "--notes", "")["notes"] == .string(""))
        #expect(try client.run("undo", "2").status == 0)
        #expect(try shown()["shares_accepted"] == .bool(true))
        let other = try Client()
        #expect(try other.run("restore", backup).status == 0)
        #expect(try other.json("show", id)["shares_notes"] == .string("pays “cash”\non the 5th"))
        #expect(try client.run("share", id, "--accepted", "--split", "percent").status == 64)
        #expect(try client.run("share", id).status == 64)
    }

    @Test func aTransactionShowsItsSubtitleTagsAndRecurrence() throws {
        let client = try Client()
        #expect(try client.run("transactions").output == "No transactions yet.\n")
        let made = try client.json(
            "transactions", "add", "--title", "Shoes", "--subtitle", "Café “B”", "--amount", "5", "--currency", "EUR",
            "--on", "2026-11-19", "--type", "expense", "--tags", " été ,Kids,été,,", "--recurring")
        #expect(made["subtitle"] == .string("Café “B”") && made["recurring"] == .bool(true))
        #expect(made["tags"]?.arrayValue == [.string("été"), .string("Kids")])
        let list = try client.run("transactions", "list").output
        #expect(list.contains("Shoes (Café “B”)") && list.contains("été, Kids") && list.contains("recurring"))
        #expect(try client.json("transactions", "list", "--tag", "ETE").each("title") == ["Shoes"])
        #expect(try client.run("transactions", "list", "--tag", "x").output == "No matching transactions.\n")
        let shown = try client.run("transactions", "show", "shoes", "--lang", "fr").output
        #expect(shown.contains("sous-titre") && shown.contains("étiquettes") && shown.contains("récurrent"))
        #expect(try client.json("transactions", "show", "shoes") == made)
        let backup = client.folder.file("b.json")
        #expect(try client.run("backup", backup).status == 0)
        let edited = try client.json(
            "transactions", "edit", "shoes", "--subtitle", "", "--tags", "", "--no-recurring")
        #expect(edited["subtitle"] == .string("") && edited["tags"] == .array([]))
        #expect(edited["recurring"] == .bool(false))
        #expect(try client.run("undo").status == 0)
        #expect(try client.json("transactions", "show", "shoes") == made)
        let other = try Client()
        #expect(try other.run("merge", backup).status == 0)
        #expect(try other.json("transactions", "show", "shoes") == made)
        for (flag, text) in [("--subtitle", String(repeating: "x", count: 201)), ("--tags", "a\u{1}b")] {
            let refused = try client.run("transactions", "edit", "shoes", flag, text)
            #expect(refused.status == 1 && refused.errors.contains(flag.dropFirst(2)), "\(refused)")
        }
    }

    @Test func aSubscriptionShowsItsIconColourTrialAndSuccessor() throws {
        let client = try Client()
        let id = try client.add(
            "Water “W”", "--icon", "drop", "--color", "#9FE870", "--trial-ends", "2026-12-24", "--no-trial-converts")
        #expect(try client.run("edit", id, "--replaced-by", try client.add("Gas & Co")).status == 0)
        let shown = try client.run("show", id, "--lang", "fr").output.split(separator: "\n")
        for words in [
            ("icône", "drop"), ("couleur", "#9FE870"), ("payant après l’essai", "non"), ("remplacé par", "Gas & Co"),
        ] {
            #expect(shown.contains { $0.hasPrefix(words.0) && $0.hasSuffix(words.1) }, "\(words)\n\(shown)")
        }
    }

    @Test func booleansAreBooleans() throws {
        let client = try Client()
        let id = try client.add("Water", "--variable", "--trial-ends", "2026-12-24", "--no-trial-converts")
        _ = try client.id("people", "add", "--name", "Zoé")
        _ = try client.run("people", "edit", "me", "--name", "Max")
        #expect(try client.json("people", "list").arrayValue?.map { $0["me"] } == [.bool(true), .bool(false)])
        let shown = try client.json("show", id)
        #expect(shown["variable"] == .bool(true) && shown["trial_converts"] == .bool(false))
        #expect(try client.json("show", try client.add("Gas"))["variable"] == .bool(false))
        let exported = try client.run("export", "--format", "json").output
        let all = try JSONValue.parse(Array(exported.utf8))["subscriptions"]?.arrayValue
        let water = all?.first { $0["id"] == .string(id) }
        #expect(water?["variable"] == .bool(true) && water?["trial_converts"] == .bool(false))
        // And are read again.
        let other = try Client()
        let file = try other.folder.write(exported, to: "e.json")
        #expect(try other.run("import", "--format", "json", file).status == 0)
        #expect(try other.json("show", id)["variable"] == .bool(true))
        #expect(try other.json("show", id)["trial_converts"] == .bool(false))
    }

    @Test func aCancellationInForceKeepsItsDate() throws {
        let client = try Client()
        _ = try client.add("Gym")
        #expect(try client.json("cancel", "Gym", "--on", "2026-11-18")["cancels_on"] == .string("2026-11-18"))
        let shown = try client.json("show", "Gym")
        #expect(shown["cancels_on"] == .string("2026-11-18") && shown["status"] == .string("cancelled"))
        #expect(try client.json("resume", "Gym")["cancels_on"] == .null)
    }
}

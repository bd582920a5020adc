import JSONWire
import TestKit
import Testing

@Suite struct SharingCommandTests {
    @Test func allWrongFieldsAreNamedAtOnce() throws {
        let client = try Client()
        let fields = { (arguments: [String]) in
            let refused = try client.run(arguments + ["--json"])
            #expect(refused.status == 1, "\(arguments): \(refused)")
            let error = try JSONValue.parse(Array(refused.output.utf8))["error"]
            return error?["fields"]?.each("field") ?? []
        }
        #expect(
            try fields(["budget", "set", "--amount", "x", "--currency", "QQ", "--scope", "z"])
                == ["currency", "amount", "scope"])
        #expect(
            try fields([
                "expenses", "add", "--group", "none", "--title", "", "--amount", "x", "--currency", "ZZ", "--paid-by",
                "nobody", "--on", "2026-11-20",
            ]) == ["group", "title", "currency", "amount", "paid_by"])
        #expect(
            try fields([
                "transactions", "add", "--title", "", "--amount", "1.234", "--currency", "EUR", "--on", "2026-11-20",
                "--type", "expense", "--person", "nobody",
            ]) == ["title", "amount", "person"])
        // Each name that stands for nobody.
        #expect(try fields(["groups", "add", "--name", "", "--members", "a,b"]) == ["name", "members", "members"])
        #expect(try fields(["people", "add", "--name", " ", "--email", "bad"]) == ["name", "email"])
        let zoe = try client.id("people", "add", "--name", "Zoé")
        _ = try client.id("groups", "add", "--name", "G", "--members", zoe)
        #expect(
            try fields([
                "expenses", "add", "--group", "G", "--title", " ", "--amount", "0", "--currency", "EUR", "--paid-by",
                "Zoé", "--on", "2026-11-20", "--category", String(repeating: "c", count: 101),
            ]) == ["title", "amount", "category"])
        #expect(
            try fields([
                "transactions", "add", "--title", " ", "--amount", "0", "--currency", "EUR", "--on", "2026-11-20",
                "--type", "expense", "--person", "zz", "--subtitle", String(repeating: "s", count: 201),
            ]) == ["title", "amount", "person", "subtitle"])
        let budget = ["budget", "set", "--amount", "0", "--currency", "EUR", "--scope", "bad"]
        #expect(try fields(budget) == ["amount", "scope"])
        #expect(try fields(["repay", "zz", "--amount", "0"]) == ["person", "amount"])
        #expect(try fields(["groups", "edit", "G", "--add", "zz", "--name", " "]) == ["name", "add"])
        #expect(try client.json("transactions") == .array([]))
    }

    @Test("A name in an option that stands for nothing is named with the option")
    func unknownNames() throws {
        let client = try Client()
        let zoe = try client.id("people", "add", "--name", "Zoé")
        _ = try client.id("groups", "add", "--name", "G", "--members", zoe)
        _ = try client.add("S")
        for (arguments, field) in [
            (
                [
                    "transactions", "add", "--title", "a", "--amount", "1", "--currency", "EUR", "--on", "2026-11-20",
                    "--type", "expense", "--person", "zz",
                ], "person"
            ), (["transactions", "list", "--person", "zz"], "person"), (["share", "S", "--with", "zz"], "with"),
            (["groups", "add", "--name", "H", "--members", "zz"], "members"),
            (["groups", "edit", "G", "--add", "Zoé,zz"], "add"), (["what-if", "--cancel", "zz"], "cancel"),
        ] {
            let refused = try client.run(arguments + ["--json"])
            let error = try JSONValue.parse(Array(refused.output.utf8))["error"]
            #expect(refused.status == 1 && error?["code"] == .string("not_found"), "\(refused)")
            #expect(error?["fields"]?.each("field") == [field], "\(refused)")
            #expect(refused.errors.hasPrefix("error: no such ") && refused.errors.contains("To see what there is"))
        }
        let two = try client.run("share", "S", "--with", "zz,yy", "--split", "even", "--json")
        let error = try JSONValue.parse(Array(two.output.utf8))["error"]
        #expect(error?["fields"]?.each("field") == ["with", "with"])
        #expect(error?["fields"]?.each("detail") == ["no such person: zz", "no such person: yy"])
    }

    @Test func meIsAlwaysListed() throws {
        let client = try Client()
        let me = "00000000-0000-4000-8000-000000000001"
        let alone = try client.json("people", "list")
        #expect(alone.each("id") == [me] && alone[0]?["me"] == .bool(true) && alone.each("name") == ["Me"])
        #expect(try client.run("people").output == "No people yet.\n")
        _ = try client.id("people", "add", "--name", "Ana")
        #expect(try client.json("people", "list", "--lang", "fr").each("name") == ["Ana", "Moi"])
        #expect(try client.run("people").output.contains(me))
        // Nothing was written by it.
        #expect(try client.json("export", "--format", "json")["people"]?.each("name") == ["Ana"])
        #expect(try client.json("people", "edit", "me", "--name", "Max")["me"] == .bool(true))
        #expect(try client.json("people", "list").each("name") == ["Ana", "Max"])
    }

    @Test func aPersonWithAnOpenBalanceIsAConflict() throws {
        let client = try Client()
        _ = try client.id("people", "add", "--name", "Zoé")
        #expect(try client.run("share", try client.add(), "--with", "Zoé").status == 0)
        let refused = try client.run("people", "delete", "Zoé", "--json", now: "2026-12-20T10:00:00Z")
        let error = try JSONValue.parse(Array(refused.output.utf8))["error"]
        #expect(refused.status == 1 && error?["code"] == .string("conflict") && error?["fields"] == nil, "\(refused)")
        #expect(error?["detail"]?.stringValue?.contains("--force") == true)
    }

    /// The owner becomes a person with the first use of `me`; before that, they have a name too.
    @Test func theOwnerHasAName() throws {
        let client = try Client()
        _ = try client.id("people", "add", "--name", "Zoé")
        let id = try client.add()
        #expect(try client.run("share", id, "--with", "Zoé").status == 0)
        let later = "2026-12-20T10:00:00Z"
        let settled = try client.run(["settle", "Zoé", "--json"], now: later)
        let transfers = try JSONValue.parse(Array(settled.output.utf8))
        #expect(transfers.each("from_name") == ["Zoé"] && transfers.each("to_name") == ["Me"])
        #expect(try client.run(["settle", "Zoé", "--lang", "fr"], now: later).output.contains("Moi"))
    }

    /// One's own part is always there, named or not.
    @Test func meMayBeNamedAmongThoseWhoShare() throws {
        let client = try Client()
        for name in ["Zoé", "Ana"] { _ = try client.id("people", "add", "--name", name) }
        let id = try client.add()
        let share = try client.json("share", id, "--with", "me,Zoé,Ana")
        #expect(share["shares"]?.each("name") == ["Zoé", "Ana"] && share["owner_amount"] == .string("4.50"))
        #expect(try client.run("share", id, "--with", "me").status == 1)
    }

    @Test func aHouseholdSettles() throws {
        let client = try Client()
        let people = try ["Ada", "Béa", "Cy"].map { try client.id("people", "add", "--name", $0, "--email", "x@y.fr") }
        #expect(try client.json("people", "list").each("name") == ["Ada", "Béa", "Cy", "Me"])
        let group = try client.id("groups", "add", "--name", "Coloc", "--members", people.joined(separator: ","))
        let expense = { (arguments: [String]) in
            try client.run(
                ["expenses", "add", "--group", group, "--title", "Courses", "--currency", "EUR", "--on", "2026-11-20"]
                    + arguments)
        }
        #expect(try expense(["--amount", "9.99", "--paid-by", people[0], "--split", "even"]).status == 0)
        #expect(
            try expense([
                "--amount", "6", "--paid-by", "\(people[0])=5,\(people[1])=1", "--split", "shares", "--parts",
                "\(people[1])=1,\(people[2])=2",
            ]).status == 0)
        #expect(
            try expense([
                "--amount", "10.00", "--paid-by", people[2], "--split", "percent", "--parts",
                "\(people[0])=33.33,\(people[1])=66.67",
            ]).status == 0)
        #expect(
            try expense(["--amount", "9", "--paid-by", people[2], "--split", "percent", "--parts", "\(people[0])=99"])
                .status == 1)
        #expect(
            try expense(["--amount", "9", "--paid-by", people[2], "--split", "exact", "--parts", "\(people[0])=8.99"])
                .status == 1)
        #expect(try expense(["--amount", "9", "--paid-by", "\(people[0])=8", "--split", "even"]).status == 1)
        let expenses = try client.json("expenses", "list")
        #expect(expenses.arrayValue?.count == 3)
        let transfers = try client.json("settle", group)
        #expect(transfers[0]?.names.prefix(4) == ["from", "to", "amount", "currency"])
        // Ada paid 14.99 and owes 3.33 + 3.33; Béa 1 and 3.33 + 2 + 6.67; Cy 10 and 3.33 + 4.
        let sums = zip(transfers.each("from"), zip(transfers.each("to"), transfers.each("amount")))
        #expect(sums.map(\.0) == [people[1], people[1]] && sums.map(\.1.1).sorted() == ["2.67", "8.33"])
        let id = try client.add()
        let share = try client.json("share", id, "--with", people[0] + "," + people[1])
        #expect(share["owner_amount"] == .string("4.50"))
        #expect(share["shares"]?.each("amount") == ["4.50", "4.49"])
        #expect(try client.json("show", id)["shares"]?.each("name") == ["Ada", "Béa"])
        #expect(
            try client.run("share", id, "--with", people[0], "--split", "percent", "--parts", "\(people[0])=150").status
                == 1)
        let transaction = try client.id(
            "transactions", "add", "--title", "Prêt", "--amount", "20", "--currency", "EUR", "--on", "2026-11-19",
            "--type",
            "income", "--person", people[2])
        #expect(try client.json("transactions", "list").each("person_id") == [people[2]])
        let refused = try client.run("people", "delete", people[2])
        #expect(refused.status == 1 && refused.errors.contains("--force"))
        #expect(try client.run("people", "delete", people[2], "--force").status == 0)
        #expect(try client.json("transactions", "list").each("person_id") == ["null"])
        // The name stays.
        #expect(try client.json("settle", group) == transfers)
        #expect(try client.run("transactions", "delete", transaction).status == 0)
        #expect(try client.run("expenses", "delete", expenses.each("id")[0]).status == 0)
        #expect(try client.run("groups", "delete", group).status == 0)
        #expect(try client.json("expenses", "list") == .array([]))
    }

    @Test(arguments: [("exact", "92000000000000000"), ("percent", "92000000000000000")])
    func partsBeyondAllBoundsAreRefused(_ split: String, _ part: String) throws {
        let client = try Client()
        let people = try ["Ada", "Béa"].map { try client.id("people", "add", "--name", $0) }
        let id = try client.add()
        let parts = people.map { "\($0)=\(part)" }.joined(separator: ",")
        let outcome = try client.run("share", id, "--split", split, "--parts", parts)
        #expect(outcome.status == 1 && outcome.errors.hasPrefix("error: parts: "), "\(outcome)")
    }

    @Test func theFirstNamedBearsTheOddCent() throws {
        let client = try Client()
        let people = try ["A", "B", "C"].map { try client.id("people", "add", "--name", $0) }.sorted()
        for (number, order) in [[2, 0, 1], [1, 2, 0], [0, 1, 2], [2, 1, 0]].enumerated() {
            let named = order.map { people[$0] }
            let group = try client.id(
                "groups", "add", "--name", "G\(number)", "--members", named.joined(separator: ","))
            let members = try client.json("groups", "list")[number]?["members"]?.arrayValue
            #expect(members?.map(\.stringValue) == named)
            let expense = { (more: [String]) in
                try client.json(
                    [
                        "expenses", "add", "--group", group, "--title", "x", "--amount", "10.00", "--currency", "EUR",
                        "--on", "2026-11-20", "--paid-by", people[0],
                    ] + more)
            }
            let all = try expense([])
            #expect(
                all["parts"]?.each("person_id") == named && all["parts"]?.each("amount") == ["3.34", "3.33", "3.33"])
            let between = try expense(["--between", named.reversed().joined(separator: ",")])
            #expect(between["parts"]?.each("person_id") == named.reversed())
            #expect(between["parts"]?.each("amount") == ["3.34", "3.33", "3.33"])
        }
    }

    @Test func sharesThatAreMoreThanThePriceAreShown() throws {
        let client = try Client()
        let person = try client.id("people", "add", "--name", "Zoé")
        let id = try client.add()
        let share = try client.run("share", id, "--split", "exact", "--parts", "\(person)=5.50")
        #expect(share.status == 0)
        #expect(try client.json("show", id)["shares_exceed_price"] == .bool(false))
        let lowered = try client.run("edit", id, "--amount", "5.00")
        #expect(
            lowered.status == 0 && lowered.errors.hasPrefix("warning: the shares add up to €5.50, more than the price"))
        let shown = try client.json("show", id)
        #expect(shown["shares"]?.each("amount") == ["5.50"] && shown["shares"]?.each("name") == ["Zoé"])
        #expect(shown["shares_exceed_price"] == .bool(true))
        let text = try client.run("show", id).output
        #expect(
            text.contains("Zoé  €5.50") && text.contains("the shares add up to €5.50, more than the price of €5.00"))
        #expect(try client.run("edit", id, "--amount", "5.50").errors.isEmpty)
        #expect(try client.json("show", id)["shares_exceed_price"] == .bool(false))
    }

    @Test func balanceAndRepayAnswerWhatAFlatmateOwes() throws {
        let client = try Client()
        _ = try client.id("people", "add", "--name", "Zoé")
        _ = try client.add("Spotify", "--amount", "17.99", "--started", "2026-09-05", next: "2026-12-05")
        #expect(try client.run("balance").output.contains("Everything is settled."))
        #expect(try client.run("share", "spotify", "--with", "zoé", "--from", "2026-10-01").status == 0)
        let open = try client.json("balance")
        #expect(open.each("name") == ["Zoé"] && open.each("amount") == ["17.99"])
        #expect(open.each("since") == ["2026-10-05"] && open.each("currency") == ["EUR"])
        #expect(try client.json("balance", "zoé")[0]?["items"]?.each("amount") == ["8.99", "9.00"])
        let message = try client.run("balance", "zoé", "--message", "--lang", "fr").output
        #expect(message.contains("Bonjour Zoé, tu me dois 17,99") && message.contains("Spotify"))
        let transfer = try client.json("settle", "zoé")
        #expect(transfer.each("amount") == ["17.99"] && transfer.each("to_name") == ["Me"])
        let repaid = try client.run("repay", "zoé", "--amount", "10,00")
        #expect(repaid.status == 0 && repaid.output.split(separator: "\n").count == 1)
        #expect(!repaid.errors.isEmpty)
        #expect(try client.json("balance").each("amount") == ["7.99"])
        #expect(try client.run("undo").output.contains("Zoé: repayment added €10.00"))
        #expect(try client.run("repay", "me", "--to", "zoé", "--amount", "5 $").status == 0)
        #expect(try client.json("balance").each("amount") == ["17.99", "5.00"])
        #expect(try client.json("people", "list")[0]?["me"] == .bool(true))
        #expect(try client.run("people", "edit", "me", "--name", "Max").output == "Max\n")
        #expect(try client.json("people", "list").each("name") == ["Max", "Zoé"])
        for wrong in [
            ["repay", "zoé", "--amount", "0", "--currency", "EUR"], ["repay", "me", "--amount", "5 €"],
            ["repay", "nobody", "--amount", "5 €"], ["people", "delete", "me", "--force"],
            ["share", "spotify", "--with", "me"],
        ] {
            #expect(try client.run(wrong).status == 1, "\(wrong)")
        }
        #expect(try client.run("balance", "--message").status == 64)
    }

    @Test func sumsSayWhetherTheyAreMyPart() throws {
        let client = try Client()
        _ = try client.id("people", "add", "--name", "Zoé")
        _ = try client.add("Spotify", "--amount", "20")
        #expect(try !client.run("total").output.contains("--net"))
        _ = try client.run("share", "spotify", "--with", "zoé")
        #expect(try client.run("total").output.contains("in full; --net counts only your part"))
        #expect(try client.run("total", "--net", "--lang", "fr").output.contains("ta part de ce qui est partagé"))
        #expect(try client.json("total", "--net").each("annual") == ["120.00"])
        #expect(try client.json("total", "--net")[0]?["net"] == .bool(true))
        #expect(try client.json("total")[0]?["net"] == nil)
        #expect(try client.json("month", "--net").each("to_come") == ["10.00"])
        #expect(try client.json("year", "2027", "--net").each("total") == ["120.00"])
        #expect(try client.json("forecast", "--months", "1", "--net").each("amount") == ["10.00"])
        _ = try client.run("budget", "set", "--amount", "15", "--currency", "EUR")
        #expect(try client.json("budget", "list", "--net").each("expected") == ["10.00"])
        #expect(try client.json("budget", "list").each("expected") == ["20.00"])
        // A third of 10.00: the cent that cannot be divided is borne in turn, so a year has no such cents.
        _ = try client.id("people", "add", "--name", "Ana")
        _ = try client.run("share", "spotify", "--with", "zoé,ana")
        _ = try client.run("edit", "spotify", "--amount", "10")
        #expect(try client.json("total", "--net").each("annual") == ["40.00"])
        #expect(try client.json("year", "2027", "--net").each("total") == ["40.00"])
    }

    @Test func expensesAndTransactionsCanBeEdited() throws {
        let client = try Client()
        for name in ["Ana", "Ben"] { _ = try client.id("people", "add", "--name", name) }
        let group = try client.id("groups", "add", "--name", "Trip", "--members", "me,Ana,Ben")
        _ = try client.id(
            "expenses", "add", "--group", group, "--title", "Train", "--amount", "30", "--currency", "EUR", "--paid-by",
            "me", "--on", "2026-11-01", "--split", "even")
        #expect(try client.run("expenses", "edit", "train", "--amount", "60", "--title", "Zug").output == "Zug\n")
        #expect(try client.json("balance").each("amount") == ["20.00", "20.00"])
        // Ben left; an expense that he is part of can still be edited.
        _ = try client.run("groups", "edit", "trip", "--remove", "Ben")
        #expect(try client.run("expenses", "edit", "zug", "--paid-by", "Ana", "--notes", "x").status == 0)
        #expect(try client.json("balance").each("amount") == ["-20.00"])
        #expect(try client.run("expenses", "edit", "zug", "--between", "me,Ana").status == 0)
        #expect(try client.json("balance").each("amount") == ["-30.00"])
        #expect(try client.run("expenses", "edit", "zug", "--settled").status == 0)
        #expect(try client.json("balance").arrayValue?.isEmpty == true)
        #expect(try client.run("undo").output.contains("Zug"))
        for wrong in [
            ["--amount", "0"], ["--between", "Ben"], ["--title", " "], ["--split", "exact", "--parts", "Ana=1"],
        ] {
            #expect(try client.run(["expenses", "edit", "zug"] + wrong).status == 1, "\(wrong)")
        }
        _ = try client.id(
            "transactions", "add", "--title", "Loan", "--amount", "20", "--currency", "EUR", "--on", "2026-11-19",
            "--type", "income", "--person", "Ana")
        let edited = try client.json(
            "transactions", "edit", "loan", "--amount", "25", "--person", "", "--tags", "a, b", "--recurring")
        #expect(edited["amount"]?.stringValue == "25.00" && edited["person_id"] == .null)
        #expect(edited["recurring"] == .bool(true) && edited["type"]?.stringValue == "income")
        #expect(try client.run("transactions", "edit", "loan", "--amount", "-1").status == 1)
    }

    @Test func membersComeAndGoFromADayOn() throws {
        let client = try Client()
        for name in ["Ana", "Ben", "Zoé"] { _ = try client.id("people", "add", "--name", name) }
        let group = try client.id("groups", "add", "--name", "Trip", "--members", "me,Ana,Ben")
        func spend(_ day: String, _ more: String...) throws -> Client.Outcome {
            try client.run(
                [
                    "expenses", "add", "--group", group, "--title", day, "--amount", "30", "--currency", "EUR",
                    "--paid-by", "me", "--split", "even", "--on", day,
                ] + more)
        }
        #expect(try spend("2026-10-01").status == 0)
        #expect(try client.run("groups", "edit", "trip", "--remove", "Ben", "--from", "2026-11-01").status == 0)
        #expect(try client.run("groups", "edit", "trip", "--add", "Zoé", "--from", "2026-11-10").status == 0)
        // Three before, two in between, three after; the first expense keeps its people.
        for day in ["2026-10-31", "2026-11-09", "2026-11-10"] { #expect(try spend(day).status == 0) }
        let balances = try client.json("balance").arrayValue ?? []
        let owed = Dictionary(
            uniqueKeysWithValues: balances.map { ($0["name"]?.stringValue ?? "", $0["amount"]?.stringValue ?? "") })
        #expect(owed == ["Ana": "45.00", "Ben": "20.00", "Zoé": "10.00"])
        let listed = try client.json("groups", "list")[0]
        #expect(listed?["members"]?.arrayValue?.count == 3 && listed?["membership"]?.arrayValue?.count == 2)
        #expect(try client.run("groups", "list").output.contains("Me, Ana, Zoé"))
        for refused in [
            try spend("2026-11-02", "--between", "Ben"), try spend("2026-11-09", "--between", "me,Zoé"),
            try client.run("groups", "edit", "trip", "--remove", "Ben", "--from", "2026-11-05"),
            try client.run("groups", "edit", "trip", "--remove", "me,Ana,Zoé", "--from", "2026-11-20"),
        ] {
            #expect(refused.status == 1, "\(refused)")
        }
        // Ben comes back: an expense in between stays without him.
        #expect(try client.run("groups", "edit", "trip", "--add", "Ben", "--from", "2026-11-15").status == 0)
        #expect(try client.run("groups", "list").output.contains("Ben"))
        #expect(try spend("2026-11-02", "--between", "Ben").status == 1)
        #expect(try spend("2026-11-15", "--between", "Ben").status == 0)
        // Everything goes with an export, and can be taken back.
        let export = try client.run("export", "--format", "json").output
        let other = try Client()
        #expect(try other.run("import", "--format", "json", try other.folder.write(export, to: "a.json")).status == 0)
        #expect(try other.json("groups", "list")[0]?["membership"] == client.json("groups", "list")[0]?["membership"])
        _ = try client.run("undo", "6")
        #expect(try client.json("groups", "list")[0]?["membership"]?.arrayValue?.count == 1)
    }

    @Test func groupsChangeWithoutRewritingThePast() throws {
        let client = try Client()
        for name in ["Ana", "Ben"] { _ = try client.id("people", "add", "--name", name) }
        let group = try client.id("groups", "add", "--name", "Trip", "--members", "me,Ana,Ben")
        let add = [
            "expenses", "add", "--group", group, "--amount", "30", "--currency", "EUR", "--paid-by", "me", "--split",
            "even", "--on",
        ]
        #expect(try client.run(add + ["2026-11-01", "--title", "Train"]).status == 0)
        #expect(try client.run("groups", "edit", "trip", "--remove", "Ben", "--name", "Tour").output == "Tour\n")
        #expect(try client.run(add + ["2026-11-02", "--title", "Hotel"]).status == 0)
        #expect(try client.json("balance").each("amount") == ["25.00", "10.00"])
        #expect(try client.run("repay", "Ben", "--amount", "10 €", "--group", "tour").status == 0)
        #expect(try client.json("settle", "tour").each("from_name") == ["Ana"])
        #expect(try client.json("balance").each("name") == ["Ana"])
    }

}

extension JSONValue {
    /// The transfers after a person's name was removed.
    fileprivate func without(_ fromName: String, _ toName: String, _ person: String) -> JSONValue {
        .array(
            (arrayValue ?? []).map { element in
                var object = element.objectValue ?? JSONObject()
                for index in object.members.indices {
                    let side =
                        object.members[index].name == fromName
                        ? "from" : object.members[index].name == toName ? "to" : ""
                    if element[side]?.stringValue == person { object.members[index].value = .null }
                }
                return .object(object)
            })
    }
}

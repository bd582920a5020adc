import JSONWire
import TestKit
import Testing

/// Following what `settle` says never leads to paying twice.
@Suite struct SettledOnceTests {
    /// A group in which I owe Zoé CHF\u{A0}66.67.
    private func flat() throws -> Client {
        let client = try Client()
        for name in ["Zoé", "Tom"] { _ = try client.id("people", "add", "--name", name) }
        _ = try client.id("groups", "add", "--name", "Flat", "--members", "me,Zoé,Tom")
        let added = try client.run(
            "expenses", "add", "--group", "Flat", "--title", "Ski", "--amount", "200", "--currency", "CHF",
            "--paid-by", "Zoé", "--on", "2026-11-10", "--split", "exact", "--parts", "me=66.67,Zoé=133.33")
        #expect(added.status == 0, "\(added.errors)")
        return client
    }

    @Test func moneyGivenWithoutAGroupSettlesTheOnlyOneThatIsOpen() throws {
        let client = try flat()
        let repaid = try client.run("repay", "me", "--to", "Zoé", "--amount", "66.67", "--currency", "CHF")
        #expect(repaid.errors.contains("recorded for the group Flat"), "\(repaid)")
        for who in ["Flat", "Zoé", "me"] { #expect(try client.json("settle", who) == .array([]), "\(who)") }
        #expect(try client.json("balance") == .array([]))
        #expect(try client.run("undo").status == 0)
        let json = try client.json("repay", "me", "--to", "Zoé", "--amount", "6.67", "--currency", "CHF")
        #expect(json["group_id"] == (try client.json("groups", "list")[0]?["id"]))
        #expect(try client.json("settle", "Flat").each("amount") == ["60.00"])
    }

    @Test func aPaymentThatTheGroupProposesBetweenTwoWhoOweEachOtherNothingIsOfTheGroup() throws {
        let client = try Client()
        for name in ["Ana", "Ben"] { _ = try client.id("people", "add", "--name", name) }
        _ = try client.id("groups", "add", "--name", "Rome", "--members", "me,Ana,Ben")
        // I owe Ben, Ben owes Ana: I pay Ana.
        for (payer, people) in [("Ben", "me"), ("Ana", "Ben")] {
            let added = try client.run(
                "expenses", "add", "--group", "Rome", "--title", "x", "--amount", "30", "--currency", "EUR",
                "--paid-by", payer, "--on", "2026-11-10", "--between", people)
            #expect(added.status == 0, "\(added.errors)")
        }
        #expect(try client.json("settle", "Rome").each("to_name") == ["Ana"])
        #expect(try client.run("repay", "me", "--to", "Ana", "--amount", "30 €").status == 0)
        #expect(try client.json("settle", "Rome") == .array([]) && client.json("balance") == .array([]))
    }

    @Test("Money that was given outside of a group is said by both forms of settle")
    func outside() throws {
        let client = try flat()
        let repaid = try client.run(
            "repay", "me", "--to", "Zoé", "--amount", "66.67", "--currency", "CHF", "--group=")
        #expect(repaid.errors.contains("open in the group Flat: Me → Zoé CHF\u{A0}66.67; `subguard settle \"Flat\"`"))
        let group = try client.run("settle", "Flat")
        #expect(
            group.errors.contains("outside of this group: Zoé → Me CHF\u{A0}66.67; both together: nothing"), "\(group)")
        let person = try client.run("settle", "Zoé")
        #expect(person.output == "Everything is settled.\n")
        #expect(person.errors.contains("of it in the group Flat: Me → Zoé CHF\u{A0}66.67"), "\(person)")
        #expect(person.errors.contains("of it outside of groups: Zoé → Me CHF\u{A0}66.67"), "\(person)")
        let parts = try client.json("settle", "Flat")[0]?["parts"]
        #expect(parts?.each("amount") == ["-66.67", "66.67"] && parts?.each("group_id")[0] == "null")
    }

    /// Two names from right to left around an arrow would be shown in the opposite order.
    @Test func whoPaysWhomKeepsItsOrder() throws {
        let client = try Client()
        for name in ["שרה", "משה"] { _ = try client.id("people", "add", "--name", name) }
        _ = try client.id("groups", "add", "--name", "Flat", "--members", "שרה,משה")
        let added = try client.run(
            "expenses", "add", "--group", "Flat", "--title", "x", "--amount", "30", "--currency", "EUR", "--paid-by",
            "משה", "--on", "2026-11-10")
        #expect(added.status == 0, "\(added.errors)")
        let (from, to) = ("\u{200E}שרה\u{200E}", "\u{200E}משה\u{200E}")
        let settle = try client.run("settle", "Flat")
        // Programs that read a pipe get the names as they are.
        #expect(settle.output.contains("שרה   משה  "), "\(settle)")
        let repaid = try client.run("repay", "שרה", "--to", "משה", "--amount", "5 €", "--group=")
        #expect(repaid.errors.contains("open in the group Flat: \(from) → \(to) €15.00"), "\(repaid)")
    }

    @Test func bothFormsNameTheFigureOfTheOther() throws {
        let client = try flat()
        _ = try client.id(
            "add", "--name", "Salt", "--amount", "CHF 100", "--cycle", "monthly", "--next", "2026-12-05", "--started",
            "2026-09-05")
        #expect(try client.run("share", "Salt", "--with", "Zoé", "--from", "2026-09-01").status == 0)
        // Zoé owes 150 for the subscription, and is owed 66.67 in the group.
        let group = try client.run("settle", "Flat")
        #expect(group.output.contains("CHF\u{A0}66.67"))
        #expect(
            group.errors.contains(
                "outside of this group: Zoé → Me CHF\u{A0}150.00; both together: Zoé → Me CHF\u{A0}83.33"))
        let person = try client.run("settle", "Zoé")
        #expect(person.output.contains("CHF\u{A0}83.33"))
        #expect(
            person.errors.contains("in the group Flat: Me → Zoé CHF\u{A0}66.67; `subguard settle \"Flat\"` has it too"))
        // What she owes outside of the group is not taken for the group's.
        let repaid = try client.json("repay", "Zoé", "--amount", "83.33", "--currency", "CHF")
        #expect(repaid["group_id"]?.isNull == true)
        #expect(try client.json("balance") == .array([]))
        #expect(try client.run("settle", "Flat").errors.contains("both together: nothing"))
    }

    @Test("The message reads from the side of its reader")
    func message() throws {
        let client = try flat()
        _ = try client.id(
            "add", "--name", "Salt", "--amount", "CHF 10", "--cycle", "monthly", "--next", "2026-12-15", "--started",
            "2026-11-15")
        #expect(try client.run("share", "Salt", "--with", "Zoé", "--from", "2026-11-01").status == 0)
        let mine = try client.run("balance", "Zoé", "--message").output
        #expect(
            mine == """
                Hi Zoé, I owe you CHF\u{A0}61.67 since 2026-11-10:
                  2026-11-10  Ski  CHF\u{A0}66.67
                  minus 2026-11-15  Salt  CHF\u{A0}5.00

                """)
        let repaid = try client.run(
            "repay", "me", "--to", "Zoé", "--amount", "70", "--currency", "CHF", "--group=", "--on", "2026-11-16")
        #expect(repaid.status == 0)
        let theirs = try client.run("balance", "Zoé", "--message", "--lang", "fr").output
        #expect(theirs.contains("tu me dois 8,33") && !theirs.contains("-"), "\(theirs)")
    }

    @Test("The items of a message add up to each debt it states")
    func messageAddsUp() throws {
        let client = try Client()
        _ = try client.id("people", "add", "--name", "Bea")
        _ = try client.id("groups", "add", "--name", "G", "--members", "me,Bea")
        for (payer, title, amount, code, day) in [
            ("Bea", "Tea", "20", "EUR", "01-01"), ("me", "Sofa", "100", "EUR", "02-01"),
            ("me", "Pier", "30.01", "USD", "01-01"), ("Bea", "Hôtel", "100.01", "USD", "02-01"),
            ("Bea", "Ski", "40", "CHF", "01-01"),
        ] {
            let added = try client.run(
                "expenses", "add", "--group", "G", "--title", title, "--amount", amount, "--currency", code,
                "--paid-by", payer, "--on", "2026-\(day)")
            #expect(added.status == 0, "\(added.errors)")
        }
        for repaid in [
            ["Bea", "--amount", "15", "--currency", "EUR"],
            ["me", "--to", "Bea", "--amount", "5", "--currency", "USD"],
        ] {
            #expect(try client.run(["repay"] + repaid + ["--on", "2026-02-10"]).status == 0)
        }
        let message = try client.run("balance", "Bea", "--message").output
        #expect(message.contains("you owe me €25.00 since 2026-02-01:\n"), "\(message)")
        #expect(message.contains("\n  minus €10.00 from before\n"), "\(message)")
        var sums: [Int] = []
        for line in message.split(separator: "\n") {
            let match = try #require(line.firstMatch(of: /(?:€|\$|CHF\u{A0})([0-9]+)\.([0-9]{2})/), "\(line)")
            let units = try #require(Int(String(match.1 + match.2)))
            if line.hasPrefix("  ") {
                sums[sums.count - 1] -= line.hasPrefix("  minus ") ? -units : units
            } else {
                sums.append(units)
            }
        }
        #expect(sums == [0, 0, 0], "\(message)")
        let french = try client.run("balance", "Bea", "--message", "--lang", "fr").output
        #expect(french.contains("  moins 10,00\u{A0}€ d’avant\n"), "\(french)")
    }

    @Test("What is folded into one line of a group is told below it, and adds up")
    func folded() throws {
        let client = try flat()
        // More than was owed: the group's rest is one debt.
        #expect(
            try client.run(
                "repay", "me", "--to", "Zoé", "--amount", "200", "--currency", "CHF", "--group", "Flat"
            ).status == 0)
        let said = try client.run("balance", "Zoé").output
        #expect(
            said.contains("Flat  CHF\u{A0}133.33") && said.contains("    2026-11-10  Ski  -CHF\u{A0}66.67"), "\(said)")
        #expect(said.contains("    2026-11-20  repayment  CHF\u{A0}200.00"), "\(said)")
        let items = try client.json("balance", "Zoé")[0]?["items"]?[0]?["made_of"]
        #expect(items?.each("amount") == ["-66.67", "200.00"])
    }

    @Test("Deleting a person says how its figures make up the balance")
    func deletingExplains() throws {
        let client = try flat()
        _ = try client.id(
            "add", "--name", "Salt", "--amount", "CHF 100", "--cycle", "monthly", "--next", "2026-12-05", "--started",
            "2026-09-05")
        #expect(try client.run("share", "Salt", "--with", "Zoé", "--from", "2026-09-01").status == 0)
        let said = try client.run("people", "delete", "Zoé", "--force").output
        #expect(
            said.contains("Zoé owes you CHF\u{A0}150.00") && said.contains("you owe them CHF\u{A0}66.67 of the group"),
            "\(said)")
    }

    @Test func anExpenseOfADayToComeIsSaid() throws {
        let client = try flat()
        let added = try client.run(
            "expenses", "add", "--group", "Flat", "--title", "Rent", "--amount", "275", "--currency", "EUR",
            "--paid-by", "me", "--on", "2027-02-01", "--between", "Tom")
        #expect(added.errors.contains("dated 2027-02-01, and counts in balances from now on"), "\(added)")
        #expect(try client.run("balance", "Tom").output.hasPrefix("Tom owes you €275.00, dated 2027-02-01\n"))
        #expect(try client.run("balance", now: "2027-02-01T10:00:00Z").output.contains("€275.00 since 2027-02-01"))
    }
}

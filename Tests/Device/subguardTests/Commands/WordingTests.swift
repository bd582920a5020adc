import JSONWire
import TestKit
import Testing

/// What commands say about changes, files and empty results.
@Suite struct WordingTests {
    @Test func aPlannedCancellationHasItsDate() throws {
        let client = try Client()
        let id = try client.add()
        #expect(try client.run("cancel", id, "--on", "2026-12-15").output.contains("active, cancelled from 2026-12-15"))
        #expect(try client.run("list").output.contains("ends 2026-12-14"))
        #expect(try client.run("show", id, "--lang", "fr").output.contains("actif, résilié à partir du 15/12/2026"))
        #expect(try client.json("show", id)["cancels_on"] == .string("2026-12-15"))
        #expect(try client.run("cancel", id, "--on", "2026-12-31").output.contains("cancelled from 2026-12-31"))
        let resumed = try client.json("resume", id, "--from", "2026-12-31")
        #expect(resumed["status"] == .string("active"))
        #expect(try client.json("show", id)["cancels_on"] == .null)
    }

    @Test func aMergeSaysWhatChangedInWords() throws {
        let first = try Client()
        let id = try first.add()
        let backup = first.folder.file("backup.json")
        #expect(try first.run("backup", backup).status == 0)
        let second = try Client()
        #expect(try second.run("merge", backup).status == 0)
        let later = "2026-11-21T10:00:00Z"
        for client in [first, second] {
            #expect(try client.run("price", id, "--amount", "15", "--from", "2027-01-01").status == 0)
            #expect(try client.run("paid", "\(id):2026-11-25", "--amount", "13").status == 0)
        }
        #expect(try first.run("price", id, "--amount", "16.50", "--from", "2027-01-01", now: later).status == 0)
        #expect(try first.run("edit", id, "--cycle", "yearly", "--remind", "7,1", now: later).status == 0)
        #expect(try first.run("paid", "\(id):2026-11-25", "--amount", "12", now: later).status == 0)
        #expect(try first.run("backup", backup, now: later).status == 0)
        let said = try second.run("merge", backup, now: later).output
        #expect(said.contains("Netflix, 2027-01-01: price €15.00 → €16.50 (2026-11-21 11:00)"), "\(said)")
        #expect(said.contains("Netflix, 2026-11-25: amount paid €13.00 → €12.00"), "\(said)")
        #expect(said.contains("cycle Monthly → Yearly"), "\(said)")
        #expect(said.contains("Netflix: reminders as set for all → 7 days before, 1 day before"), "\(said)")
        for word in ["tracked", "1650", "amount 1", "schedule", "stamp"] { #expect(!said.contains(word), "\(said)") }
    }

    /// A value of another device stays on its line, and no escape sequence of it reaches a terminal or a pipe.
    @Test func aMergeCannotForgeLines() throws {
        let first = try Client()
        let id = try first.add()
        let second = try Client()
        let backup = first.folder.file("backup.json")
        #expect(try first.run("backup", backup).status == 0 && second.run("merge", backup).status == 0)
        let later = "2026-11-21T10:00:00Z"
        #expect(try first.run("edit", id, "--notes", "ok\n1 subscription added", now: later).status == 0)
        #expect(try first.run("backup", backup, now: later).status == 0)
        let said = try second.run("merge", backup, now: later).output
        #expect(said.contains("notes – → ok 1 subscription added") && !said.contains("\n1 subscription"), "\(said)")
    }

    @Test func aMissingFileIsNotTheFaultOfTheStore() throws {
        let client = try Client()
        let missing = client.folder.file("missing.json")
        for command in [["restore", missing], ["import", "--format", "json", missing]] {
            let outcome = try client.run(command + ["--json"])
            let error = try JSONValue.parse(Array(outcome.output.utf8))["error"]
            #expect(outcome.status == 1 && error?["code"] == .string("file"))
            #expect(error?["detail"] == .string("file not found: \(missing)"))
        }
    }

    @Test func aFilterWithoutResultsInvitesToNothing() throws {
        let client = try Client()
        #expect(try client.run("list").output.contains("Add one"))
        _ = try client.add()
        #expect(try client.run("list", "--search", "zzz").output == "No matching subscriptions.\n")
        #expect(
            try client.run("list", "--status", "ended", "--lang", "fr").output == "Aucun abonnement ne correspond.\n")
        #expect(try client.run("account", "sign-out").output == "not signed in\n")
    }

    @Test func flagsDoSomething() throws {
        let client = try Client()
        let id = try client.add("Water", "--variable")
        #expect(try client.run("list").output.contains("~€13.49"))
        #expect(try client.run("show", id).output.contains("estimate, the amount varies"))
        let person = try client.id("people", "add", "--name", "Zoé")
        #expect(try client.run("share", id, "--with", person).status == 0)
        #expect(try client.run("show", id).output.contains("not agreed with the others yet"))
        #expect(try client.run("share", id, "--with", person, "--accepted").status == 0)
        #expect(try client.json("show", id)["shares_accepted"] == .bool(true))
        let add = [
            "transactions", "add", "--amount", "5", "--currency", "EUR", "--on", "2026-11-20", "--type", "income",
        ]
        #expect(try client.run(add + ["--title", "Rent", "--recurring"]).status == 0)
        #expect(try client.run(add + ["--title", "Sale"]).status == 0)
        #expect(try client.json("transactions", "list", "--recurring").each("title") == ["Rent"])
        #expect(try client.run("transactions", "list").output.contains("recurring"))
    }

    @Test func aDeletedPersonsPartsAreNamed() throws {
        let client = try Client()
        let people = try ["Ana", "Ben"].map { try client.id("people", "add", "--name", $0) }
        let id = try client.add("Netflix", "--amount", "12")
        #expect(try client.run("share", id, "--with", people.joined(separator: ",")).status == 0)
        let said = try client.run("people", "delete", people[0]).output
        #expect(said.contains("Netflix: €4.00 was theirs, you pay it now"), "\(said)")
        let shares = try client.json("show", id)["shares"]
        #expect(shares?.each("name") == ["Ben"] && shares?.each("amount") == ["4.00"])
        #expect(try client.json("people", "delete", people[1], "--force")["shares"]?.each("amount") == ["4.00"])
    }
}

import Foundation
import JSONWire
import TestKit
import Testing

/// First days: of trials, and of the periods of budgets.
@Suite struct FirstDayTests {
    @Test func aTrialHasAFirstDay() throws {
        let client = try Client()
        let id = try client.add("Club “é”", "--trial-starts", "2026-11-10", "--trial-ends", "2026-12-10")
        let shown = try client.json("show", id)
        #expect(shown["trial_starts_on"]?.stringValue == "2026-11-10" && shown["status"]?.stringValue == "trial")
        #expect(try client.run("show", id).output.contains(/trial starts +2026-11-10\n/))
        #expect(try client.run("show", id, "--lang", "fr").output.contains("10/11/2026"))
        // Charges before it are made, those in it are not.
        _ = try client.json("edit", id, "--trial-starts", "2026-12-01", "--trial-ends", "2026-12-31")
        #expect(try client.json("show", id)["status"]?.stringValue == "active")
        #expect(try client.json("upcoming", "--days", "70").each("billing_on") == ["2026-11-25", "2027-01-25"])
        #expect(try client.json("show", id, now: "2026-12-01T10:00:00Z")["status"]?.stringValue == "trial")
        _ = try client.json("undo")
        #expect(try client.json("show", id)["trial_starts_on"]?.stringValue == "2026-11-10")
        _ = try client.json("edit", id, "--trial-starts", "")
        #expect(try client.json("show", id)["trial_starts_on"] == .null)
        #expect(try client.json("show", id)["trial_ends_on"]?.stringValue == "2026-12-10")
    }

    @Test func aFirstDayAfterTheLastOneIsRefused() throws {
        let client = try Client()
        let id = try client.add("Club", "--trial-starts", "2026-11-10", "--trial-ends", "2026-11-10")
        for (flags, field) in [
            (["--trial-starts", "2026-11-11"], "trial_starts_on"), (["--trial-ends", "2026-11-09"], "trial_ends_on"),
            (["--trial-starts", "2026-02-30"], "trial_starts_on"),
            (["--trial-starts", "2026-12-02", "--trial-ends", "2026-12-01"], "trial_starts_on"),
            (["--trial-ends", "", "--trial-starts", "2026-11-01"], "trial_starts_on"),
        ] {
            let refused = try client.run(["edit", id, "--json"] + flags)
            #expect(refused.status == 1 && refused.output.contains("\"\(field)\""), "\(flags)")
        }
        let many = try client.run("edit", id, "--trial-starts", "x", "--trial-ends", "y", "--json")
        #expect(many.output.contains("\"trial_starts_on\"") && many.output.contains("\"trial_ends_on\""))
        let french = try client.run("edit", id, "--trial-starts", "2026-11-11", "--lang", "fr").errors
        #expect(french.contains("ne doit pas être après le dernier jour de l’essai"))
        #expect(try client.json("show", id)["trial_starts_on"]?.stringValue == "2026-11-10")
        // Without the trial, its first day is gone too.
        _ = try client.json("edit", id, "--trial-ends", "")
        #expect(try client.json("show", id)["trial_starts_on"] == .null)
    }

    @Test func exportsBackupsAndMergesKeepFirstDays() throws {
        let (client, other, third) = (try Client(), try Client(), try Client())
        let id = try client.add("Club", "--trial-starts", "2026-11-10", "--trial-ends", "2026-12-10")
        _ = try client.json("budget", "set", "--amount", "50", "--currency", "EUR", "--begins", "25")
        let csv = client.folder.file("a.csv")
        let (json, backup) = (client.folder.file("a.json"), client.folder.file("b.json"))
        try client.run("export", "--format", "csv").output.write(toFile: csv, atomically: true, encoding: .utf8)
        try client.run("export", "--format", "json").output.write(toFile: json, atomically: true, encoding: .utf8)
        _ = try other.json("import", "--format", "csv", csv)
        #expect(try other.json("show", "Club")["trial_starts_on"]?.stringValue == "2026-11-10")
        _ = try third.json("import", "--format", "json", json)
        #expect(try third.json("show", id)["trial_starts_on"]?.stringValue == "2026-11-10")
        #expect(try third.json("budget", "list").each("begins") == ["25"])
        _ = try client.json("backup", backup)
        _ = try other.json("restore", backup)
        #expect(try other.json("show", id)["trial_starts_on"]?.stringValue == "2026-11-10")
        #expect(try other.json("budget", "list").each("begins") == ["25"])
        let later = "2026-11-21T10:00:00Z"
        _ = try client.json("edit", id, "--trial-starts", "2026-11-12", now: later)
        _ = try client.json("budget", "set", "--amount", "50", "--currency", "EUR", "--begins", "27", now: later)
        _ = try client.json("backup", backup, now: later)
        let merged = try other.run("merge", backup, now: later).output
        #expect(merged.contains("trial starts 2026-11-10 → 2026-11-12") && merged.contains("begins on 25 → 27"))
        #expect(try other.json("budget", "list").each("begins") == ["27"])
    }

    @Test func aBudgetRunsFromPayDayToPayDay() throws {
        let client = try Client()
        let id = try client.id(
            "add", "--name", "Club", "--amount", "10", "--currency", "EUR", "--cycle", "monthly", "--next",
            "2026-10-26", now: "2026-10-20T10:00:00Z")
        _ = try client.json("budget", "set", "--amount", "15", "--currency", "EUR", "--begins", "25")
        let budget = try #require(try client.json("budget", "list")[0])
        #expect(budget["from"]?.stringValue == "2026-10-25" && budget["through"]?.stringValue == "2026-11-24")
        #expect(budget["spent"]?.stringValue == "10.00" && budget["expected"]?.stringValue == "0.00")
        let payDay = try #require(try client.json("budget", "list", now: "2026-11-25T10:00:00Z")[0])
        #expect(payDay["spent"]?.stringValue == "0.00" && payDay["expected"]?.stringValue == "10.00")
        #expect(try client.run("budget", "list", "--lang", "fr").output.contains("24/11/2026"))
        // Another amount keeps the first day; a year has its own.
        _ = try client.json("budget", "set", "--amount", "20", "--currency", "EUR")
        #expect(try client.json("budget", "list").each("begins") == ["25"])
        _ = try client.json("undo", "2")
        #expect(try client.json("budget", "list").arrayValue?.isEmpty == true)
        _ = try client.json(
            "budget", "set", "--amount", "100", "--currency", "EUR", "--period", "year", "--begins", "29/02")
        let year = try #require(try client.json("budget", "list")[0])
        #expect(year["begins"]?.stringValue == "02-29" && year["through"]?.stringValue == "2027-02-27")
        #expect(!id.isEmpty)
        for (begins, period) in [("32", "month"), ("0", "month"), ("25", "year"), ("30-02", "year")] {
            let refused = try client.run(
                "budget", "set", "--amount", "x", "--currency", "EUR", "--period", period, "--begins", begins, "--json")
            #expect(
                refused.status == 1 && refused.output.contains("\"begins\"") && refused.output.contains("\"amount\""))
        }
    }
}

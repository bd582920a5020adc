import JSONWire
import TestKit
import Testing

/// Texts that a reader could take for something else.
@Suite struct SaidPlainlyTests {
    @Test func aFreeTrialIsLeftOnTheDayBeforeItEnds() throws {
        let client = try Client()
        let now = "2027-01-01T10:00:00Z"
        let added = try client.run("add", "Canal+ 24,99 € mensuel essai gratuit de 14 jours", now: now)
        #expect(added.status == 0, "\(added.errors)")
        // The catalogue has a notice period for it.
        let shown = try client.json("show", "Canal+", now: now)
        #expect(shown["notice_days"] != .string("0") && shown["notice_days"] != .number("0"))
        let entry = try client.json("cancel-by", now: now)[0]
        #expect(entry?["reason"]?.stringValue == "trial" && entry?["cancel_by"]?.stringValue == "2027-01-14")
        #expect(entry?["avoids_on"]?.stringValue == "2027-01-15" && shown["cancel_by"]?.stringValue == "2027-01-14")
        let reminders = try client.json("remind", "--dry-run", now: "2027-01-11T10:00:00Z")
        #expect(reminders.arrayValue?.contains { $0["on"]?.stringValue == "2027-01-14" } == true, "\(reminders)")
        let calendar = try client.run("export", "--format", "ical", now: now).output
        #expect(calendar.contains("-cancel-by-2027-01-15@subguard"))
        let cancelled = try client.json("cancel", "Canal+", now: "2027-01-14T10:00:00Z")
        #expect(cancelled["commitment"]?.isNull == true)
        #expect(try client.json("forecast", now: "2027-01-14T10:00:00Z").each("amount").allSatisfy { $0 == "0.00" })
        // A notice that is typed holds for the trial, too.
        _ = try client.run("undo", now: "2027-01-14T10:00:00Z")
        #expect(try client.run("edit", "Canal+", "--notice-days", "5", now: now).status == 0)
        #expect(try client.json("cancel-by", now: now)[0]?["cancel_by"]?.stringValue == "2027-01-10")
    }

    @Test func budgetsSayWhatIsCertainAndWhatIsAddedUp() throws {
        let client = try Client()
        #expect(try client.run("settings", "set", "home_currency", "EUR").status == 0)
        #expect(try client.run("budget").output == "No budgets yet.\n")
        #expect(try client.json("budget", "list")["home"]?["amount"]?.stringValue == "0.00")
        _ = try client.add("Rent", "--amount", "250", next: "2026-11-28")
        #expect(try client.run("budget", "set", "--amount", "150", "--currency", "EUR").status == 0)
        let said = try client.run("budget").output
        #expect(said.contains("limits together €150.00") && said.contains("will be exceeded"), "\(said)")
        #expect(said.contains("all subscriptions"))
        let french = try client.run("budget", "--lang", "fr").output
        #expect(french.contains("tous les abonnements") && french.contains("sera dépassé"), "\(french)")
    }

    @Test func undoCountsWhatWasConfirmed() throws {
        let client = try Client()
        _ = try client.id(
            "add", "SIM 10 € every:28d after payment 2027-03-20", now: "2027-03-01T10:00:00Z")
        let now = "2027-04-15T10:00:00Z"
        #expect(try client.run("ack", "SIM:2027-03-20", now: now).status == 0)
        #expect(try client.run("undo", "--list", now: now).output.contains("SIM: charge of 2027-03-20 confirmed"))
        let many = try client.run("undo", "9", now: now)
        #expect(many.errors.contains("count: Must be at most 2: there are no more changes."), "\(many)")
        #expect(try client.run("undo", "0", now: now).errors.contains("Must be at least 1."))
        #expect(try client.run("undo", "0", "--lang", "fr", now: now).errors.contains("Doit être au moins 1."))
    }

    @Test func anotherDeviceIsToldThatSettingsStay() throws {
        let (one, other) = (try Client(), try Client())
        _ = try one.add()
        _ = try one.add("Slack", "--amount", "8 $", "--currency", "USD")
        #expect(try one.run("settings", "set", "home_currency", "EUR").status == 0)
        let file = one.folder.file("a.json")
        #expect(try one.run("backup", file).status == 0)
        for command in ["restore", "merge"] {
            let said = try other.run(command, file).errors
            #expect(said.contains("settings are not in backups: no home currency here"), "\(command): \(said)")
        }
        #expect(try one.run("merge", file).errors.isEmpty)
        // One currency needs none.
        let single = try Client()
        _ = try single.add()
        let simple = single.folder.file("b.json")
        #expect(try single.run("backup", simple).status == 0)
        #expect(try Client().run("restore", simple).errors.isEmpty)
    }

    @Test func amountsInFrenchHaveACommaInMergesAndCalendars() throws {
        let (one, other) = (try Client(), try Client())
        let zoe = try one.id("people", "add", "--name", "Léa")
        _ = try one.id(
            "add", "--name", "Swisscom", "--amount", "CHF 60", "--cycle", "monthly", "--next", "2026-12-01")
        let base = one.folder.file("base.json")
        #expect(try one.run("backup", base).status == 0)
        #expect(try other.run("restore", base).status == 0)
        #expect(try one.run("share", "Swisscom", "--split", "exact", "--parts", "\(zoe)=20").status == 0)
        let first = one.folder.file("first.json")
        #expect(try one.run("backup", first).status == 0)
        #expect(try other.run("merge", first).status == 0)
        let later = "2026-11-21T10:00:00Z"
        #expect(
            try one.run("share", "Swisscom", "--split", "percent", "--parts", "\(zoe)=33.33", now: later).status == 0)
        #expect(try one.run("backup", first, now: later).status == 0)
        let merged = try other.run("merge", first, "--lang", "fr", now: later)
        #expect(merged.output.contains("Léa 20,00\u{A0}CHF → Léa 33,33\u{202F}%"), "\(merged)")
        let calendar = try one.run("export", "--format", "ical", "--lang", "fr", now: later).output
        #expect(calendar.contains("SUMMARY:Swisscom 60\\,00\u{A0}CHF"))
        #expect(try one.run("export", "--format", "ical", now: later).output.contains("SUMMARY:Swisscom 60.00 CHF"))
    }
}

import JSONWire
import TestKit
import Testing

@Suite struct LedgerCommandTests {
    @Test func confirmingRaisesTheScore() throws {
        let client = try Client()
        let id = try client.add("Netflix", "--remind", "7,1")
        let empty = try client.json("score")
        #expect(empty["percent"] == .null && empty["rating"] == .null && empty["window_days"] == .number("90"))
        let pending = try client.json("pending")
        #expect(
            pending[0]?.names == [
                "occurrence_id", "subscription_id", "name", "amount", "currency", "billing_on", "status",
            ])
        #expect(pending.each("occurrence_id") == ["\(id):2026-11-25"] && pending.each("status") == ["pending"])
        #expect(try client.json("ack", "\(id):2026-11-25")["status"] == .string("acknowledged"))
        #expect(try client.json("pending") == .array([]))
        let later = "2027-01-26T10:00:00Z"
        #expect(try client.json("missed", now: later).each("billing_on") == ["2027-01-25", "2026-12-25"])
        #expect(try client.json("ack", "\(id):2026-12-25", now: later)["status"] == .string("late"))
        #expect(
            try client.json("paid", "\(id):2027-01-25", "--amount", "12.34", now: later)["amount"] == .string("12.34"))
        let score = try client.json("score", now: later)
        #expect(score["percent"] == .number("66.7") && score["rating"] == .string("orange"))
        #expect(
            score["acknowledged"] == .number("1") && score["late"] == .number("2") && score["missed"] == .number("0"))
        #expect(score["due"] == .number("3"))
        #expect(try client.json("skip", "\(id):2027-02-25", now: later)["status"] == .string("skipped"))
        let upcoming = try client.json("upcoming", "--from", "2026-11-01", "--to", "2027-03-25", now: later)
        #expect(upcoming.each("status") == ["acknowledged", "late", "late", "skipped", "expected"])
        #expect(try client.run("score", now: later).output.contains("66.7 %"))
    }

    /// Charges of before the day of entry are no part of the score, also once they are confirmed or corrected.
    @Test func chargesFromBeforeEntryStayOutOfTheScore() throws {
        let (client, merged, imported) = (try Client(), try Client(), try Client())
        let day = { (day: String) in "P:2026-\(day)" }
        _ = try client.id(
            "add", "--name", "P", "--amount", "10", "--currency", "EUR", "--cycle", "monthly", "--next", "2026-11-01",
            "--started", "2026-08-25")
        let paid = try client.json("paid", day("11-01"), "--amount", "9")
        #expect(paid["status"] == .string("acknowledged") && paid["amount"] == .string("9.00"))
        #expect(try client.json("ack", day("10-01"))["status"] == .string("acknowledged"))
        // One that was taken for not charged by mistake.
        #expect(try client.run("skip", day("09-01")).status == 0)
        #expect(try client.json("ack", day("09-01"))["status"] == .string("acknowledged"))
        let file = client.folder.file("backup")
        #expect(try client.run("backup", file).status == 0)
        #expect(try merged.run("merge", file).status == 0)
        let export = try client.folder.write(try client.run("export", "--format", "json").output, to: "export")
        #expect(try imported.run("import", "--format", "json", export).status == 0)
        for device in [client, merged, imported] {
            let score = try device.json("score")
            #expect(score["percent"] == .null && score["due"] == .number("0"), "\(score)")
            let spent = try device.json("spending", "--by", "subscription")
            #expect(spent.each("confirmed") == ["29.00"] && spent.each("assumed") == ["0.00"], "\(spent)")
            #expect(try device.json("show", "P")["history"]?.each("amount") == ["9.00", "10.00", "10.00"])
            #expect(try device.run("show", "P").output.contains("assumed") == false)
            // What was confirmed keeps its amount.
            let price = try device.json("price", "P", "--amount", "12", "--from", "2026-08-25")
            #expect(price["kept"]?.each("billing_on") == ["2026-10-01", "2026-09-01"])
            // From the day of entry on, charges are judged.
            let later = "2026-12-02T10:00:00Z"
            #expect(try device.json("score", now: later)["percent"] == .number("0.0"))
            #expect(try device.json("ack", day("12-01"), now: later)["status"] == .string("late"))
            #expect(try device.json("score", now: later)["percent"] == .number("50.0"))
        }
        #expect(try client.run("undo", "6", now: "2026-12-02T10:00:00Z").status == 0)
        #expect(try client.json("spending", "--by", "subscription").each("assumed") == ["30.00"])
    }

    @Test func severalChargesAreConfirmedAndTakenBackTogether() throws {
        let client = try Client()
        let ids = [try client.add("Été 🎉", next: "2026-11-20"), try client.add("b", next: "2026-11-22")]
        _ = try client.add("far", next: "2026-12-20")
        let charges = ["\(ids[0]):2026-11-20", "\(ids[1]):2026-11-22"]
        // One that does not exist: none is confirmed.
        #expect(try client.run("ack", charges[0], "\(ids[1]):2026-11-23").status == 1)
        #expect(try client.json("pending").each("occurrence_id") == charges)
        // A charge named twice is confirmed once.
        let confirmed = try client.json("ack", charges[1], charges[0], "b")
        #expect(confirmed.each("name") == ["b", "Été 🎉"])
        #expect(confirmed.each("status") == ["acknowledged", "acknowledged"])
        #expect(try client.json("pending") == .array([]))
        #expect(try client.run("undo", "--list").output.contains("2 charges confirmed"))
        #expect(try client.run("undo", "--list", "--lang", "fr").output.contains("2 échéances confirmées"))
        #expect(try client.run("undo").status == 0)
        #expect(try client.json("pending").each("occurrence_id") == charges)
        #expect(try client.json("skip", charges[0], charges[1]).each("status") == ["skipped", "skipped"])
        #expect(try client.run("undo").status == 0)
        #expect(try client.json("pending").each("occurrence_id") == charges)
    }

    @Test func allOpenChargesAreConfirmedOrThoseUntilADay() throws {
        let client = try Client()
        _ = try client.add("a", next: "2026-11-20")
        _ = try client.add("b", next: "2026-11-25")
        let now = "2026-11-21T10:00:00Z"
        let early = try client.json("ack", "--until", "2026-11-24", now: now)
        #expect(early.each("name") == ["a"] && early.each("status") == ["late"])
        #expect(try client.json("undo", now: now)["undone"]?.arrayValue?.count == 1)
        let all = try client.json("ack", "--all", now: now)
        #expect(all.each("name") == ["a", "b"] && all.each("status") == ["late", "acknowledged"])
        #expect(try client.json("ack", "--all", now: now) == .array([]))
        #expect(try client.run("ack", "--all", now: now).output.contains("Nothing to confirm"))
        for usage in [["--all", "b"], ["--all", "--until", "2026-11-24"], ["--until", "2026-11-24", "b"]] {
            #expect(try client.run(["ack"] + usage).status == 64)
        }
    }

    @Test func upcomingIncludesBothEnds() throws {
        let client = try Client()
        _ = try client.add("a", next: "2026-11-20")
        _ = try client.add("b", next: "2026-11-30")
        #expect(try client.json("upcoming", "--days", "10").each("name") == ["a", "b"])
        #expect(try client.json("upcoming", "--days", "9").each("name") == ["a"])
        #expect(try client.json("upcoming", "--from", "2026-11-30", "--to", "2026-11-30").each("name") == ["b"])
    }

    @Test func theWidgetAndTheReminders() throws {
        let client = try Client()
        let id = try client.add("Netflix", "--remind", "7,1", next: "2026-12-05")
        for number in 1...6 { _ = try client.add("n\(number)", "--remind", "", next: "2026-11-2\(number)") }
        for (family, count) in [("small", 1), ("medium", 3), ("large", 5)] {
            let widget = try client.json("widget", "--family", family)
            #expect(widget["entries"]?.each("at") == ["2026-11-20T10:00:00Z", "2026-11-20T23:00:00Z"])
            #expect(widget["entries"]?[0]?["payments"]?.arrayValue?.count == count)
        }
        let reminders = try client.json("reminders")
        #expect(
            reminders.each("id") == ["subscription-\(id)-2026-12-05-7", "subscription-\(id)-2026-12-05-1"])
        #expect(reminders.each("fire_at") == ["2026-11-28T08:00:00Z", "2026-12-04T08:00:00Z"])
        #expect(try client.json("reminders", "--lang", "fr").each("title")[1] == "Netflix\u{202F}: échéance demain")
    }

    @Test func plansAhead() throws {
        let client = try Client()
        let id = try client.add("Netflix", "--contract-ends", "2026-12-31", "--notice-days", "30")
        #expect(try client.run("price", id, "--amount", "15.99", "--from", "2027-01-01").status == 0)
        let forecast = try client.json("forecast", "--months", "3")
        #expect(forecast.each("month") == ["2026-11", "2026-12", "2027-01"])
        #expect(forecast.each("amount") == ["13.49", "13.49", "15.99"])
        #expect(try client.json("cancel-by").each("cancel_by") == ["2026-12-01"])
        let budget = try client.id("budget", "set", "--amount", "10", "--currency", "EUR")
        #expect(try client.json("budget", "list").each("id") == [budget])
        #expect(try client.json("budget", "list").each("state") == ["at_risk"])
        #expect(try client.run("budget", "delete", budget).status == 0)
        #expect(try client.run("cancel", id, "--on", "2026-12-01").status == 0)
        #expect(try client.json("savings", now: "2027-01-26T10:00:00Z").each("amount") == ["29.48"])
        #expect(try client.json("spending", now: "2027-01-26T10:00:00Z").each("amount") == ["13.49"])
        #expect(try client.json("overlaps") == .array([]))
    }
}

import Foundation
import JSONWire
import TestKit
import Testing

/// Prepaid cards: the next charge is counted from the day on which the last one was paid.
@Suite struct PaymentCycleTests {
    private static let before = "2026-10-20T10:00:00Z"

    private func prepaid(_ cycle: String = "every:28d after payment") throws -> (Client, String) {
        let client = try Client()
        let id = try client.id(
            "add", "--name", "Prepaid “é”", "--amount", "10", "--currency", "EUR", "--cycle", cycle, "--next",
            "2026-11-01", now: Self.before)
        return (client, id)
    }

    private func next(_ client: Client, _ id: String, now: String = "2026-11-20T10:00:00Z") throws -> String? {
        try client.json("show", id, now: now)["next_billing_on"]?.stringValue
    }

    @Test func payingLateMovesTheNextChargeAndAnUndoMovesItBack() throws {
        let (client, id) = try prepaid()
        #expect(try next(client, id) == "2026-11-29")
        let before = try client.run("export", "--format", "json").output
        let paid = try client.json("paid", "Prepaid “é”", "--amount", "9.99", "--on", "2026-11-06")
        #expect(paid["status"]?.stringValue == "late" && paid["billing_on"]?.stringValue == "2026-11-01")
        let shown = try client.json("show", id)
        #expect(shown["next_billing_on"]?.stringValue == "2026-12-04")
        #expect(shown["cycle"]?.stringValue == "every:28d after payment")
        #expect(shown["history"]?[0]?["acted_at"]?.stringValue == "2026-11-06T11:00:00Z")
        #expect(shown["spent"]?.stringValue == "9.99")
        #expect(try client.json("upcoming", "--days", "60").each("billing_on") == ["2026-12-04", "2027-01-01"])
        _ = try client.json("undo")
        #expect(try next(client, id) == "2026-11-29")
        #expect(try client.json("missed").each("billing_on") == ["2026-11-01"])
        #expect(try client.run("export", "--format", "json").output == before)
        _ = try client.json("redo")
        #expect(try next(client, id) == "2026-12-04" && client.json("missed").arrayValue?.isEmpty == true)
        // A day that is named corrects an earlier one; without one, it is today.
        _ = try client.json("ack", "\(id):2026-11-01", "--on", "2026-10-31")
        #expect(try client.json("show", id)["history"]?.each("status") == ["acknowledged"])
        #expect(try next(client, id) == "2026-11-28")
        _ = try client.json("undo", "2")
        let text = try client.run("ack", id, "--lang", "fr").output
        #expect(text.contains("en retard") && text.hasSuffix("prochaine échéance  18/12/2026\n"))
    }

    @Test func anUnpaidChargeBringsNoOthers() throws {
        let (client, id) = try prepaid()
        let later = "2026-12-05T10:00:00Z"
        #expect(try client.json("missed", now: later).each("billing_on") == ["2026-11-29", "2026-11-01"])
        // Renewed late: what was counted from the day on which it was due is none.
        _ = try client.json("ack", "\(id):2026-11-01", "--on", "2026-12-03", now: later)
        #expect(try client.json("missed", now: later).arrayValue?.isEmpty == true)
        #expect(try next(client, id, now: later) == "2026-12-31")
        _ = try client.json("undo", now: later)
        #expect(try client.json("missed", now: later).each("billing_on") == ["2026-11-29", "2026-11-01"])
        // Together, each counts as paid on its due day: none is lost, and the next one stays.
        let all = try client.run("ack", "--all", now: later).output
        #expect(all.contains("2026-11-01") && all.contains("2026-11-29") && all.contains("next charge 2026-12-27"))
        #expect(try next(client, id, now: later) == "2026-12-27")
        #expect(try client.json("missed", now: later).arrayValue?.isEmpty == true)
        #expect(try client.json("show", id, now: later)["spent"]?.stringValue == "20.00")
        _ = try client.json("undo", now: later)
        #expect(try client.json("missed", now: later).each("billing_on") == ["2026-11-29", "2026-11-01"])
        _ = try client.json("ack", "\(id):2026-11-29", now: later)
        #expect(try next(client, id, now: later) == "2027-01-02")
        // An older charge moves nothing any more.
        _ = try client.json("paid", "\(id):2026-11-01", "--amount", "5", "--on", "2026-11-02", now: later)
        #expect(try next(client, id, now: later) == "2027-01-02")
    }

    @Test func severalAreConfirmedAsNamedOrNotAtAll() throws {
        let (client, id) = try prepaid()
        let later = "2027-01-05T10:00:00Z"
        let due = ["2026-12-27", "2026-11-29", "2026-11-01"]
        #expect(try client.json("missed", now: later).each("billing_on") == due)
        // In any order, one of them twice.
        let two = ["\(id):2026-11-29", "Prepaid “é”:2026-11-01", "\(id):2026-11-29"]
        #expect(try client.json(["ack"] + two, now: later).each("billing_on") == ["2026-11-29", "2026-11-01"])
        #expect(try client.json("missed", now: later).each("billing_on") == ["2026-12-27"])
        #expect(try client.json("show", id, now: later)["spent"]?.stringValue == "30.00")
        #expect(try next(client, id, now: later) == "2027-01-24")
        // The only one that is not confirmed yet is a payment of today.
        _ = try client.json("ack", "\(id):2026-11-29", "\(id):2026-12-27", now: later)
        #expect(try next(client, id, now: later) == "2027-02-02")
        _ = try client.json("undo", "2", now: later)
        // One payment pays one charge.
        for arguments in [["ack", "--all"], ["ack", "\(id):2026-11-01", "\(id):2026-11-29"]] {
            let refused = try client.run(arguments + ["--on", "2026-12-24", "--json"], now: later)
            #expect(refused.status == 1 && refused.output.contains("Is the day of one payment"))
            #expect(try client.json("missed", now: later).each("billing_on") == due)
        }
        let text = try client.run("ack", "--until", "2026-11-30", "--on", "2026-11-24", "--lang", "fr", now: later)
        #expect(text.status == 1 && text.errors.contains("confirme les échéances de Prepaid “é” une à une"))
        _ = try client.json("ack", "--until", "2026-11-28", "--on", "2026-11-24", now: later)
        #expect(try client.json("missed", now: later).each("billing_on") == ["2026-12-22"])
    }

    @Test func payingAheadCountsFromThatDay() throws {
        let (client, id) = try prepaid()
        _ = try client.json("ack", id, "--on", "2026-11-01")
        #expect(try next(client, id) == "2026-11-29")
        _ = try client.json("ack", "\(id):2026-11-29")
        #expect(try next(client, id) == "2026-12-18")
        #expect(try client.json("upcoming", "--days", "30").each("billing_on") == ["2026-11-29", "2026-12-18"])
        let after = "2026-12-10T10:00:00Z"
        #expect(try client.json("missed", now: after).arrayValue?.isEmpty == true)
        #expect(try client.json("show", id, now: after)["spent"]?.stringValue == "20.00")
    }

    @Test func otherDaysAndOtherCyclesAreRefused() throws {
        let (client, id) = try prepaid()
        for day in ["2026-11-21", "2026-10-04"] {
            let refused = try client.run("ack", "\(id):2026-11-01", "--on", day, "--json")
            #expect(refused.status == 1 && refused.output.contains("Must be from 2026-10-05 to 2026-11-20."))
            #expect(refused.output.contains("\"on\""))
        }
        let monthly = try client.add("Gym")
        let text = try client.run("ack", "\(monthly):2026-11-25", "--on", "2026-11-20", "--lang", "fr")
        #expect(text.status == 1 && text.errors.contains("ne sont pas comptées à partir des paiements"))
        #expect(try client.json("missed").each("billing_on") == ["2026-11-01"])
    }

    @Test(arguments: [
        ("tous les 28 jours après paiement", "every:28d after payment"),
        ("every 4 weeks after payment", "every:4w after payment"),
        ("mensuel après le paiement", "every:1m after payment"), ("yearly after payment", "every:1y after payment"),
        ("biweekly after each payment", "every:2w after payment"),
        ("trimestriel après paiement", "every:3m after payment"),
    ])
    func isReadInWords(_ text: String, _ wire: String) throws {
        let (client, id) = try prepaid(text)
        #expect(try client.json("show", id)["cycle"]?.stringValue == wire)
        #expect(try client.json("edit", id, "--cycle", "monthly")["cycle"]?.stringValue == "monthly")
        #expect(try client.json("edit", id, "--cycle", text)["cycle"]?.stringValue == wire)
    }

    @Test(arguments: [
        "lifetime after payment", "after payment", "every:28d  after payment x", "-2 weeks after payment",
    ])
    func otherWordsAreRefused(_ text: String) throws {
        let client = try Client()
        let refused = try client.run(
            "add", "--name", "x", "--amount", "1", "--currency", "EUR", "--next", "2026-12-01", "--cycle", text,
            "--json")
        #expect(refused.status != 0 && refused.output.contains("cycle"))
    }

    @Test func isNamedInBothLanguagesAndCounted() throws {
        let (client, id) = try prepaid()
        #expect(try client.run("show", id).output.contains("€10.00 every 28 days after payment"))
        #expect(try client.run("show", id, "--lang", "fr").output.contains("tous les 28 jours après paiement"))
        #expect(try client.run("list").output.contains("28 days after payment"))
        #expect(try client.json("total").each("annual") == ["130.36"])
    }

    @Test func exportsBackupsAndMergesKeepIt() throws {
        let (client, id) = try prepaid()
        _ = try client.json("ack", "\(id):2026-11-01", "--on", "2026-11-06")
        let (other, third) = (try Client(), try Client())
        let (csv, backup) = (client.folder.file("a.csv"), client.folder.file("a.json"))
        try client.run("export", "--format", "csv").output.write(toFile: csv, atomically: true, encoding: .utf8)
        _ = try other.json("import", "--format", "csv", csv)
        #expect(try other.json("list").each("cycle") == ["every:28d after payment"])
        #expect(try other.json("list").each("next_billing_on") == ["2026-12-04"])
        _ = try client.json("backup", backup)
        _ = try third.json("merge", backup)
        #expect(try next(third, id) == "2026-12-04")
        // The later of two payments counts on both.
        let (tenth, eleventh) = ("2026-12-10T10:00:00Z", "2026-12-11T10:00:00Z")
        _ = try third.json("ack", id, now: tenth)
        _ = try client.json("ack", id, "--on", "2026-12-05", now: eleventh)
        let theirs = third.folder.file("b.json")
        _ = try third.json("backup", theirs, now: eleventh)
        _ = try client.json("merge", theirs, now: eleventh)
        _ = try client.json("backup", backup, now: eleventh)
        _ = try third.json("merge", backup, now: eleventh)
        for device in [client, third] { #expect(try next(device, id, now: eleventh) == "2027-01-02") }
    }
}

import Foundation
import JSONWire
import TestKit
import Testing

/// What `changes` and `list` say about corners of a subscription's life.
@Suite struct ChangeCommandTests {
    @Test("Amounts of before a change of currency stay in the old currency")
    func currency() throws {
        let client = try Client()
        let id = try client.id(
            "add", "--name", "Club", "--amount", "10 €", "--cycle", "monthly", "--next", "2026-09-05",
            now: "2026-09-01T10:00:00Z")
        #expect(try client.run("edit", id, "--amount", "12", "--currency", "USD").status == 0)
        let change = try #require(try client.json("changes", "--since", "2026-11-01")[0])
        #expect(change["kind"]?.stringValue == "currency_change" && change["on"]?.stringValue == "2026-11-20")
        #expect(change["from"]?.stringValue == "10.00" && change["from_currency"]?.stringValue == "EUR")
        #expect(change["to"]?.stringValue == "12.00" && change["currency"]?.stringValue == "USD")
        #expect(change["percent"] == .null && change["annual_effect"] == .null)
        let text = try client.run("changes", "--since", "2026-11-01", "--lang", "fr").output
        #expect(text.contains("autre devise") && text.contains("10,00") && text.contains("€") && text.contains("$"))
    }

    @Test func aCancelledOneThatCameBackIsTold() throws {
        let client = try Client()
        let id = try client.id(
            "add", "--name", "Club", "--amount", "10 €", "--cycle", "monthly", "--next", "2026-08-05",
            now: "2026-08-01T10:00:00Z")
        #expect(try client.run("cancel", id, "--on", "2026-09-10", now: "2026-09-10T10:00:00Z").status == 0)
        #expect(try client.run("resume", id, "--from", "2026-11-01", now: "2026-11-01T10:00:00Z").status == 0)
        let changes = try client.json("changes", "--since", "2026-08-01")
        #expect(changes.each("kind") == ["started", "ended", "resumed"])
        #expect(changes.each("on") == ["2026-08-01", "2026-09-10", "2026-11-01"])
        #expect(changes.each("annual_effect") == ["120.00", "-120.00", "120.00"])
        #expect(try client.run("changes", "--since", "2026-11-01").output.contains("came back"))
    }

    @Test("Parts of a bundle cost nothing of their own, and end with it")
    func bundles() throws {
        let client = try Client()
        let bundle = try client.add("Box", "--amount", "40")
        let part = try client.add("Sport", "--amount", "15", "--bundled-in", bundle)
        _ = try client.add("Gym", "--amount", "20")
        func annual() throws -> [String] { try client.json("list").each("annual_amount") }
        #expect(try client.json("list").each("name") == ["Box", "Gym", "Sport"])
        #expect(try annual() == ["480.00", "240.00", "0.00"])
        #expect(try client.json("total").each("annual") == ["720.00"])
        let shown = try client.json("show", part)
        #expect(shown["bundled"] == .bool(true) && shown["next_billing_on"]?.stringValue == "2026-11-25")
        #expect(try client.run("cancel", bundle).status == 0)
        #expect(try client.json("show", part)["next_billing_on"] == .null)
        #expect(try client.json("list")[2]?["next_billing_on"] == .null)
        #expect(try annual() == ["0.00", "240.00", "0.00"])
    }

    @Test func aPlannedCancellationIsTold() throws {
        let client = try Client()
        let id = try client.add("Club")
        #expect(try client.run("cancel", id, "--on", "2027-01-10").status == 0)
        let listed = try #require(try client.json("list")[0])
        #expect(listed["status"]?.stringValue == "active" && listed["cancels_on"]?.stringValue == "2027-01-10")
        #expect(try client.run("list").output.contains("ends 2027-01-09"))
        #expect(try client.run("edit", id, "--cycle", "toutes les -2 semaines").status == 1)
    }
}

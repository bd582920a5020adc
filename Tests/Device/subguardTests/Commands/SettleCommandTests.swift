import Foundation
import JSONWire
import TestKit
import Testing

/// Settling, leaving and one's own part, through the program.
@Suite struct SettleCommandTests {
    /// A group in which debts go round: Ana owes Ben, Ben owes me, in euros; the other way in dollars.
    private func group() throws -> (client: Client, group: String) {
        let client = try Client()
        for name in ["Ana", "Ben", "Zoé"] { _ = try client.id("people", "add", "--name", name) }
        let group = try client.id("groups", "add", "--name", "Rome", "--members", "me,Ana,Ben,Zoé")
        for (amount, currency, payer, people) in [
            ("100", "EUR", "Ben", "Ana,Ben"), ("90", "EUR", "me", "Ben,Zoé,me"), ("33.34", "EUR", "Zoé", "me,Ana"),
            ("40", "USD", "Ana", "me,Ana"), ("61.01", "USD", "me", "Zoé,Ben,me"), ("1000", "JPY", "Zoé", "me,Ana,Ben"),
        ] {
            let added = try client.run(
                "expenses", "add", "--group", "Rome", "--title", "x", "--amount", amount, "--currency", currency,
                "--paid-by", payer, "--on", "2026-11-10", "--between", people)
            #expect(added.status == 0, "\(added.errors)")
        }
        return (client, group)
    }

    @Test("Repaying what settle proposes leaves nothing, in no currency and between no two people")
    func settledMeansSettled() throws {
        let (client, group) = try group()
        let proposed = try client.json("settle", group).arrayValue ?? []
        #expect(Set(proposed.compactMap { $0["currency"]?.stringValue }) == ["EUR", "USD", "JPY"])
        for transfer in proposed {
            let text = { (name: String) in transfer[name]?.stringValue ?? "" }
            let repaid = try client.run(
                "repay", text("from"), "--to", text("to"), "--amount", text("amount"), "--currency", text("currency"),
                "--group", group)
            #expect(repaid.status == 0, "\(repaid.errors)")
        }
        #expect(try client.json("settle", group) == .array([]))
        #expect(try client.json("balance") == .array([]))
        for name in ["Ana", "Ben", "Zoé"] {
            #expect(try client.json("settle", name) == .array([]))
            // Nothing is open, so no one has to be deleted by force.
            #expect(try client.run("people", "delete", name).status == 0)
        }
    }

    @Test("After a part of it, the balances with everybody are what the group says")
    func halfSettled() throws {
        let (client, group) = try group()
        let proposed = try client.json("settle", group).arrayValue ?? []
        let first = try #require(
            proposed.first { $0["to_name"]?.stringValue != "Me" && $0["from_name"]?.stringValue != "Me" })
        let text = { (name: String) in first[name]?.stringValue ?? "" }
        _ = try client.run(
            "repay", text("from"), "--to", text("to"), "--amount", text("amount"), "--currency", text("currency"),
            "--group", group)
        func cents(_ rows: JSONValue, _ sign: (JSONValue) -> Int) -> [String: Int] {
            (rows.arrayValue ?? []).reduce(into: [:]) { sums, row in
                let amount = Int(((Double(row["amount"]?.stringValue ?? "") ?? 0) * 100).rounded())
                sums[row["currency"]?.stringValue ?? "", default: 0] += sign(row) * amount
            }.filter { $0.value != 0 }
        }
        let settle = try cents(client.json("settle", group)) { row in
            row["to_name"]?.stringValue == "Me" ? 1 : row["from_name"]?.stringValue == "Me" ? -1 : 0
        }
        #expect(try cents(client.json("balance")) { _ in 1 } == settle)
    }

    @Test func aPersonIsSettledByIDToo() throws {
        let client = try Client()
        let zoe = try client.id("people", "add", "--name", "Zoé")
        _ = try client.add("Spotify", "--amount", "18", "--started", "2026-09-05", next: "2026-12-05")
        #expect(try client.run("share", "spotify", "--with", "zoé", "--from", "2026-10-01").status == 0)
        for name in ["zoé", zoe, String(zoe.prefix(18)), zoe.uppercased(), "me"] {
            #expect(try client.json("settle", name).each("amount") == ["18.00"], "\(name)")
        }
        #expect(try client.run("settle", "00000000-0000-4000-8000-000000000000").errors.contains("no such group"))
    }

    @Test("Deleting a person says what was theirs; expenses and transactions keep the name")
    func deleting() throws {
        let client = try Client()
        let zoe = try client.id("people", "add", "--name", "Zoé")
        _ = try client.add("Spotify", "--amount", "18", "--started", "2026-09-05", next: "2026-12-05")
        #expect(try client.run("share", "spotify", "--with", "zoé", "--from", "2026-10-01").status == 0)
        _ = try client.id("groups", "add", "--name", "Rome", "--members", "me,Zoé")
        #expect(
            try client.run(
                "expenses", "add", "--group", "Rome", "--title", "Taxi", "--amount", "10 €", "--currency", "EUR",
                "--paid-by", "Zoé", "--on", "2026-11-10"
            ).status == 0)
        #expect(
            try client.run(
                "transactions", "add", "--title", "Gift", "--amount", "5", "--currency", "EUR", "--on", "2026-11-10",
                "--type", "expense", "--person", "Zoé"
            ).status == 0)
        #expect(try client.run("people", "delete", "zoé").status == 1)
        let deleted = try client.run("people", "delete", "zoé", "--force").output
        #expect(deleted.contains("Spotify: €9.00 was theirs, you pay it now"))
        #expect(deleted.contains("Zoé owes you €18.00 since 2026-10-05"))
        #expect(deleted.contains("Rome: the group still owes them €5.00"))
        #expect(try client.run("undo").status == 0)
        let json = try client.json("people", "delete", "zoé", "--force")
        #expect(json["open"]?.each("amount") == ["18.00"] && json["open"]?.each("from") == [zoe])
        #expect(try client.run("expenses", "list").output.contains("Zoé"))
        #expect(try client.run("undo", "--list").output.contains("Zoé: person deleted"))
        #expect(try client.json("transactions", "list")[0]?["subtitle"]?.stringValue == "Zoé")
        #expect(try client.run("undo").status == 0)
        #expect(try client.json("transactions", "list")[0]?["person_id"]?.stringValue == zoe)
    }

    @Test("My part of a year after somebody left in the middle of a cycle", arguments: ["share", "delete"])
    func leaving(_ how: String) throws {
        let client = try Client()
        _ = try client.id("people", "add", "--name", "Ana", now: "2026-01-01T10:00:00Z")
        _ = try client.id(
            "add", "--name", "Spotify", "--amount", "18 €", "--cycle", "monthly", "--next", "2026-01-15",
            now: "2026-01-01T10:00:00Z")
        let shared = try client.run("share", "spotify", "--with", "ana", now: "2026-01-01T10:00:00Z")
        #expect(shared.status == 0)
        let left =
            how == "share"
            ? try client.run("share", "spotify", "--with", "", "--from", "2026-11-20")
            : try client.run("people", "delete", "ana", "--force")
        #expect(left.status == 0, "\(left)")
        // Eleven halves until 15 November, all of December.
        for now in ["2026-11-20T10:00:00Z", "2026-12-15T10:00:00Z", "2027-02-01T10:00:00Z"] {
            let year = try client.json("year", "2026", "--net", now: now)
            #expect(year.each("total") == ["117.00"], "\(now)")
        }
        let now = "2027-01-10T10:00:00Z"
        func spent(_ arguments: String...) throws -> JSONValue {
            try client.json(["spending", "--to", "2026-12-31"] + arguments, now: now)
        }
        #expect(try spent().each("amount") == ["216.00"] && spent("--net").each("amount") == ["117.00"])
        #expect(try spent("--net")[0]?["net"] == .bool(true))
        for key in ["scope", "category", "subscription"] {
            #expect(try spent("--net", "--by", key).each("amount") == ["117.00"], "\(key)")
        }
        let months = try spent("--net", "--by", "month")
        #expect(months.each("amount") == [String](repeating: "9.00", count: 11) + ["18.00"])
    }
}

import JSONWire
import TestKit
import Testing

/// A charge that was confirmed keeps its amount, whatever prices are entered later.
@Suite struct ConfirmedAmountTests {
    @Test func aNewPriceLeavesAChargeThatWasConfirmedAhead() throws {
        let client = try Client()
        _ = try client.id(
            "add", "--name", "Swisscom", "--amount", "CHF 59.90", "--cycle", "monthly", "--next", "2027-01-25",
            now: "2027-01-10T10:00:00Z")
        let now = "2027-01-20T10:00:00Z"
        #expect(try client.run("ack", "Swisscom:2027-01-25", now: now).status == 0)
        let edited = try client.run("edit", "Swisscom", "--amount", "64.90", now: now)
        #expect(edited.status == 0)
        #expect(
            edited.errors.contains("1 confirmed charge keeps its amount: 2027-01-25 CHF\u{A0}59.90; `paid` changes it"),
            "\(edited)")
        #expect(try client.json("show", "Swisscom", now: now)["history"]?.each("amount") == ["59.90"])
        // It is a rise from today on, not a correction of what was paid.
        let changes = try client.json("changes", "--since", "2027-01-15", now: now)
        #expect(changes.each("kind") == ["price_rise"] && changes.each("from") == ["59.90"])
        #expect(try client.json("month", "2027-01", now: now).each("total") == ["59.90"])
        #expect(try client.json("month", "2027-02", now: now).each("total") == ["64.90"])
    }

    /// Two confirmed charges at €10, one that was never confirmed.
    private func gym() throws -> Client {
        let client = try Client()
        _ = try client.id("people", "add", "--name", "Ana", now: "2027-03-01T10:00:00Z")
        _ = try client.id(
            "add", "--name", "Gym", "--amount", "10 €", "--cycle", "monthly", "--next", "2027-03-05",
            now: "2027-03-01T10:00:00Z")
        #expect(try client.run("share", "Gym", "--with", "Ana", now: "2027-03-01T10:00:00Z").status == 0)
        for day in ["2027-03-05", "2027-04-05"] {
            #expect(try client.run("ack", "Gym:\(day)", now: "\(day)T10:00:00Z").status == 0)
        }
        return client
    }

    private static let now = "2027-05-16T10:00:00Z"

    private func spent(_ client: Client, _ member: String) throws -> [String] {
        try client.json("spending", "--by", "subscription", now: Self.now).each(member)
    }

    @Test func aPriceOfThePastCountsForWhatWasNotConfirmed() throws {
        let client = try gym()
        let price = try client.json("price", "Gym", "--amount", "12", "--from", "2027-04-01", now: Self.now)
        #expect(price["kept"]?.each("billing_on") == ["2027-04-05"] && price["kept"]?.each("amount") == ["10.00"])
        #expect(try spent(client, "confirmed") == ["20.00"] && spent(client, "assumed") == ["12.00"])
        #expect(try client.json("balance", now: Self.now).each("amount") == ["16.00"])
        // The user says otherwise.
        #expect(try client.run("paid", "Gym:2027-04-05", "--amount", "12", now: Self.now).status == 0)
        #expect(try spent(client, "confirmed") == ["22.00"])
        _ = try client.run("undo", "2", now: Self.now)
        #expect(try spent(client, "confirmed") == ["20.00"] && spent(client, "assumed") == ["10.00"])
        #expect(try client.run("redo", now: Self.now).status == 0)
        #expect(try spent(client, "confirmed") == ["20.00"] && spent(client, "assumed") == ["12.00"])
    }

    @Test func aPriceThatIsTakenBackLeavesWhatWasConfirmedAtIt() throws {
        let client = try gym()
        #expect(try client.run("price", "Gym", "--amount", "12", "--from", "2027-05-01", now: Self.now).status == 0)
        #expect(try client.run("ack", "Gym:2027-05-05", now: Self.now).status == 0)
        let removed = try client.run("price", "Gym", "--remove", "2027-05-01", now: Self.now)
        #expect(removed.errors.contains("2027-05-05 €12.00"), "\(removed)")
        #expect(try spent(client, "confirmed") == ["32.00"])
        // Nothing was confirmed at another amount: nothing is said.
        let later = try client.run("price", "Gym", "--amount", "15", "--from", "2027-07-01", now: Self.now)
        #expect(later.errors.isEmpty, "\(later)")
    }

    @Test func anotherDeviceGetsTheAmounts() throws {
        let (one, other) = (try gym(), try Client())
        let first = one.folder.file("first.json")
        #expect(try one.run("backup", first, now: Self.now).status == 0)
        #expect(try other.run("merge", first, now: Self.now).status == 0)
        #expect(try one.run("price", "Gym", "--amount", "12", "--from", "2027-03-01", now: Self.now).status == 0)
        let second = one.folder.file("second.json")
        #expect(try one.run("backup", second, now: Self.now).status == 0)
        #expect(try other.run("merge", second, now: Self.now).status == 0)
        for client in [one, other] {
            #expect(try spent(client, "confirmed") == ["20.00"] && spent(client, "assumed") == ["12.00"])
        }
    }

    @Test func manyAreCountedAndTheNewestNamed() throws {
        let client = try Client()
        _ = try client.id(
            "add", "--name", "Gym", "--amount", "10 €", "--cycle", "weekly", "--next", "2027-01-04",
            now: "2027-01-02T10:00:00Z")
        #expect(try client.run("ack", "--all", now: "2027-03-02T10:00:00Z").status == 0)
        let price = try client.run(
            "price", "Gym", "--amount", "11", "--from", "2027-01-10", now: "2027-03-02T10:00:00Z")
        let said = "9 confirmed charges keep their amounts: 2027-03-08 €10.00, 2027-03-01 €10.00"
        #expect(price.errors.contains(said) && price.errors.contains("2027-02-01 €10.00, …; `paid`"), "\(price)")
    }

    @Test func anAssumedChargeFollowsThePrice() throws {
        let client = try Client()
        let now = "2026-11-30T10:00:00Z"
        _ = try client.id(
            "add", "--name", "Gym", "--amount", "9.99", "--currency", "EUR", "--cycle", "monthly", "--next",
            "2026-12-05", "--started", "2026-08-05", now: now)
        let price = try client.run("price", "Gym", "--amount", "12.34", "--from", "2026-10-05", now: now)
        let said = "2 assumed charges follow the new price: 2026-11-05 €12.34, 2026-10-05 €12.34"
        #expect(price.errors == "note: \(said)\n", "\(price)")
        #expect(try client.json("spending", "--by", "subscription", now: now).each("assumed") == ["44.66"])
        // Confirmed ones keep theirs.
        #expect(try client.run("paid", "Gym:2026-08-05", "--amount", "9.99", now: now).status == 0)
        #expect(try client.run("ack", "Gym:2026-09-05", now: now).status == 0)
        let all = ["price", "Gym", "--amount", "15", "--from", "2026-08-05"]
        let json = try client.json(all, now: now)
        #expect(json["kept"]?.each("billing_on") == ["2026-09-05"] && json["kept"]?.each("amount") == ["9.99"])
        #expect(json["followed"] == nil)
        let removed = try client.run(["price", "Gym", "--remove", "2026-10-05", "--lang", "fr"], now: now)
        let french = "2 échéances supposées suivent le nouveau prix : 05/11/2026 15,00"
        #expect(removed.errors.contains(french), "\(removed)")
    }

    @Test("What a change means for the days to come is printed with it")
    func coming() throws {
        let client = try Client()
        let now = "2027-02-20T10:00:00Z"
        for name in ["Netflix", "iCloud"] {
            _ = try client.id(
                "add", "--name", name, "--amount", "14.99 €", "--cycle", "monthly", "--next", "2027-03-01", now: now)
        }
        let price = try client.run("price", "Netflix", "--amount", "17.99", "--from", "2027-03-01", now: now)
        #expect(price.output == "Netflix  €14.99  Monthly  2027-03-01  active, €17.99 from 2027-03-01\n")
        let pause = try client.run("pause", "iCloud", "--from", "2027-03-01", "--until", "2027-04-30", now: now)
        #expect(pause.output.hasSuffix("  active, paused from 2027-03-01 through 2027-04-30\n"), "\(pause)")
        let open = try client.run("pause", "Netflix", "--from", "2027-03-10", now: now).output
        #expect(open.hasSuffix("  active, €17.99 from 2027-03-01, paused from 2027-03-10\n"), "\(open)")
        let paused = try client.run("pause", "iCloud", "--until", "2027-03-31", now: "2027-03-02T10:00:00Z").output
        #expect(paused.hasSuffix("  paused, active from 2027-04-01\n"), "\(paused)")
        let french = try client.run(
            "price", "Netflix", "--amount", "19", "--from", "2027-03-05", "--lang", "fr", now: now)
        #expect(french.output.contains("17,99\u{A0}€ à partir du 01/03/2027, 19,00\u{A0}€ à partir du 05/03/2027"))
    }

    @Test func anEditWithoutAFieldSaysSo() throws {
        let client = try Client()
        let id = try client.add()
        let edited = try client.run("edit", id)
        #expect(edited.status == 0 && edited.errors == "note: nothing to change: name a field, such as --amount\n")
        #expect(try client.run("undo", "--list").output.contains("changed") == false)
    }

    @Test func showSaysThatThereAreOlderCharges() throws {
        let client = try Client()
        let id = try client.add("Old", "--started", "2025-08-25")
        let said = try client.run("show", id).output
        #expect(said.contains("3 older charges since 2025-08-25: --json"), "\(said)")
        #expect(try client.json("show", id)["history"]?.arrayValue?.count == 15)
    }
}

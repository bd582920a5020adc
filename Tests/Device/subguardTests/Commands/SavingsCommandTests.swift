import JSONWire
import TestKit
import Testing

/// What was saved is what `year` would count without the cancellation, less what it counts.
@Suite struct SavingsCommandTests {
    private static let now = "2026-08-21T10:00:00Z"
    private static let entry = "2026-01-02T10:00:00Z"

    private struct Household {
        let client: Client
        func charged() throws -> Int { try cents(client.json("year", "2026", now: now), "charged") }
        func saved() throws -> Int { try cents(client.json("savings", now: now), "amount") }
        private func cents(_ rows: JSONValue, _ member: String) -> Int {
            rows.each(member).reduce(0) { $0 + (Int($1.replacing(".", with: "")) ?? 0) }
        }
    }

    /// - Parameter acts: the commands before the cancellation, each with its day.
    private func household(
        entered: String, _ add: [String] = [], acts: [([String], String)]
    ) throws -> Household {
        let client = try Client()
        let added = try client.run(
            ["add", "--name", "A", "--amount", "10 €", "--cycle", "monthly"] + add, now: entered)
        #expect(added.status == 0, "\(added.errors)")
        for (act, day) in acts {
            let done = try client.run(act, now: "\(day)T10:00:00Z")
            #expect(done.status == 0, "\(act): \(done.errors)")
        }
        return Household(client: client)
    }

    @Test("Saved and charged add up to what would have been charged", arguments: 0..<6)
    func addUp(_ variant: Int) throws {
        let days = (1...8).map { "2026-0\($0)-20" }
        let confirmed = days.prefix(6).map { (["ack", "A:\($0)"], $0) }
        let entered = ["--next", "2026-01-20"]
        let make = { () throws -> Household in
            switch variant {
            // All confirmed by June.
            case 0: return try household(entered: Self.entry, entered, acts: confirmed)
            // None confirmed.
            case 1: return try household(entered: Self.entry, entered, acts: [])
            // Another amount, and one that was skipped.
            case 2:
                let paid = (["paid", "A:2026-05-20", "--amount", "7.77"], "2026-05-20")
                return try household(
                    entered: Self.entry, entered, acts: [confirmed[1], paid, (["skip", "A:2026-06-20"], days[5])])
            // Entered in June, assumed since March.
            case 3:
                return try household(
                    entered: "2026-06-15T10:00:00Z", ["--next", "2026-06-20", "--started", "2026-03-20"], acts: [])
            // The same, one of the assumed charges confirmed.
            case 4:
                return try household(
                    entered: "2026-06-15T10:00:00Z", ["--next", "2026-06-20", "--started", "2026-03-20"],
                    acts: [(["ack", "A:2026-05-20"], "2026-06-16")])
            // A dated price, and another billing day from July on.
            default:
                return try household(
                    entered: Self.entry, entered,
                    acts: [
                        (["price", "A", "--amount", "12", "--from", "2026-05-01"], "2026-01-03"), confirmed[4],
                        (["edit", "A", "--next", "2026-07-05"], "2026-06-25"),
                    ])
            }
        }
        let kept = try make()
        let cancelled = try make()
        let cancel = try cancelled.client.run("cancel", "A", "--on", "2026-04-01", now: Self.now)
        #expect(cancel.status == 0, "\(cancel.errors)")
        // The price of a day on which the user paid something else is not saved, as it was paid.
        #expect(try cancelled.charged() + cancelled.saved() == kept.charged(), "\(variant)")
        if variant == 0 { #expect(try cancelled.saved() == 2000) }
        if variant == 3 { #expect(try cancelled.charged() == 1000 && cancelled.saved() == 5000) }
    }

    @Test func sharedOnesAreInFullOrNet() throws {
        let client = try Client()
        for name in ["Ana"] { _ = try client.id("people", "add", "--name", name, now: Self.entry) }
        _ = try client.id(
            "add", "--name", "A", "--amount", "10 €", "--cycle", "monthly", "--next", "2026-01-20", now: Self.entry)
        #expect(try client.run("share", "A", "--with", "Ana", now: Self.entry).status == 0)
        #expect(try client.run("price", "A", "--amount", "13", "--from", "2026-03-01", now: Self.entry).status == 0)
        let now = "2026-03-10T10:00:00Z"
        let note = "in full; --net counts only your part"
        let whatIf = try client.run("what-if", "--cancel", "A", now: now).output
        #expect(whatIf.hasPrefix("cancelling saves €156.00 until") && whatIf.contains(note), "\(whatIf)")
        let net = try client.run("what-if", "--cancel", "A", "--net", now: now).output
        #expect(net.contains("€78.00") && net.contains("your part of what is shared"), "\(net)")
        #expect(try client.json("what-if", "--cancel", "A", "--net", now: now)["net"] == .bool(true))
        let changes = try client.run("changes", "--since", "2026-02-01", now: now).output
        #expect(changes.contains(note) && changes.contains("+€36.00"), "\(changes)")
        let mine = try client.json("changes", "--since", "2026-02-01", "--net", now: now)
        #expect(mine.each("from") == ["5.00"] && mine.each("to") == ["6.50"])
        #expect(mine.each("annual_effect") == ["18.00"] && mine.each("percent") == ["30"])
        #expect(try client.run("cancel", "A", "--on", "2026-03-15", now: "2026-03-15T10:00:00Z").status == 0)
        #expect(try client.run("savings", now: Self.now).output.contains(note))
        #expect(try client.json("savings", now: Self.now).each("amount") == ["78.00"])
        #expect(try client.json("savings", "--net", now: Self.now).each("amount") == ["39.00"])
    }
}

import JSONWire
import TestKit
import Testing

/// A pause of a contract: it goes on, and is extended unless it is cancelled in time.
@Suite struct PausedContractTests {
    private let now = "2028-01-05T10:00:00Z"

    private func gym() throws -> Client {
        let client = try Client()
        let added = try client.run(
            ["add", "--name", "Gym club “é”", "--amount", "50", "--currency", "EUR", "--cycle", "monthly"]
                + ["--next", "2028-01-20", "--contract-ends", "2028-03-31", "--notice-days", "30"]
                + ["--extension-months", "12", "--started", "2027-04-01"], now: now)
        #expect(added.status == 0, "\(added.errors)")
        let paused = try client.run(
            "pause", "Gym club “é”", "--from", "2028-01-05", "--until", "2028-03-10", now: now)
        #expect(paused.status == 0, "\(paused.errors)")
        return client
    }

    @Test func theLastDayIsShownAndReminded() throws {
        let client = try gym()
        let entry = try client.json("cancel-by", now: now)[0]
        #expect(entry?["cancel_by"]?.stringValue == "2028-03-01" && entry?["amount"]?.stringValue == "600.00")
        #expect(entry?["reason"]?.stringValue == "contract")
        for day in ["2028-02-16", "2028-02-27"] {
            let told = try client.json("remind", "--dry-run", now: day + "T10:00:00Z")
            #expect(told.each("kind") == ["cancel_by"] && told.each("on") == ["2028-03-01"], "\(day): \(told)")
        }
        #expect(try client.run("export", "--format", "ical", now: now).output.contains("-cancel-by-2028-04-20@"))
    }

    @Test func theRunningTermIsStillOwed() throws {
        let client = try gym()
        // Nine charges from 20 April to 20 December; the one of 20 March is owed.
        let effect = try client.json("what-if", "--cancel", "Gym club “é”", now: now)
        #expect(effect["saves"]?.each("amount") == ["450.00"])
        #expect(effect["commitments"]?.each("name") == ["Gym club “é”"], "\(effect)")
        let cancelled = try client.run("cancel", "Gym club “é”", now: now).output
        #expect(cancelled.contains("still costs €50.00 until 2028-03-31"), "\(cancelled)")
        #expect(try client.json("show", "Gym club “é”", now: now)["cancels_on"]?.stringValue == "2028-04-01")
        let due = try client.json("forecast", now: now).each("amount").filter { $0 != "0.00" }
        #expect(due == ["50.00"])
    }

    /// Without a contract, the day before the next charge; what is paused until it is resumed saves nothing.
    @Test func aPauseWithoutAContract() throws {
        let client = try Client()
        for name in ["For days", "Endless"] { _ = try client.add(name, next: "2026-11-25") }
        #expect(try client.run("pause", "For days", "--until", "2026-12-10").status == 0)
        #expect(try client.run("pause", "Endless").status == 0)
        let entries = try client.json("cancel-by")
        #expect(entries.each("name") == ["For days"] && entries.each("cancel_by") == ["2026-12-24"])
    }
}

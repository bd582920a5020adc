import JSONWire
import TestKit
import Testing

/// Splits from days on: what `show` and `share` say is what `month`, `total` and `balance` count.
@Suite struct DatedShareCommandTests {
    private static let start = "2027-01-02T10:00:00Z"

    private func family() throws -> Client {
        let client = try Client()
        for name in ["Ana", "Béa"] { _ = try client.id("people", "add", "--name", name, now: Self.start) }
        _ = try client.id(
            "add", "--name", "Fam", "--amount", "10 €", "--cycle", "monthly", "--next", "2027-01-15", now: Self.start)
        return client
    }

    private func share(_ client: Client, _ people: String, from day: String) throws -> Client.Outcome {
        let outcome = try client.run("share", "Fam", "--with=\(people)", "--from", day, now: Self.start)
        #expect(outcome.status == 0, "\(outcome)")
        return outcome
    }

    /// In cents, as the amounts of these tests have two decimals.
    private func cents(_ amounts: [String]) -> Int {
        amounts.reduce(0) { $0 + (Int($1.replacing(".", with: "")) ?? 0) }
    }

    @Test func aSplitOfALaterDayIsNotShownAsTodays() throws {
        let client = try family()
        let said = try share(client, "Ana", from: "2027-03-01")
        #expect(said.output == "Ana  €5.00\nyou  €5.00\nfrom 2027-03-01 on\n")
        let shown = try client.json("show", "Fam", now: Self.start)
        #expect(shown["shares"] == .array([]))
        #expect(shown["shares_later"]?.each("from") == ["2027-03-01"])
        #expect(shown["shares_later"]?[0]?["shares"]?.each("name") == ["Ana"])
        let text = try client.run("show", "Fam", now: Self.start).output
        #expect(text.contains("share from") && text.contains("2027-03-01  Ana €5.00"), "\(text)")
        #expect(try client.json("month", "2027-02", "--net", now: Self.start).each("total") == ["10.00"])
        #expect(try client.json("total", "--net", now: Self.start).each("annual") == ["120.00"])
        // On its day it is the one that holds.
        let later = try client.json("show", "Fam", now: "2027-03-01T10:00:00Z")
        #expect(later["shares"]?.each("amount") == ["5.00"] && later["shares_later"] == .array([]))
    }

    @Test("The parts that show names on the day of each charge add up to what month and balance count")
    func allAgree() throws {
        let client = try family()
        // Entered in no order of the days.
        _ = try share(client, "Ana", from: "2027-03-01")
        _ = try share(client, "", from: "2027-08-01")
        _ = try share(client, "Ana,Béa", from: "2027-05-15")
        _ = try share(client, "Béa", from: "2027-01-01")
        _ = try share(client, "Béa", from: "2027-10-16")
        let after = "2028-01-02T10:00:00Z"
        var theirs = 0
        for month in 1...12 {
            let name = "2027-" + (month < 10 ? "0" : "") + "\(month)"
            let shown = try client.json("show", "Fam", now: "\(name)-15T10:00:00Z")
            let parts = shown["shares"]?.each("name").count ?? 0
            let net = try client.json("month", name, "--net", now: after)
            let total = try client.json("total", "--net", now: "\(name)-15T10:00:00Z")
            // A cent that cannot be divided goes round.
            let mine = cents(net.each("total"))
            #expect([[1000], [500], [333, 334]][parts].contains(mine), "\(name)")
            #expect(abs(cents(total.each("annual")) - 12 * mine) <= 8, "\(name)")
            theirs += 1000 - mine
        }
        #expect(try cents(client.json("balance", now: after).each("amount")) == theirs)
        #expect(try cents(client.json("year", "2027", "--net", now: after).each("total")) == 12000 - theirs)
    }

    @Test func aSplitBeforeOthersSaysWhichStayAndTheyCanBeTakenBack() throws {
        let client = try family()
        _ = try share(client, "Ana", from: "2027-01-01")
        _ = try share(client, "", from: "2027-05-01")
        let said = try share(client, "Ana,Béa", from: "2027-01-01").output
        #expect(said.contains("from 2027-05-01 on, as before: you pay everything"), "\(said)")
        #expect(said.contains("subguard share \"Fam\" --remove 2027-05-01"), "\(said)")
        #expect(try client.json("month", "2027-06", "--net", now: Self.start).each("total") == ["10.00"])
        let text = try client.run("show", "Fam", now: Self.start).output
        #expect(text.contains("2027-05-01  you pay everything"), "\(text)")
        let refused = try client.run("share", "Fam", "--remove", "2027-05-02", now: Self.start)
        #expect(refused.status == 1 && refused.errors.contains("remove"), "\(refused)")
        #expect(try client.run("share", "Fam", "--remove", "2027-05-01", now: Self.start).status == 0)
        #expect(try client.json("month", "2027-06", "--net", now: Self.start).each("total") == ["3.33"])
        #expect(try client.run("undo", now: Self.start).status == 0)
        #expect(try client.json("month", "2027-06", "--net", now: Self.start).each("total") == ["10.00"])
        // All of them gone, nothing is shared.
        for day in ["2027-05-01", "2027-01-01"] {
            #expect(try client.run("share", "Fam", "--remove", day, now: Self.start).status == 0)
        }
        #expect(try client.json("show", "Fam", now: Self.start)["shares"] == .array([]))
        #expect(try client.json("total", "--net", now: Self.start).each("annual") == ["120.00"])
        #expect(try client.run("share", "Fam", "--remove", "2027-05-01", "--with", "Ana").status == 64)
    }

    @Test func whatWasAgreedHoldsUntilTheSharingEnds() throws {
        let client = try family()
        let agreed = try client.run(
            "share", "Fam", "--with", "Ana", "--from", "2027-01-01", "--accepted", "--notes", "by transfer",
            now: Self.start)
        #expect(agreed.status == 0)
        _ = try share(client, "", from: "2027-05-01")
        let shown = try client.json("show", "Fam", now: Self.start)
        #expect(shown["shares_accepted"] == .bool(true) && shown["shares_notes"] == .string("by transfer"))
    }
}

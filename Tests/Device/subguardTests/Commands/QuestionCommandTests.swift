import Foundation
import JSONWire
import TestKit
import Testing

@Suite struct QuestionCommandTests {
    private func client() throws -> Client {
        let client = try Client()
        _ = try client.add("Nétflix “HD” 🎉", next: "2026-08-18")
        _ = try client.add("Gym", "--category", "pro", next: "2026-11-20")
        return client
    }

    private let now = "2026-11-20T10:00:00Z"

    @Test func aMonthAndAYearHaveTheFieldsOfTheContract() throws {
        let client = try client()
        let month = try #require(try client.json("month", "2026-11").arrayValue?.first)
        #expect(month["month"]?.stringValue == "2026-11" && month["currency"]?.stringValue == "EUR")
        #expect(month["charged"]?.stringValue == "0.00" && month["to_come"]?.stringValue == "13.49")
        #expect(month["total"]?.stringValue == "13.49")
        #expect(month["by_scope"]?["pro"]?["to_come"]?.stringValue == "13.49")
        #expect(try client.json("month", "11/2026").arrayValue?.first?["total"]?.stringValue == "13.49")
        #expect(try client.json("year").arrayValue?.first?["year"]?.stringValue == "2026")
        #expect(
            try client.run("month").output.contains("November 2026") || client.run("month").output.contains("2026-11"))
        #expect(try client.run("month", "--lang", "fr").output.contains("novembre 2026"))
        #expect(try client.json("month", "2030-02").arrayValue?.isEmpty == false)
        for bad in ["2026-13", "2026", "", "2026-1", "13/2026"] {
            #expect(try client.run("month", bad).status == 64, "\(bad)")
        }
        #expect(try client.run("year", "1").status == 64)
    }

    @Test func pendingHasItsSum() throws {
        let client = try client()
        #expect(try client.run("pending").output.hasSuffix("together €13.49\n"))
        #expect(try client.json("pending").arrayValue?.count == 1)
    }

    @Test func changesSpendingAndWhatIf() throws {
        let client = try client()
        _ = try client.run("price", "gym", "--amount", "15.99", "--from", "2026-11-20")
        let changes = try client.json("changes", "--since", "2026-11-01")
        #expect(changes.each("kind") == ["started", "started"])
        #expect(try client.json("changes", "--since", "2026-11-21").arrayValue?.isEmpty == true)
        #expect(try client.run("changes", "--since", "soon").status == 64)
        let effect = try client.json("what-if", "--cancel", "NETFLIX", "gym")
        #expect(effect["until"]?.stringValue == "2027-11-19")
        // 12 x 13.49 and 12 x 15.99.
        #expect(effect["saves"]?.arrayValue?.first?["amount"]?.stringValue == "353.76")
        #expect(effect["commitments"]?.arrayValue?.isEmpty == true)
        #expect(try client.run("what-if", "--cancel", "nothing").status == 1)
        #expect(try client.json("spending", "--by", "month").arrayValue?.isEmpty == true)
        #expect(try client.run("spending", "--by", "year").status == 64)
    }

    @Test func aNameStandsForAnID() throws {
        let client = try client()
        let id = try #require(try client.json("show", "net")["id"]?.stringValue)
        #expect(try client.json("show", "NÉTFLIX “hd” 🎉")["id"]?.stringValue == id)
        _ = try client.add("Gymnastics")
        // The whole name wins; a beginning of two is refused with both.
        #expect(try client.json("show", "gym")["name"]?.stringValue == "Gym")
        let refused = try client.run("show", "gy")
        #expect(refused.status == 1 && refused.errors.contains("Gym") && refused.errors.contains("Gymnastics"))
        #expect(try client.run("show", "zzz").status == 1)
        let confirmed = try client.json("ack", "gym")
        #expect(confirmed["billing_on"]?.stringValue == "2026-11-20")
        // Nothing is open any more.
        #expect(try client.run("ack", "gym").status == 1)
        #expect(try client.json("skip", "gym:2026-12-20")["status"]?.stringValue == "skipped")
    }
}

import Foundation
import JSONWire
import TestKit
import Testing

/// A sheet is taken once, whatever was done with its entries since.
@Suite struct SheetRepeatTests {
    /// A group with an expense of the owner, and the id of the expense.
    private func trip(_ client: Client) throws -> String {
        _ = try client.id("people", "add", "Bob")
        _ = try client.id("groups", "add", "--name", "Trip", "--members", "me,Bob")
        return try client.id(
            "expenses", "add", "--group", "Trip", "--title", "Hotel", "--amount", "100", "--currency", "EUR",
            "--paid-by", "me", "--on", "2026-11-10")
    }

    private func export(_ client: Client, _ format: String) throws -> String {
        try client.folder.write(
            try client.run("groups", "export", "Trip", "--format", format).output, to: "s.\(format)")
    }

    private func count(_ client: Client) throws -> Int? { try client.json("expenses", "list").arrayValue?.count }

    @Test(arguments: ["csv", "json"])
    func aSettledExpenseMakesNoDebtAgain(_ format: String) throws {
        let client = try Client()
        let id = try trip(client)
        let file = try export(client, format)
        #expect(try client.run("expenses", "edit", id, "--settled").status == 0)
        let again = try client.json("groups", "import", file, "--into", "Trip", "--me", "Me")
        #expect(again["expenses"] == .number("0") && again["known"] == .number("1"))
        #expect(try client.json("balance").arrayValue?.isEmpty == true)
    }

    @Test("An export in JSON is told by its ids, and leaves what is alike to other entries")
    func anEditedExpenseIsKnown() throws {
        let client = try Client()
        let id = try trip(client)
        #expect(try client.run("repay", "Bob", "--amount", "7.00 EUR", "--group", "Trip").status == 0)
        let file = try export(client, "json")
        #expect(try client.run("expenses", "edit", id, "--title", "Hotel Roma", "--amount", "90").status == 0)
        let again = try client.json("groups", "import", file, "--into", "Trip", "--me", "Me")
        #expect(again["known"] == .number("2") && again["repayments"] == .number("0"), "\(again)")
        #expect(try count(client) == 1)
        // The same file twice in another database, with an edit between; undone, it is taken again.
        let other = try Client()
        for taken in [1, 0] {
            let report = try other.json("groups", "import", file, "--me", "Me")
            #expect(report["expenses"] == .number("\(taken)") && report["repayments"] == .number("\(taken)"))
            let row = try other.json("expenses", "list")[0]?["id"]?.stringValue ?? ""
            #expect(try other.run("expenses", "edit", row, "--title", "Other").status == 0)
        }
        while try count(other) != 0 { #expect(try other.run("undo").status == 0) }
        #expect(try other.json("groups", "import", file, "--me", "Me")["expenses"] == .number("1"))
        #expect(try count(other) == 1)
        // In another group, it is another expense.
        #expect(try client.run("groups", "add", "--name", "Other", "--members", "me,Bob").status == 0)
        #expect(try client.json("groups", "import", file, "--into", "Other", "--me", "Me")["expenses"] == .number("1"))
    }

    private func spliit(_ currency: String, _ expense: String) -> String {
        """
        {"name":"Sea",\(currency),"participants":[{"id":"a","name":"Ann"},{"id":"b","name":"Bob"}],"expenses":[\
        {"id":"e1","expenseDate":"2022-07-01T00:00:00.000Z","title":"Hotel","amount":75000,\(expense)"paidById":"a",\
        "paidFor":[{"participantId":"a","shares":100},{"participantId":"b","shares":100}],"splitMode":"EVENLY"}]}
        """
    }

    @Test func anEditedExpenseOfSpliitIsKnown() throws {
        let client = try Client()
        let file = try client.folder.write(spliit("\"currencyCode\":\"EUR\"", ""), to: "s.json")
        #expect(try client.json("groups", "import", file, "--me", "Ann")["expenses"] == .number("1"))
        let id = try client.json("expenses", "list")[0]?["id"]?.stringValue ?? ""
        #expect(try client.run("expenses", "edit", id, "--title", "Hotel Split").status == 0)
        #expect(try client.json("groups", "import", file, "--me", "Ann")["known"] == .number("1"))
        #expect(try count(client) == 1)
    }
}

import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// Uneven splits, members who come and go, and receipts.
@Suite struct ReceiptTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    /// A group of two, and the other one.
    private func group(_ app: AppFixture) throws -> (group: UUID, zoe: UUID) {
        #expect(try app.post("/together/people", [("name", "Zoé <b>")]).status == 303)
        let zoe = try #require(try app.store.sharing.people().first { $0.id != Person.me }).id
        let form = [("group", "Trip"), ("person", wire(Person.me)), ("person", wire(zoe))]
        #expect(try app.post("/together/groups", form).status == 303)
        return (try #require(try app.store.sharing.groups().first).id, zoe)
    }

    private func wire(_ id: UUID) -> String { id.uuidString.lowercased() }

    private func expense(_ amount: String = "12,35") -> [(String, String)] {
        [
            ("title", "Train <i>"), ("amount", amount), ("currency", "EUR"), ("on", "2026-11-19"),
            ("paid_by", wire(Person.me)),
        ]
    }

    @Test func expensesAreSplitUnevenly() throws {
        let app = try AppFixture()
        let (group, zoe) = try group(app)
        let place = "/together/groups/\(wire(group))/expenses"
        func parts(_ kind: String, _ mine: String, _ theirs: String) -> [(String, String)] {
            [("split", kind), ("part-\(wire(Person.me))", mine), ("part-\(wire(zoe))", theirs)]
        }
        for (kind, mine, theirs, field) in [
            ("percent", "60", "30", "between"), ("percent", "abc", "40", "part-\(wire(Person.me))"),
            ("exact", "7,35", "5,01", "between"), ("exact", "1", "x", "part-\(wire(zoe))"),
            ("shares", "1,5", "1", "part-\(wire(Person.me))"), ("shares", "", "", "between"),
            ("shares", "0", "0", "between"), ("shares", "-1", "2", "between"),
        ] {
            let refused = try app.post(place, expense() + parts(kind, mine, theirs))
            #expect(
                refused.status == 422 && refused.text.contains("id=\"\(field)-fault\""), "\(kind) \(mine) \(theirs)")
            #expect(refused.text.contains("value=\"\(mine)\""), "what was typed stays")
        }
        #expect(try app.store.sharing.expenses().isEmpty)
        for (kind, mine, theirs, units) in [
            ("percent", "60 %", "40", [741, 494]), ("exact", "7,35 €", "5.00", [735, 500]),
            ("shares", "2", "1", [823, 412]), ("percent", "", "100", [1235]),
        ] {
            #expect(try app.post(place, expense() + parts(kind, mine, theirs)).status == 303, "\(kind)")
            let saved = try #require(try app.store.sharing.expenses(of: group).first)
            #expect(try saved.split.parts(of: saved.amount).map(\.minorUnits) == units.map { Int64($0) }, "\(kind)")
            let page = try app.get("/expenses/\(wire(saved.id))").text
            #expect(page.contains("Shared by") && !page.contains("<i>") && !page.contains("Zoé <b>"))
            try app.store.sharing.deleteExpense(saved.id, at: app.moment)
        }
    }

    @Test func subscriptionsAreSharedUnevenly() throws {
        let app = try AppFixture()
        let (_, zoe) = try group(app)
        let id = try app.add("Netflix", [.amount: "12.00"])
        let place = "/subscriptions/\(wire(id))/share"
        let part = "part-\(wire(zoe))"
        let cases: [([(String, String)], String)] = [
            ([("split", "exact"), (part, "99")], "between"), ([("split", "percent"), (part, "101")], "between"),
            ([("split", "percent"), (part, "<b>")], part),
            ([("split", "even"), ("person", wire(zoe)), ("from", "2026-02-30")], "from"),
        ]
        for (form, field) in cases {
            let refused = try app.post(place, form)
            #expect(refused.status == 422 && refused.text.contains("id=\"\(field)-fault\""), "\(form)")
        }
        #expect(try app.store.sharing.share(of: id) == nil)
        #expect(try app.post(place, [("split", "percent"), (part, "25"), ("from", "2026-11-01")]).status == 303)
        let share = try #require(try app.store.sharing.share(of: id))
        #expect(share.split.kind == .percent && share.split.weights == [2500])
        let page = try app.get("/subscriptions/\(wire(id))").text
        #expect(page.contains("value=\"25.00\"") && page.contains("€3.00") && page.contains("€9.00"))
        #expect(try app.post(place, [("split", "exact"), (part, "")]).status == 303, "no one ends it")
        #expect(try app.store.sharing.share(of: id) == nil)
    }

    @Test func membersComeAndGoFromADay() throws {
        let app = try AppFixture()
        let (group, zoe) = try group(app)
        let place = "/together/groups/\(wire(group))/members"
        let day = try #require(CalendarDay(iso: "2026-11-25"))
        #expect(try app.post(place, [("member", wire(zoe)), ("members_from", "2026-11-25")]).status == 303)
        let saved = try app.store.sharing.group(group)
        #expect(saved.members(on: day) == [zoe] && saved.members(on: app.moment.today).count == 2)
        #expect(try app.get("/together/groups/\(wire(group))").text.contains("no longer belongs to it from 2026-11-25"))
        let nobody = try app.post(place, [("members_from", "2026-11-26")])
        #expect(nobody.status == 422 && nobody.text.contains("role=\"alert\""))
        let odd = try app.post(place, [("member", wire(zoe)), ("members_from", "x")])
        #expect(odd.status == 422 && odd.text.contains("id=\"members_from-fault\""))
        #expect(
            try app.post(place, [("member", UUID().uuidString), ("members_from", "2026-11-26")]).status >= 400)
    }

    @Test func receiptsAreKeptAndRunNothing() throws {
        let app = try AppFixture()
        let (group, _) = try group(app)
        let members = try app.store.sharing.group(group).memberIDs.map { ("person", wire($0)) }
        #expect(try app.post("/together/groups/\(wire(group))/expenses", expense() + members).status == 303)
        let expense = try #require(try app.store.sharing.expenses().first)
        let place = "/expenses/\(wire(expense.id))"
        for bad in [Array("<script>alert(1)</script>".utf8), Array("<svg xmlns=\"x\"/>".utf8), []] {
            let refused = try app.send(place + "/receipts", [], "x.png", bad)
            #expect(refused.status == 422 && refused.text.contains("id=\"file-fault\""))
        }
        let long = Self.png + [UInt8](repeating: 0, count: Receipt.maximumBytes)
        #expect(try app.send(place + "/receipts", [], "x.png", long).status == 413)
        #expect(try app.send(place + "/receipts", [], "reçu “1”;\"<b>.png", Self.png).status == 303)
        let receipt = try #require(try app.store.receipts.list().first)
        let page = try app.get(place).text
        #expect(page.contains("/receipts/\(wire(receipt.id))") && !page.contains("<b>.png"))
        let shown = try app.get("/receipts/\(wire(receipt.id))")
        #expect(shown.status == 200 && shown.body == Self.png && shown["Content-Type"] == "image/png")
        #expect(shown["X-Content-Type-Options"] == "nosniff" && shown["Cache-Control"] == "no-store")
        #expect(shown["Content-Security-Policy"] == "default-src 'none'; sandbox")
        #expect(shown["Content-Disposition"]?.hasPrefix("inline; filename=\"") == true)
        let view = try app.get("/receipts/\(wire(receipt.id))/view").text
        #expect(view.contains("<img src=\"/receipts/\(wire(receipt.id))\"") && !view.contains("<b>.png"))
        let file = try app.get("/receipts/\(wire(receipt.id))?download=1")
        #expect(file["Content-Disposition"]?.hasPrefix("attachment; filename=\"re_u _1_;") == true)
        #expect(file["Content-Disposition"]?.contains("filename*=UTF-8''re%C3%A7u") == true)
        let locked = try AppFixture.exchange(app.server, "GET", "/receipts/\(wire(receipt.id))")
        #expect(locked.status == 401 && locked.body != Self.png)
        let gone = try app.post("/receipts/\(wire(receipt.id))/delete", [])
        #expect(gone["Location"]?.hasPrefix(place) == true)
        #expect(try app.get("/receipts/\(wire(receipt.id))").status == 404)
        #expect(try app.get("/receipts/\(UUID().uuidString.lowercased())").status == 404)
    }

    @Test func transactionsHaveReceiptsToo() throws {
        let app = try AppFixture()
        let form = [("title", "Livre <i>"), ("amount", "18,50"), ("currency", "eur"), ("on", "2026-11-19")]
        for (field, value) in [("title", ""), ("amount", "abc"), ("currency", "EURO"), ("on", "2026-02-29")] {
            let wrong = try app.post("/transactions", form.filter { $0.0 != field } + [(field, value)])
            #expect(wrong.status == 422 && wrong.text.contains("id=\"\(field)-fault\""), "\(field)")
        }
        #expect(try app.post("/transactions", form + [("type", "income")]).status == 303)
        let transaction = try #require(try app.store.transactions.list().first)
        #expect(transaction.kind == .income && transaction.amount.decimal == "18.50")
        #expect(try app.get("/transactions").text.contains("Livre &lt;i"))
        let place = "/transactions/\(wire(transaction.id))"
        #expect(try app.send(place + "/receipts", [], "a.pdf", Array("%PDF-1.7\n".utf8)).status == 303)
        let receipt = try #require(try app.store.receipts.list().first)
        // The viewer of a browser might run what is in it.
        #expect(
            try app.get("/receipts/\(wire(receipt.id))")["Content-Disposition"]?.hasPrefix("attachment;") == true)
        #expect(try app.post(place + "/delete", []).status == 303)
        #expect(try app.get(place).status == 404)
        #expect(try app.store.receipts.list().isEmpty)
    }
}

import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// The same form for something new, sent twice, adds it once; with other words it adds another.
@Suite struct NewFormTests {
    private let app: AppFixture

    init() throws { app = try AppFixture() }

    /// Sends a form of a page twice, and once more with other words, and returns what was answered.
    private func send(
        _ page: String, _ action: String, to place: String? = nil, _ changes: [(String, String)], then: (String, String)
    ) throws -> [RawResponse] {
        let form = PageForm.changed(try PageForm.fields(try app.get(page).text, action), changes)
        let place = place ?? page
        let answers = [try app.post(place, form), try app.post(place, form)]
        return answers + [try app.post(place, PageForm.changed(form, [then]))]
    }

    @Test("Subscriptions")
    func subscriptions() throws {
        let answers = try send(
            "/add?name=Gym", "add", to: "/add", [("amount", "5"), ("currency", "EUR")], then: ("name", "Pool"))
        #expect(answers.map(\.status) == [303, 303, 303])
        #expect(try app.names() == ["Gym", "Pool"])
        let gym = try #require(try app.store.subscriptions.all().first { $0.name == "Gym" })
        // What is done ends the draft of the form.
        #expect(answers[1]["Location"] == "/subscriptions/\(gym.id.lowercased)?done=nothing")
    }

    @Test("The last free subscription is shown, and not refused for want of premium")
    func lastFreeOne() throws {
        let app = try AppFixture(isPremium: false)
        for number in 1...4 { try app.add("\(number)") }
        let fields = try PageForm.fields(try app.get("/add?name=Gym").text, "add")
        let form = PageForm.changed(fields, [("amount", "5"), ("currency", "EUR")])
        #expect(try [app.post("/add", form), app.post("/add", form)].map(\.status) == [303, 303])
        #expect(try app.names().count == 5)
    }

    @Test("People, groups, expenses and transactions")
    func together() throws {
        let (store, page) = (app.store, "/together")
        let people = try send(page, "people", to: "/together/people", [("name", "Zoé")], then: ("name", "Ana"))
        #expect(people.map(\.status) == [303, 303, 303])
        #expect(try store.sharing.people().map(\.name) == ["Ana", "Zoé"])
        let groups = try send(page, "groups", to: "/together/groups", [("group", "Trip")], then: ("group", "Flat"))
        #expect(groups.map(\.status) == [303, 303, 303])
        #expect(try store.sharing.groups().map(\.name) == ["Flat", "Trip"])
        let trip = "/together/groups/\(try #require(try store.sharing.groups().last).id.lowercased)"
        #expect(groups[1]["Location"] == trip + "?done=nothing")
        let fields = [("title", "Train"), ("amount", "10"), ("currency", "EUR")]
        let person = [("person", Person.me.lowercased), ("paid_by", Person.me.lowercased)]
        let expenses = try send(trip, "expenses", to: trip + "/expenses", fields + person, then: ("amount", "11"))
        #expect(expenses.map(\.status) == [303, 303, 303])
        #expect(try store.sharing.expenses().map(\.amount.minorUnits).sorted() == [1000, 1100])
        let payments = try send("/transactions", "transactions", fields, then: ("title", "Bus"))
        #expect(payments.map(\.status) == [303, 303, 303])
        #expect(try store.transactions.list().map(\.title).sorted() == ["Bus", "Train"])
    }

    @Test("Money that was given back")
    func repayments() throws {
        let zoe = Person(id: app.store.makeID(app.moment), name: "Zoé", createdAt: app.moment.now)
        try app.store.sharing.save(zoe, at: app.moment)
        let gym = try app.add("Gym", [.startedOn: "2026-08-25", .amount: "10"])
        try app.store.sharing.setSplit(
            Split(kind: .even, people: [zoe.id]), of: gym, from: .earliest, at: app.moment)
        let answers = try send("/together", "repay", to: "/together/repay", [("amount", "2")], then: ("amount", "3"))
        #expect(answers.map(\.status) == [303, 303, 303])
        #expect(try app.store.sharing.repayments().map(\.amount.minorUnits).sorted() == [200, 300])
    }

    @Test("A form that was refused can be sent corrected, and each page has a form of its own")
    func refusedOnes() throws {
        let fields = try PageForm.fields(try app.get("/together").text, "people")
        let refused = try app.post("/together/people", PageForm.changed(fields, [("name", "")]))
        #expect(refused.status == 422)
        let corrected = PageForm.changed(try PageForm.fields(refused.text, "people"), [("name", "Zoé")])
        #expect(try app.post("/together/people", corrected).status == 303)
        let next = PageForm.changed(try PageForm.fields(try app.get("/together").text, "people"), [("name", "Zoé")])
        #expect(try app.post("/together/people", next).status == 303)
        #expect(try app.store.sharing.people().map(\.name) == ["Zoé", "Zoé"])
    }
}

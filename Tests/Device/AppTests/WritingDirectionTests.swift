import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// Two names from right to left around an arrow would be shown in the opposite order.
@Suite struct WritingDirectionTests {
    @Test func whoPaysWhomKeepsItsOrder() throws {
        let app = try AppFixture()
        for name in ["שרה", "משה"] { _ = try app.post("/together/people", [("name", name)]) }
        let people = try app.store.sharing.people()
        let payer = try #require(people.first { $0.name == "משה" }?.id)
        let form = [("group", "דירה")] + people.map { ("person", $0.id.lowercased) }
        #expect(try app.post("/together/groups", form).status == 303)
        let group = try #require(try app.store.sharing.groups().first)
        let expense = GroupExpense(
            id: UUID(), groupID: group.id, title: "Ski 🎿", amount: Money(minorUnits: 14_360, currency: .eur),
            payers: [PersonAmount(personID: payer, minorUnits: 14_360)],
            split: Split(kind: .even, people: people.map(\.id)), spentOn: app.moment.today, createdAt: app.moment.now)
        try app.store.sharing.save(expense, at: app.moment)
        let arrow = "<bdi>שרה</bdi> → <bdi>משה</bdi>"
        #expect(try app.get("/together").text.contains(arrow))
        let page = try app.get("/together/groups/\(group.id.lowercased)").text
        #expect(page.contains(arrow))
        #expect(page.contains("aria-label=\"Paid: \u{200E}שרה\u{200E} → \u{200E}משה\u{200E}\""))
        #expect(try app.get("/together/people/\(payer.lowercased)").text.contains(arrow))
    }
}

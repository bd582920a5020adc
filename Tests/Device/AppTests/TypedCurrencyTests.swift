import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// An amount is stored in the currency for which it was typed, or not at all, when another window changes the currency
/// meanwhile.
@Suite struct TypedCurrencyTests {
    private func changeToForints(_ id: UUID, _ app: AppFixture) throws {
        try app.store.subscriptions.edit(id, [.amount: "2500", .currency: "HUF"], at: app.moment)
    }

    @Test func theAmountOfASubscription() throws {
        let app = try AppFixture()
        let id = try app.add()
        let place = "/subscriptions/\(id.lowercased)"
        let form = try PageForm.fields(try app.get(place).text, "edit")
        try changeToForints(id, app)
        let other = PageForm.changed(form, [("notes", "n")])
        #expect(try app.post(place + "/edit", other).status == 303)
        #expect(try app.store.subscriptions.load(id).currency.code == "HUF")
        #expect(try app.post(place + "/edit", PageForm.changed(form, [("amount", "15.49")])).status == 303)
        let price = try app.store.subscriptions.load(id).price(on: app.moment.today)
        #expect(price.decimal == "15.49" && price.currency == .eur)
    }

    @Test func whatWasPaid() throws {
        let app = try AppFixture()
        let id = try app.add()
        let charge = "\(id.lowercased):2026-11-25"
        let form = PageForm.changed(try PageForm.fields(try app.get("/due").text, "paid"), [("amount", "11.99")])
        try changeToForints(id, app)
        let refused = try app.post("/due/paid", form)
        #expect(refused.status == 422 && refused.text.contains("The currency is HUF now. Check the amount."))
        #expect(refused.text.contains("value=\"11.99\"") && refused.text.contains("Amount in HUF"))
        #expect(try app.store.ledger.pending(at: app.moment).map(\.amount.decimal) == ["2500.00"])
        let checked = PageForm.changed(try PageForm.fields(refused.text, "paid"), [("amount", "2600")])
        #expect(try app.post("/due/paid", checked).status == 303)
        let history = try app.store.ledger.history(id, at: app.moment)
        #expect(history.first { $0.occurrence.wire == charge }?.paid?.description == "2600.00 HUF")
    }

    @Test func thePartsOfAShare() throws {
        let app = try AppFixture()
        let zoe = Person(id: app.store.makeID(app.moment), name: "Zoé", createdAt: app.moment.now)
        try app.store.sharing.save(zoe, at: app.moment)
        let id = try app.add()
        let split = Split(kind: .exact, people: [zoe.id], weights: [500])
        try app.store.sharing.setSplit(split, of: id, at: app.moment)
        let place = "/subscriptions/\(id.lowercased)"
        let form = try PageForm.fields(try app.get(place).text, "share")
        try changeToForints(id, app)
        let typed = PageForm.changed(form, [("part-\(zoe.id.lowercased)", "6.00")])
        let refused = try app.post(place + "/share", typed)
        #expect(refused.status == 422 && refused.text.contains("The currency is HUF now. Check the amounts."))
        #expect(refused.text.contains("value=\"6.00\""))
        #expect(try app.store.sharing.share(of: id)?.split == split)
        // Parts that were not touched stay as they are.
        #expect(try app.post(place + "/share", PageForm.changed(form, [("share_notes", "n")])).status == 303)
        #expect(try app.store.sharing.share(of: id)?.notes == "n")
        #expect(try app.store.sharing.share(of: id)?.split == split)
        let checked = PageForm.changed(
            try PageForm.fields(refused.text, "share"), [("part-\(zoe.id.lowercased)", "1200")])
        #expect(try app.post(place + "/share", checked).status == 303)
        #expect(try app.store.sharing.share(of: id)?.split.weights == [120_000])
    }

    @Test func thePartsOfAnExpense() throws {
        let app = try AppFixture()
        let zoe = Person(id: app.store.makeID(app.moment), name: "Zoé", createdAt: app.moment.now)
        try app.store.sharing.save(zoe, at: app.moment)
        try app.store.sharing.makeMe(named: "Me", at: app.moment)
        let group = PersonGroup(
            id: app.store.makeID(app.moment), name: "Trip", memberIDs: [Person.me, zoe.id], createdAt: app.moment.now)
        try app.store.sharing.save(group, at: app.moment)
        var expense = GroupExpense(
            id: app.store.makeID(app.moment), groupID: group.id, title: "Train",
            amount: Money(minorUnits: 1000, currency: .eur),
            payers: [PersonAmount(personID: Person.me, minorUnits: 1000)],
            split: Split(kind: .exact, people: [Person.me, zoe.id], weights: [400, 600]), spentOn: app.moment.today,
            createdAt: app.moment.now)
        try app.store.sharing.save(expense, at: app.moment)
        let place = "/expenses/\(expense.id.lowercased)"
        let form = try PageForm.fields(try app.get(place).text, "edit")
        expense.amount = Money(minorUnits: 1000, currency: try #require(Currency(code: "HUF")))
        try app.store.sharing.save(expense, at: app.moment)
        let typed = PageForm.changed(
            form, [("part-\(Person.me.lowercased)", "5.00"), ("part-\(zoe.id.lowercased)", "5.00")])
        #expect(try app.post(place + "/edit", typed).status == 303)
        let saved = try app.store.sharing.expense(expense.id)
        #expect(saved.split.weights == [500, 500] && saved.amount.description == "10.00 EUR")
    }
}

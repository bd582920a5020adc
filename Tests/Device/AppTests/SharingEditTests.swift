import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// People, groups, expenses and payments are edited and deleted; a form changes only what was typed.
@Suite struct SharingEditTests {
    private func id(_ uuid: UUID) -> String { uuid.uuidString.lowercased() }

    private func person(_ app: AppFixture, _ name: String) throws -> Person {
        let person = Person(id: app.store.makeID(app.moment), name: name, createdAt: app.moment.now)
        try app.store.sharing.save(person, at: app.moment)
        return person
    }

    /// A group of the owner and others.
    private func group(_ app: AppFixture, _ people: [Person], name: String = "Trip") throws -> PersonGroup {
        try app.store.sharing.makeMe(named: "Me", at: app.moment)
        let group = PersonGroup(
            id: app.store.makeID(app.moment), name: name, memberIDs: [Person.me] + people.map(\.id),
            createdAt: app.moment.now)
        try app.store.sharing.save(group, at: app.moment)
        return group
    }

    private func expense(_ app: AppFixture, _ group: PersonGroup, payer: UUID = Person.me) throws -> GroupExpense {
        var expense = GroupExpense(
            id: app.store.makeID(app.moment), groupID: group.id, title: "Train",
            amount: .init(minorUnits: 1000, currency: .eur),
            payers: [PersonAmount(personID: payer, minorUnits: 1000)],
            split: Split(kind: .even, people: group.memberIDs), spentOn: app.moment.today, createdAt: app.moment.now)
        expense.notes = "two\nlines"
        try app.store.sharing.save(expense, at: app.moment)
        return expense
    }

    private func undo(_ app: AppFixture, back: String = "/together") throws -> RawResponse {
        let entry = try #require(try app.store.journal.entries(at: app.moment).first { !$0.isUndone })
        return try app.post("/undo", [("number", "\(entry.id)"), ("back", back)])
    }

    @Test("A group says what is open elsewhere; money that is given back settles the only group that is open")
    func nothingIsPaidTwice() throws {
        let app = try AppFixture()
        let zoe = try person(app, "Zoé")
        let trip = try group(app, [zoe])
        // I owe Zoé 5, and gave her 5 outside of the group.
        _ = try expense(app, trip, payer: zoe.id)
        let amount = Money(minorUnits: 500, currency: .eur)
        let outside = Repayment(
            id: app.store.makeID(app.moment), from: Person.me, to: zoe.id, amount: amount, paidOn: app.moment.today,
            createdAt: app.moment.now)
        try app.store.sharing.add(outside, at: app.moment)
        let place = "/together/groups/\(id(trip.id))"
        let said = try app.get(place).text
        #expect(said.contains("outside of this group: Zoé → Me €5.00; both together: nothing"), "\(said)")
        #expect(try undo(app).status == 303)
        #expect(try app.get(place).text.contains("outside of this group") == false)
        let form = [("person", id(zoe.id)), ("currency", "EUR"), ("amount", "5"), ("direction", "mine")]
        #expect(try app.post("/together/repay", form).status == 303)
        #expect(try app.store.sharing.repayments().map(\.groupID) == [trip.id])
        #expect(try app.store.sharing.settlement(of: trip.id).allSatisfy { $0.transfers.isEmpty })
        // An expense that is dated ahead counts, and is not open since a day to come.
        var ahead = try expense(app, trip)
        ahead.spentOn = app.moment.today.adding(days: 9)
        try app.store.sharing.save(ahead, at: app.moment)
        #expect(try app.get("/together").text.contains("owes you, dated \(ahead.spentOn.iso)"))
    }

    @Test func theSplitOfTodayIsShownWithThoseToCome() throws {
        let app = try AppFixture()
        let zoe = try person(app, "Zoé")
        let netflix = try app.add("Netflix", [.amount: "12"])
        let later = app.moment.today.adding(days: 40)
        let split = Split(kind: .even, people: [zoe.id])
        try app.store.sharing.setSplit(split, of: netflix, from: later, at: app.moment)
        let page = try app.get("/subscriptions/\(id(netflix))").text
        #expect(page.contains("from \(later.iso): Zoé €6.00") && !page.contains("not agreed with the others yet"))
    }

    @Test func aPersonIsRenamedAndNothingElseIsLost() throws {
        let app = try AppFixture()
        let zoe = try person(app, "Zoé")
        let place = "/together/people/\(id(zoe.id))"
        #expect(try app.get("/together").text.contains("href=\"\(place)\""))
        let form = try PageForm.fields(try app.get(place).text, "edit")
        // Another window has meanwhile added an address.
        var other = zoe
        other.email = "zoe@example.org"
        try app.store.sharing.save(other, at: app.moment)
        let done = try app.post(
            place + "/edit", PageForm.changed(form, [("name", " Zoé Martin "), ("notes", "a\r\nb")]))
        #expect(done.status == 303 && done["Location"]?.hasPrefix(place + "?done=") == true)
        let saved = try app.store.sharing.person(zoe.id)
        #expect(saved.name == "Zoé Martin" && saved.email == "zoe@example.org" && saved.notes == "a\nb")
        #expect(try app.get(try #require(done["Location"])).text.contains("Zoé Martin: person changed"))
        #expect(try undo(app, back: place).status == 303)
        #expect(try app.store.sharing.person(zoe.id).name == "Zoé")
        // Sent again without an edit, nothing changes.
        let count = try app.store.journal.entries(at: app.moment).count
        let same = try PageForm.fields(try app.get(place).text, "edit")
        #expect(try app.post(place + "/edit", same)["Location"] == place + "?done=nothing")
        #expect(try app.store.journal.entries(at: app.moment).count == count)
        for (field, value) in [("name", "  "), ("email", "nobody"), ("phone", String(repeating: "1", count: 100))] {
            let refused = try app.post(place + "/edit", PageForm.changed(same, [(field, value)]))
            #expect(refused.status == 422 && refused.text.contains("id=\"\(field)-fault\""), "\(field)")
            #expect(refused.text.contains("name=\"shown_email\" value=\"zoe@example.org\""))
        }
    }

    @Test func deletingAPersonSaysWhatItMeans() throws {
        let app = try AppFixture()
        let zoe = try person(app, "Zoé")
        let group = try group(app, [zoe])
        let expense = try expense(app, group)
        let netflix = try app.add("Netflix", [.amount: "12.00"])
        try app.store.sharing.setSplit(Split(kind: .even, people: [zoe.id]), of: netflix, at: app.moment)
        let place = "/together/people/\(id(zoe.id))"
        let page = try app.get(place).text
        #expect(page.contains("Deleting a person leaves the parts of others."))
        #expect(page.contains("you pay their part of:") && page.contains("Netflix <span class=\"amount\">€6.00"))
        #expect(page.contains("Not settled") && page.contains("€5.00"))
        let refused = try app.post(place + "/delete", [])
        #expect(refused.status == 422 && refused.text.contains("tick the box"))
        let done = try app.post(place + "/delete", [("force", "on")])
        #expect(done.status == 303 && done["Location"]?.hasPrefix("/together?done=") == true)
        #expect(try app.get(place).status == 404)
        #expect(try app.get("/expenses/\(id(expense.id))").text.contains("Zoé"), "the name is kept for the past")
        // Undone on a page that exists again.
        #expect(try undo(app)["Location"]?.hasPrefix("/together?undone=") == true)
        #expect(try app.store.sharing.person(zoe.id).name == "Zoé")
        // The owner has no such button, and is refused.
        let me = "/together/people/\(id(Person.me))"
        #expect(!(try app.get(me).text.contains("/delete")))
        #expect(try app.post(me + "/delete", [("force", "on")]).status == 422)
    }

    @Test func aGroupIsRenamedAndItsDeletionExplained() throws {
        let app = try AppFixture()
        let zoe = try person(app, "Zoé")
        let group = try group(app, [zoe])
        _ = try expense(app, group)
        let place = "/together/groups/\(id(group.id))"
        let page = try app.get(place).text
        #expect(page.contains("1 expense is deleted with its receipts."))
        let form = try PageForm.fields(page, "edit")
        var other = group
        other.details = "from elsewhere"
        try app.store.sharing.save(other, at: app.moment)
        #expect(try app.post(place + "/edit", PageForm.changed(form, [("name", "Été"), ("emoji", "🏖️")])).status == 303)
        let saved = try app.store.sharing.group(group.id)
        #expect(saved.name == "Été" && saved.emoji == "🏖️" && saved.details == "from elsewhere")
        #expect(try app.get("/together").text.contains("🏖️ Été"))
        let refused = try app.post(place + "/edit", PageForm.changed(form, [("name", " ")]))
        #expect(refused.status == 422 && refused.text.contains("id=\"name-fault\""))
        #expect(try app.post(place + "/delete", []).status == 303)
        #expect(try app.store.sharing.expenses().isEmpty)
        #expect(try undo(app).status == 303)
        #expect(try app.store.sharing.expenses().count == 1)
    }

    @Test func anExpenseIsEditedWithSeveralPayers() throws {
        let app = try AppFixture()
        let (zoe, karim) = (try person(app, "Zoé"), try person(app, "Karim"))
        let group = try group(app, [zoe, karim])
        let expense = try expense(app, group)
        let place = "/expenses/\(id(expense.id))"
        let load = { try #require(try app.store.sharing.expenses().first { $0.id == expense.id }) }
        let form = try PageForm.fields(try app.get(place).text, "edit")
        // Another window has meanwhile corrected the amount: the title alone is an edit of this form.
        var other = expense
        other.amount = Money(minorUnits: 1200, currency: .eur)
        other.payers[0].minorUnits = 1200
        try app.store.sharing.save(other, at: app.moment)
        #expect(try app.post(place + "/edit", PageForm.changed(form, [("title", "Bus")])).status == 303)
        #expect(try load().title == "Bus" && load().amount.minorUnits == 1200 && load().notes == "two\nlines")
        // Who has paid, of an amount that was changed meanwhile.
        #expect(try app.post(place + "/edit", PageForm.changed(form, [("paid_by", id(zoe.id))])).status == 303)
        #expect(try load().payers == [PersonAmount(personID: zoe.id, minorUnits: 1200)])
        let fresh = try PageForm.fields(try app.get(place).text, "edit")
        let wrong = try app.post(
            place + "/edit", PageForm.changed(fresh, [("paid-\(id(zoe.id))", "5,00"), ("paid-\(id(karim.id))", "6")]))
        #expect(wrong.status == 422 && wrong.text.contains("id=\"paid_by-fault\""), "not the whole")
        #expect(wrong.text.contains("value=\"5,00\""), "what was typed is lost")
        let bad = try app.post(place + "/edit", PageForm.changed(fresh, [("paid-\(id(zoe.id))", "x"), ("title", "")]))
        #expect(bad.status == 422 && bad.text.contains("paid-\(id(zoe.id))-fault") && bad.text.contains("title-fault"))
        let both = PageForm.changed(fresh, [("paid-\(id(zoe.id))", "5,00 €"), ("paid-\(id(karim.id))", "7.00")])
        #expect(try app.post(place + "/edit", both).status == 303)
        #expect(try load().payers.map(\.minorUnits) == [500, 700])
        // Nothing typed, nothing changed; then one pays all of it, and it is settled elsewhere.
        let several = try PageForm.fields(try app.get(place).text, "edit")
        #expect(try app.post(place + "/edit", several)["Location"] == place + "?done=nothing")
        let one = PageForm.changed(
            several,
            [("paid-\(id(zoe.id))", ""), ("paid-\(id(karim.id))", ""), ("paid_by", id(karim.id)), ("settled", "on")])
        #expect(try app.post(place + "/edit", one).status == 303)
        #expect(try load().payers == [PersonAmount(personID: karim.id, minorUnits: 1200)] && load().isSettled)
        let open = try PageForm.fields(try app.get(place).text, "edit").filter { $0.0 != "settled" }
        #expect(try app.post(place + "/edit", open).status == 303)
        #expect(try !load().isSettled)
        // By percentages, of fewer people.
        let parts = [("split", "percent"), ("part-\(id(Person.me))", "25"), ("part-\(id(zoe.id))", "75")]
        #expect(try app.post(place + "/edit", PageForm.changed(open, parts)).status == 303)
        #expect(try load().split == Split(kind: .percent, people: [Person.me, zoe.id], weights: [2500, 7500]))
        let done = try app.post(place + "/delete", [])
        #expect(done["Location"]?.hasPrefix("/together/groups/\(id(group.id))?done=") == true)
        #expect(try app.get(place).status == 404)
        #expect(try undo(app, back: "/together/groups/\(id(group.id))").status == 303)
        #expect(try load().split.kind == .percent)
    }

    @Test func severalPayersAreEnteredAtOnce() throws {
        let app = try AppFixture(language: .french)
        let zoe = try person(app, "Zoé")
        let group = try group(app, [zoe])
        let place = "/together/groups/\(id(group.id))"
        let form = PageForm.changed(
            try PageForm.fields(try app.get(place).text, "expenses"),
            [
                ("title", "Hôtel"), ("amount", "30,50"), ("currency", "eur"), ("paid-\(id(Person.me))", "20,50"),
                ("paid-\(id(zoe.id))", "10"),
            ])
        #expect(try app.post(place + "/expenses", form).status == 303)
        let saved = try #require(try app.store.sharing.expenses().first)
        #expect(saved.payers.map(\.minorUnits) == [2050, 1000])
        // In French, amounts stand in the form as they are written there, and both marks are read.
        let edit = try PageForm.fields(try app.get("/expenses/\(id(saved.id))").text, "edit")
        #expect(
            edit.contains { $0 == ("amount", "30,50") } && edit.contains { $0 == ("paid-\(id(Person.me))", "20,50") })
        let unchanged = try app.post("/expenses/\(id(saved.id))/edit", edit)
        #expect(unchanged["Location"] == "/expenses/\(id(saved.id))?done=nothing")
        let page = try app.get(place).text
        #expect(page.contains(">Moi<") && !page.contains(">Me<"), "the owner's name is not in French")
    }

    @Test func aPaymentIsEdited() throws {
        let app = try AppFixture()
        let zoe = try person(app, "Zoé")
        let form = [
            ("title", "Gift"), ("amount", "12,50"), ("currency", "eur"), ("on", "2026-11-01"), ("type", "income"),
            ("person", id(zoe.id)), ("category", "Fêtes"), ("notes", "n"),
        ]
        #expect(try app.post("/transactions", form).status == 303)
        var saved = try #require(try app.store.transactions.list().first)
        #expect(saved.personID == zoe.id && saved.kind == .income && saved.category == "Fêtes")
        let place = "/transactions/\(id(saved.id))"
        let edit = try PageForm.fields(try app.get(place).text, "edit")
        saved.tags = ["a"]
        saved.amount = Money(minorUnits: 1300, currency: .eur)
        try app.store.transactions.save(saved, at: app.moment)
        #expect(
            try app.post(place + "/edit", PageForm.changed(edit, [("type", "expense"), ("person", "")])).status == 303)
        let edited = try #require(try app.store.transactions.list().first)
        #expect(edited.kind == .expense && edited.personID == nil && edited.amount.minorUnits == 1300)
        #expect(edited.tags == ["a"] && edited.notes == "n")
        let refused = try app.post(
            place + "/edit", PageForm.changed(edit, [("title", ""), ("amount", "0"), ("on", "x")]))
        #expect(refused.status == 422)
        for field in ["title", "amount", "on"] { #expect(refused.text.contains("id=\"\(field)-fault\""), "\(field)") }
        #expect(try app.get(place).text.contains("Its receipts are deleted with it."))
        #expect(try app.post(place + "/delete", []).status == 303)
        // The page of what is undone is shown only while it exists.
        #expect(try undo(app, back: place)["Location"]?.hasPrefix(place) == true)
    }

    @Test func namesAreNotMarkup() throws {
        let app = try AppFixture()
        let hostile = "\"><img src=x onerror=alert(1)>'<b>&"
        let zoe = try person(app, hostile)
        let group = try group(app, [zoe], name: hostile)
        var expense = try expense(app, group)
        expense.title = hostile
        expense.notes = "</textarea>" + hostile
        try app.store.sharing.save(expense, at: app.moment)
        for place in [
            "/together/people/\(id(zoe.id))", "/together/groups/\(id(group.id))", "/expenses/\(id(expense.id))",
        ] {
            #expect(!(try app.get(place).text.contains("<img src=x")), "\(place)")
        }
    }
}

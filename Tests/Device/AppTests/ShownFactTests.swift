import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// What is stored of groups, expenses, shares and payments is shown, and edited by forms that change only what was
/// typed.
@Suite struct ShownFactTests {
    private func wire(_ id: UUID) -> String { id.uuidString.lowercased() }

    private func person(_ app: AppFixture, _ name: String) throws -> Person {
        let person = Person(id: app.store.makeID(app.moment), name: name, createdAt: app.moment.now)
        try app.store.sharing.save(person, at: app.moment)
        return person
    }

    @Test func whatIsPausedHasNoNextCharge() throws {
        let app = try AppFixture()
        let id = try app.add("Canal “+”")
        let place = "/subscriptions/\(id.lowercased)"
        #expect(try app.get(place).text.contains("<dt>next charge</dt>") && app.get(place).text.contains("per year"))
        #expect(try app.post(place + "/pause", []).status == 303)
        let paused = try app.get(place).text
        #expect(paused.contains(" · paused") && !paused.contains("<dt>next charge</dt>"), "\(paused)")
        #expect(!paused.contains("per year"))
        // With an end, the next charge is known.
        _ = try app.store.subscriptions.setState(
            id, .active, from: app.moment.today.adding(days: 10), at: app.moment)
        #expect(try app.get(place).text.contains("<dt>next charge</dt>"))
    }

    @Test func whatAnotherOnePaysForIsNeverDue() throws {
        let app = try AppFixture()
        let bundle = try app.add("Prime <b>", [.amount: "9"])
        let part = try app.add("Video", [.amount: "6", .bundledIn: bundle.lowercased])
        let page = try app.get("/subscriptions/\(part.lowercased)").text
        #expect(page.contains("<dt>included in</dt><dd>Prime &lt;b"), "\(page)")
        #expect(!page.contains("<dt>next charge</dt>") && !page.contains("per year"))
        let list = try app.get("/").text
        #expect(list.contains(">bundled<"), "\(list)")
    }

    @Test func aGroupShowsWhatItSpentInEachCurrency() throws {
        let app = try AppFixture(language: .french)
        let zoe = try person(app, "Zoé")
        let group = PersonGroup(
            id: app.store.makeID(app.moment), name: "Été <b>", memberIDs: [zoe.id], createdAt: app.moment.now)
        try app.store.sharing.save(group, at: app.moment)
        let place = "/together/groups/\(wire(group.id))"
        #expect(try !app.get(place).text.contains("Dépensé ensemble"))
        for (units, currency) in [(1_234_567, Currency.eur), (1, .eur), (500, Currency(code: "JPY") ?? .eur)] {
            var expense = GroupExpense(
                id: app.store.makeID(app.moment), groupID: group.id, title: "Train",
                amount: Money(minorUnits: Int64(units), currency: currency),
                payers: [PersonAmount(personID: zoe.id, minorUnits: Int64(units))],
                split: Split(kind: .even, people: [zoe.id]), spentOn: app.moment.today, createdAt: app.moment.now)
            // What was settled elsewhere was spent all the same.
            expense.isSettled = units == 1
            try app.store.sharing.save(expense, at: app.moment)
        }
        let total = "12\u{202F}345,68\u{A0}€ + 500\u{A0}¥"
        let page = try app.get(place).text
        #expect(page.contains("Dépensé ensemble <span class=\"amount\">\(total)</span>"), "\(page)")
        #expect(page.contains("réglée ailleurs"))
        #expect(try app.get("/together").text.contains(total))
    }

    @Test func aPaymentKeepsItsDetailsTagsAndRecurrence() throws {
        let app = try AppFixture()
        let form = [
            ("title", "Shoes"), ("amount", "18,50"), ("currency", "eur"), ("on", "2026-11-19"), ("type", "expense"),
            ("subtitle", "Le Café <i>"), ("tags", " été , Kids,été,, "), ("recurring", "on"),
        ]
        #expect(try app.post("/transactions", form).status == 303)
        let transaction = try #require(try app.store.transactions.list().first)
        #expect(transaction.subtitle == "Le Café <i>" && transaction.tags == ["été", "Kids"])
        #expect(transaction.isRecurring)
        let list = try app.get("/transactions").text
        #expect(list.contains(" · Le Café &lt;i") && list.contains(" · été · Kids · recurring"))
        let place = "/transactions/\(wire(transaction.id))"
        let page = try app.get(place).text
        #expect(page.contains("<span class=\"badge\">Kids</span>") && page.contains("<p>Le Café &lt;i"))
        let fields = try PageForm.fields(page, "edit")
        #expect(fields.contains { $0 == ("tags", "été, Kids") } && fields.contains { $0 == ("recurring", "on") })
        // Another window has meanwhile changed a tag; this one unticks a box.
        var other = transaction
        other.tags = ["new"]
        try app.store.transactions.save(other, at: app.moment)
        let unticked = fields.filter { $0.0 != "recurring" }
        #expect(try app.post(place + "/edit", unticked).status == 303)
        let saved = try #require(try app.store.transactions.list().first)
        #expect(!saved.isRecurring && saved.tags == ["new"] && saved.subtitle == "Le Café <i>")
        for (field, value) in [
            ("subtitle", String(repeating: "x", count: 201)), ("tags", String(repeating: "y", count: 101)),
        ] {
            let refused = try app.post(place + "/edit", PageForm.changed(fields, [(field, value)]))
            #expect(refused.status == 422 && refused.text.contains("id=\"\(field)-fault\""), "\(field)")
        }
    }

    @Test func aShareSaysWhetherItIsAgreedAndKeepsItsNotes() throws {
        let app = try AppFixture()
        let zoe = try person(app, "Zoé")
        let id = try app.add()
        let place = "/subscriptions/\(wire(id))"
        let first = try PageForm.fields(try app.get(place).text, "share")
        #expect(!first.contains { $0.0 == "accepted" })
        let sent = PageForm.changed(
            first, [("person", wire(zoe.id)), ("accepted", "on"), ("share_notes", "pays in <b>cash\r\non the 5th")])
        #expect(try app.post(place + "/share", sent).status == 303)
        let share = try #require(try app.store.sharing.share(of: id))
        #expect(share.isAccepted && share.notes == "pays in <b>cash\non the 5th")
        let page = try app.get(place).text
        #expect(page.contains("agreed with the others") && page.contains("pays in &lt;b"))
        #expect(try app.store.sharing.periods(of: id).count == 1)
        // A later change of the notes alone begins no new period, and a change of the split keeps the notes.
        app.advance(seconds: 3600 * 20)
        let later = try PageForm.fields(try app.get(place).text, "share")
        #expect(later.contains { $0 == ("accepted", "on") })
        #expect(try app.post(place + "/share", PageForm.changed(later, [("share_notes", "")])).status == 303)
        #expect(try app.store.sharing.periods(of: id).count == 1)
        #expect(try app.store.sharing.share(of: id)?.notes == "")
        let ana = try person(app, "Ana")
        let both = later + [("person", wire(ana.id))]
        #expect(try app.post(place + "/share", both.filter { $0.0 != "accepted" }).status == 303)
        let changed = try #require(try app.store.sharing.share(of: id))
        #expect(changed.split.people.count == 2 && !changed.isAccepted && changed.notes == "")
        #expect(try app.get(place).text.contains("not agreed with the others yet"))
        let long = PageForm.changed(later, [("share_notes", String(repeating: "n", count: 10_001))])
        let refused = try app.post(place + "/share", long)
        #expect(refused.status == 422 && refused.text.contains("id=\"share_notes-fault\""))
    }

    /// A person, rent and cash of every month are no subscriptions; the page says which payments it leaves out.
    @Test func regularPaymentsThatAreNotProposedAreListed() throws {
        let rows = ["06", "07", "08", "09", "10"].flatMap { month in
            [
                "05/\(month)/2026;VIREMENT LOYER M. & MME “DUPONT” <b>;-850,00",
                "30/\(month)/2026;CARTE 29/\(month) NETFLIX.COM CB*4523;-12,34",
            ]
        }
        let statement = (["Date;Libellé;Montant"] + rows).joined(separator: "\n") + "\n"
        for (language, words) in [
            (
                DisplayLanguage.english,
                ["1 regular payment that is not proposed", "5 payments, last €850.00 on 2026-10-05: "]
            ),
            (.french, ["1 paiement régulier qui n’est pas proposé", "5 paiements, le dernier de 850,00"]),
        ] {
            let app = try AppFixture(language: language)
            let page = try app.send(
                "/import", [("kind", "bank"), ("currency", "EUR")], "a.csv", Array(statement.utf8)
            ).text
            for word in words {
                #expect(page.contains(word), "\(word)\n\(page)")
            }
            #expect(!page.contains("<b>;") && !page.contains("DUPONT” <b>"))
        }
    }
}

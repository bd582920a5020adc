import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// People who share, what they owe, and what they gave back.
@Suite struct TogetherTests {
    private func person(_ app: AppFixture, _ name: String) throws -> UUID {
        #expect(try app.post("/together/people", [("name", name)]).status == 303)
        let people = try app.store.sharing.people()
        return try #require(people.first { $0.name == name.trimmingCharacters(in: .whitespaces) }?.id)
    }

    /// A subscription of 12.34 that is shared from today on, and whose next charge is confirmed.
    private func shared(_ app: AppFixture, with people: [UUID]) throws -> UUID {
        let id = try app.add("Netflix", [.amount: "12.34", .nextBillingOn: app.moment.today.iso])
        let place = "/subscriptions/\(id.uuidString.lowercased())"
        let shared = try app.post(place + "/share", people.map { ("person", $0.uuidString.lowercased()) })
        #expect(shared.status == 303)
        let due = "\(id.uuidString.lowercased()):\(app.moment.today.iso)"
        #expect(try app.post("/due/confirm", [("occurrence", due)]).status == 303)
        return id
    }

    @Test func peopleShareAndPayBack() throws {
        let app = try AppFixture()
        #expect(try app.get("/together").text.contains("Everything is settled."))
        let zoe = try person(app, " Zoé “Z” O'Hara 🎉 ")
        let id = try shared(app, with: [zoe])
        #expect(try app.get("/subscriptions/\(id.uuidString.lowercased())").text.contains("checked"))
        let page = try app.get("/together").text
        #expect(page.contains("Zoé “Z” O") && page.contains("Hara 🎉") && page.contains("owes you since 2026-11-20"))
        #expect(page.contains("€6.17"))
        let fields = [("person", zoe.uuidString.lowercased()), ("currency", "EUR"), ("direction", "theirs")]
        for wrong in ["", "abc", "-1", "0", "1,234", "99999999999999999999"] {
            let refused = try app.post("/together/repay", fields + [("amount", wrong)])
            #expect(refused.status == 422 && refused.text.contains("-fault\""), "\(wrong)")
            #expect(refused.text.contains("value=\"\(wrong)\""), "\(wrong)")
        }
        #expect(try app.post("/together/repay", fields + [("amount", "6,00 €")]).status == 303)
        #expect(try app.get("/together").text.contains("€0.17"))
        #expect(try app.post("/together/repay", fields + [("amount", "0,17")]).status == 303)
        let settled = try app.get("/together").text
        #expect(settled.contains("Everything is settled."))
        // Each can be taken back.
        let entry = try #require(try app.store.journal.entries(at: app.moment).first)
        #expect(try app.post("/undo", [("number", "\(entry.id)"), ("back", "/together")]).status == 303)
        #expect(try app.get("/together").text.contains("€0.17"))
    }

    @Test func sharedSubscriptionsHaveThePartOfEach() throws {
        let app = try AppFixture()
        #expect(try !app.get("/together").text.contains("Shared subscriptions"))
        let id = try shared(app, with: [try person(app, "Zoé <b>"), try person(app, "Léa 🎉")])
        let page = try app.get("/together").text
        let parts = page.matches(of: /<li>([^<]+) <span class="amount">(€[0-9.]+)</).map { "\($0.1) \($0.2)" }
        #expect(parts.suffix(3) == ["Zoé &lt;b&gt; €4.11", "Léa 🎉 €4.11", "you €4.12"])
        #expect(page.contains("href=\"/subscriptions/\(id.lowercased)\">Netflix</a>"))
        _ = try app.store.subscriptions.cancel(id, on: app.moment.today, at: app.moment)
        #expect(try !app.get("/together").text.contains("Shared subscriptions"), "it is no longer charged")
    }

    @Test func theOwnerBearsThePartOfADeletedPerson() throws {
        let app = try AppFixture()
        let (zoe, lea) = (try person(app, "Zoé"), try person(app, "Léa"))
        let id = try shared(app, with: [zoe, lea])
        try app.store.sharing.deletePerson(zoe, isForced: true, at: app.moment)
        for place in ["/subscriptions/\(id.lowercased)", "/together"] {
            let page = try app.get(place).text
            #expect(page.contains("€4.11") && page.contains("€8.23") && !page.contains("€4.12"), "\(place)")
        }
        try app.store.sharing.deletePerson(lea, isForced: true, at: app.moment)
        #expect(try app.get("/subscriptions/\(id.lowercased)").text.contains("Not shared: you pay everything."))
        #expect(try !app.get("/together").text.contains("Shared subscriptions"))
    }

    @Test func theOtherDirection() throws {
        let app = try AppFixture()
        let zoe = try person(app, "Zoé")
        _ = try shared(app, with: [zoe])
        let form = [("person", zoe.uuidString.lowercased()), ("currency", "EUR"), ("amount", "10")]
        #expect(try app.post("/together/repay", form + [("direction", "theirs")]).status == 303)
        let page = try app.get("/together").text
        #expect(page.contains("you owe them since") && page.contains("€3.83"))
        #expect(
            try app.post("/together/repay", form.dropLast() + [("amount", "3.83"), ("direction", "mine")]).status == 303
        )
        #expect(try app.get("/together").text.contains("Everything is settled."))
    }

    /// What another window has changed since the page was shown is no edit of this form.
    @Test func formsOfAnOldPageTakeNothingBack() throws {
        let app = try AppFixture()
        let (zoe, lea, max) = (try person(app, "Zoé"), try person(app, "Léa"), try person(app, "Max"))
        let id = try app.add("Netflix", [.amount: "12.34"])
        let place = "/subscriptions/\(id.lowercased)"
        func shown(_ page: String, _ name: String) throws -> [(String, String)] {
            try app.get(page).text.matches(of: try Regex("name=\"\(name)\" value=\"([^\"]*)\"")).map { match in
                (name, String(match.output[1].substring ?? ""))
            }
        }
        func post(_ page: String, _ shown: [(String, String)], _ name: String, _ people: [UUID]) throws {
            let form = shown + people.map { (name, $0.lowercased) }
            #expect(try app.post(page, form).status == 303)
        }
        try post(place + "/share", [], "person", [zoe])
        let old = try shown(place, "shown_share")
        try post(place + "/share", try shown(place, "shown_share"), "person", [zoe, lea])
        // The old page adds one.
        try post(place + "/share", old, "person", [zoe, max])
        #expect(Set(try #require(try app.store.sharing.share(of: id)).split.people) == [zoe, lea, max])
        // The old page only takes another day.
        try post(place + "/share", old + [("from", "2026-11-01")], "person", [zoe])
        #expect(Set(try #require(try app.store.sharing.share(of: id)).split.people) == [zoe, lea, max])
        try post(place + "/share", old, "person", [])
        #expect(Set(try #require(try app.store.sharing.share(of: id)).split.people) == [lea, max])

        try post("/together/groups", [("group", "Trip")], "person", [zoe])
        let group = try #require(try app.store.sharing.groups().first).id
        let members = "/together/groups/\(group.lowercased)"
        let before = try shown(members, "shown_member") + [("members_from", "2026-11-20")]
        #expect(before.count == 3)
        try post(members + "/members", before, "member", [zoe, lea])
        try post(members + "/members", before, "member", [max])
        #expect(Set(try app.store.sharing.group(group).members(on: app.moment.today)) == [lea, max])
    }

    @Test func namesAreChecked() throws {
        let app = try AppFixture()
        for wrong in ["", "   ", String(repeating: "x", count: 500)] {
            let refused = try app.post("/together/people", [("name", wrong)])
            #expect(refused.status == 422 && refused.text.contains("id=\"name-fault\""), "\(wrong)")
        }
        let hostile = "\"><img src=x onerror=alert(1)>'<b>&"
        let id = try shared(app, with: [try person(app, hostile)])
        for page in ["/together", "/subscriptions/\(id.uuidString.lowercased())"] {
            let text = try app.get(page).text
            #expect(!text.contains("<img src=x") && text.contains("&lt;img src=x"), "\(page)")
        }
    }

    @Test func whoIsUnknownIsRefused() throws {
        let app = try AppFixture()
        let id = try app.add()
        let place = "/subscriptions/\(id.uuidString.lowercased())/share"
        #expect(try app.post(place, [("person", UUID().uuidString)]).status >= 400)
        for odd in ["", "x", UUID().uuidString] {
            let form = [("person", odd), ("currency", "EUR"), ("amount", "1"), ("direction", "theirs")]
            #expect([400, 404, 422].contains(try app.post("/together/repay", form).status), "\(odd)")
        }
        let zoe = try person(app, "Zoé").uuidString
        let form = [("person", zoe), ("currency", "EURO"), ("amount", "1")]
        #expect(try app.post("/together/repay", form).status == 400)
        #expect(try app.store.sharing.repayments().isEmpty)
    }

    /// What I owe is negative, with the minus sign that all pages have.
    @Test func debtsOfMineHaveAMinusSign() throws {
        for (language, amount) in [(DisplayLanguage.english, "−€2.00"), (.french, "−2,00\u{A0}€")] {
            let app = try AppFixture(language: language)
            let zoe = try person(app, "Zoé")
            _ = try shared(app, with: [zoe])
            let form = [
                ("person", zoe.uuidString), ("currency", "EUR"), ("amount", "2.00"), ("direction", "theirs"),
            ]
            #expect(try app.post("/together/repay", form).status == 303)
            let page = try app.get("/together").text
            #expect(page.contains(amount) && !page.contains("-€") && !page.contains("-2,"), "\(language)")
        }
    }

    /// The data come before the forms.
    @Test func aGroupShowsItsExpensesFirst() throws {
        let app = try AppFixture()
        let zoe = try person(app, "Zoé")
        #expect(try app.post("/together/groups", [("group", "L'été 🎉"), ("person", zoe.uuidString)]).status == 303)
        let group = try #require(try app.store.sharing.groups().first).id
        let text = try app.get("/together/groups/\(group.lowercased)").text
        let list = try #require(text.range(of: "No expenses yet."))
        let form = try #require(text.range(of: "Add an expense"))
        #expect(list.lowerBound < form.lowerBound)
    }

    @Test func speaksFrench() throws {
        let app = try AppFixture(language: .french)
        _ = try shared(app, with: [try person(app, "Zoé")])
        let page = try app.get("/together").text
        #expect(page.contains("te doit depuis le 20/11/2026") && page.contains("6,17"))
        #expect(try app.post("/together/people", [("name", "")]).text.contains("name-fault"))
    }

    @Test func aGroupSettlesItsExpenses() throws {
        let app = try AppFixture()
        let zoe = try person(app, "Zoé <b>")
        let none = try app.post("/together/groups", [("group", "Trip")])
        #expect(none.status == 422 && none.text.contains("value=\"Trip\""))
        let blank = try app.post("/together/groups", [("group", " "), ("person", zoe.uuidString)])
        #expect(blank.status == 422 && blank.text.contains("group-fault"))
        let members = [("person", Person.me.uuidString.lowercased()), ("person", zoe.uuidString.lowercased())]
        let added = try app.post("/together/groups", [("group", "L'été “26” 🎉")] + members)
        #expect(added.status == 303)
        let group = try #require(try app.store.sharing.groups().first)
        let place = "/together/groups/\(group.id.uuidString.lowercased())"
        #expect(try app.get(try #require(added["Location"])).text.contains("Everything is settled."))
        let expense = [
            ("title", "Train <i>"), ("amount", "12,35 €"), ("currency", "eur"), ("on", "2026-11-19"),
            ("paid_by", Person.me.uuidString.lowercased()),
        ]
        for (field, value) in [
            ("title", ""), ("amount", "abc"), ("currency", "EURO"), ("on", "2026-02-29"), ("paid_by", ""),
        ] {
            let wrong = expense.filter { $0.0 != field } + [(field, value)]
            let refused = try app.post(place + "/expenses", wrong + members)
            #expect(refused.status == 422 && refused.text.contains("id=\"\(field)-fault\""), "\(field)")
        }
        #expect(try app.post(place + "/expenses", expense).status == 422, "no one shares it")
        #expect(try app.store.sharing.expenses().isEmpty)
        #expect(try app.post(place + "/expenses", expense + members).status == 303)
        let page = try app.get(place).text
        #expect(page.contains("€12.35") && !page.contains("<i>") && !page.contains("Zoé <b>"))
        let match = try #require(page.firstMatch(of: /name="transfer" value="([^"]*)"/))
        let transfer = String(match.output.1)
        #expect(transfer.hasSuffix(":EUR") && transfer.hasPrefix(zoe.uuidString.lowercased()))
        for odd in ["", "x", transfer + "0", transfer.replacing("61", with: "1")] where odd != transfer {
            #expect(try app.post(place + "/settle", [("transfer", odd)]).status == 400, "\(odd)")
        }
        #expect(try app.post(place + "/settle", [("transfer", transfer)]).status == 303)
        #expect(try app.get(place).text.contains("Everything is settled."))
        #expect(try app.post(place + "/settle", [("transfer", transfer)]).status == 400, "once")
        let id = try #require(try app.store.sharing.expenses().first).id.uuidString.lowercased()
        #expect(try app.post(place + "/expenses/delete", [("expense", id)]).status == 303)
        #expect(try app.post(place + "/expenses/delete", [("expense", id)]).status == 404)
        #expect(try app.post(place + "/delete", []).status == 303)
        #expect(try app.get(place).status == 404)
    }
}

import Foundation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// What made a tired person err: nothing is done by a word that means two things, and nothing that is open is called
/// settled.
@Suite struct CalmHandTests {
    @Test func cancellingAsksFirst() throws {
        let app = try AppFixture()
        let id = try app.add("Canal “+” d'été", [.amount: "24.99"])
        let place = "/subscriptions/\(id.lowercased)"
        let page = try app.get(place).text
        #expect(page.contains("Cancel subscription…") && !page.contains(">Cancel<"))
        #expect(page.contains("href=\"\(place)/cancel\""))
        let asked = try app.get(place + "/cancel").text
        #expect(asked.contains("saves until 2027-11-19"))
        #expect(asked.contains("€299.88"))
        #expect(try app.store.subscriptions.load(id).states.isEmpty, "looking changes nothing")
        let wrong = try app.post(place + "/cancel", [("from", "31/12")])
        #expect(wrong.status == 422 && wrong.text.contains("from-fault"))
        let done = try app.post(place + "/cancel", [("from", "2026-12-24"), ("back", "/?q=can")])
        #expect(done.status == 303 && done["Location"]?.hasPrefix("/?q=can&done=") == true)
        #expect(try app.store.subscriptions.summary(id, at: app.moment).cancelsOn?.iso == "2026-12-24")
        #expect(try app.get(try #require(done["Location"])).text.contains("action=\"/undo\""))
        #expect(try app.get("/?q=can").text.contains("Keep it"))
    }

    @Test func theListLeadsToTheQuestion() throws {
        let app = try AppFixture()
        let id = try app.add()
        let page = try app.get("/?q=net").text
        #expect(page.contains("/subscriptions/\(id.lowercased)/cancel?back=%2F%3Fq%3Dnet"))
    }

    @Test func aGroupOfOthersIsNotSettled() throws {
        let app = try AppFixture()
        for name in ["Zoé", "Max"] { _ = try app.post("/together/people", [("name", name)]) }
        let people = try app.store.sharing.people().map(\.id)
        let members = people.map { ("person", $0.lowercased) }
        #expect(try app.post("/together/groups", [("group", "WG “3”")] + members).status == 303)
        #expect(try app.get("/together").text.contains("Everything is settled."))
        let group = try #require(try app.store.sharing.groups().first)
        let paid = PersonAmount(personID: people[1], minorUnits: 14_360)
        let expense = GroupExpense(
            id: UUID(), groupID: group.id, title: "Ski 🎿", amount: Money(minorUnits: 14_360, currency: .eur),
            payers: [paid], split: Split(kind: .even, people: people), spentOn: app.moment.today,
            createdAt: app.moment.now)
        try app.store.sharing.save(expense, at: app.moment)
        let page = try app.get("/together").text
        #expect(!page.contains("Everything is settled.") && page.contains("You are settled, others are not."))
        #expect(page.contains("<bdi>Max</bdi> → <bdi>Zoé</bdi>") && page.contains("€71.80") && page.contains("WG “3”"))
    }

    @Test func aPersonIsAddedWhileSharing() throws {
        let app = try AppFixture()
        let id = try app.add("Netflix", [.amount: "12.34"])
        let place = "/subscriptions/\(id.lowercased)"
        #expect(try app.get(place).text.contains("name=\"newcomer\""))
        for (name, field) in [("\u{7}", "newcomer"), (String(repeating: "é", count: 300), "newcomer")] {
            let refused = try app.post(place + "/share", [("split", "even"), ("newcomer", name)])
            #expect(refused.status == 422 && refused.text.contains("\(field)-fault"), "\(name)")
        }
        let noPart = try app.post(place + "/share", [("split", "percent"), ("newcomer", "Léa")])
        #expect(noPart.status == 422)
        #expect(try app.store.sharing.people().isEmpty)
        let done = try app.post(
            place + "/share", [("split", "percent"), ("newcomer", " Léa O'Hara "), ("part-newcomer", "25 %")])
        #expect(done.status == 303)
        #expect(try app.store.sharing.people().map(\.name) == ["Léa O'Hara"])
        #expect(try app.get(place).text.contains("€3.09") || app.get(place).text.contains("€3.08"))
        let twice = try app.post(place + "/share", [("split", "even"), ("newcomer", "lea o'hara")])
        #expect(twice.status == 422 && twice.text.contains("in the list already"))
        try app.store.journal.undo(at: app.moment)
        #expect(try app.store.sharing.people().isEmpty && app.store.sharing.share(of: id) == nil)
    }

    @Test func aSecondProcessFindsTheAppOnAnyPort() throws {
        let app = try AppFixture()
        let address = try #require(try AppServer.runningAddress(store: app.store, at: app.moment))
        #expect(address.hasPrefix("http://127.0.0.1:\(app.port)/launch?visit="))
        app.server.stop()
        #expect(try AppServer.runningAddress(store: app.store, at: app.moment) == nil)
    }

    /// Spotify at a guessed price and a month from today, and a statement that knows better.
    @Test func aStatementCorrectsWhatWasEnteredByHand() throws {
        let rows = (6...10).map { "23/\($0 < 10 ? "0" : "")\($0)/2026;SPOTIFY AB STOCKHOLM;-20,99\n" }.joined()
        let file = Array(("Date;Libellé;Montant\n" + rows).utf8)
        for (choice, names, price) in [
            (nil, ["Spotify"], "20.99"), ("", ["Spotify"], "12.14"),
            ("add", ["Spotify", "Spotify Stockholm"], "12.14"),
        ] as [(String?, [String], String)] {
            let app = try AppFixture()
            let id = try app.add("Spotify", [.amount: "12.14", .nextBillingOn: "2026-12-20"])
            let page = try app.send("/import", [("kind", "bank"), ("currency", "EUR")], "r.csv", file).text
            #expect(page.contains("Probably here already") && page.contains("entered: €12.14, monthly"))
            let radio = try #require(page.firstMatch(of: /name="(series-[^"]*)" value="([^"]*)" checked/))
            let proposal = String(try #require(radio.2.split(separator: ":").last))
            let held = try #require(page.firstMatch(of: /name="id" value="([^"]*)"/)?.1)
            let value = choice.map { $0 == "add" ? proposal : $0 } ?? String(radio.2)
            let form = [("id", String(held)), (String(radio.1), value)]
            let accepted = try app.post("/import/accept", form)
            #expect(accepted.status == 303, "\(choice ?? "corrected") \(accepted.text)")
            #expect(try app.names() == names, "\(choice ?? "corrected")")
            #expect(try app.store.subscriptions.load(id).price(on: app.moment.today).decimal == price)
        }
    }

    /// What people know is the last charge, or the day of the month.
    @Test func addingAsksForTheLastCharge() throws {
        let app = try AppFixture()
        let form = [("name", "Où ça “?”"), ("amount", "9,99"), ("currency", "EUR"), ("scope", "personal")]
        func next(_ more: [(String, String)]) throws -> String? {
            #expect(try app.post("/add", form + more).status == 303)
            let id = try #require(try app.store.subscriptions.all().last?.id)
            defer { _ = try? app.store.subscriptions.delete(id, at: app.moment) }
            return try app.store.subscriptions.summary(id, at: app.moment).nextBillingOn?.iso
        }
        let assumed = [("next_billing_on", "2026-12-20"), ("shown_next_billing_on", "2026-12-20")]
        #expect(try next(assumed + [("cycle", "monthly")]) == "2026-12-20")
        #expect(try next(assumed + [("cycle", "monthly"), ("last_charge", "2026-10-31")]) == "2026-11-30")
        #expect(try next(assumed + [("cycle", "monthly"), ("last_charge", "2026-11-20")]) == "2026-12-20")
        #expect(try next(assumed + [("cycle", "yearly"), ("last_charge", "2026-03-04")]) == "2027-03-04")
        #expect(try next(assumed + [("cycle", "monthly"), ("day_of_month", "20")]) == "2026-11-20")
        #expect(try next(assumed + [("cycle", "monthly"), ("day_of_month", "5")]) == "2026-12-05")
        #expect(try next(assumed + [("cycle", "monthly"), ("day_of_month", "31")]) == "2026-11-30")
        for (name, wrong) in [("day_of_month", "32"), ("day_of_month", "le 5"), ("last_charge", "2026-11-21")] {
            let refused = try app.post("/add", form + assumed + [("cycle", "monthly"), (name, wrong)])
            #expect(refused.status == 422 && refused.text.contains("\(name)-fault"), "\(wrong)")
            #expect(refused.text.contains("value=\"\(wrong)\"") && refused.text.contains("Où ça"))
        }
    }

    /// A value that the program has filled in is marked as long as it stands.
    @Test func addingMarksWhatIsAssumed() throws {
        let app = try AppFixture(starter: .builtIn)
        func marked(_ page: String) -> [String] {
            page.matches(of: /class="field assumed"><label for="([a-z_]+)"/).map { String($0.1) }
        }
        let byHand = try app.get("/add?name=Gym%20%3Cb%3E").text
        #expect(marked(byHand) == ["cycle", "next_billing_on", "scope"])
        let form = [
            ("name", "Gym <b>"), ("amount", "x"), ("currency", "EUR"), ("cycle", "yearly"), ("scope", "personal"),
            ("next_billing_on", "2026-12-20"), ("shown_cycle", "monthly"), ("shown_scope", "personal"),
            ("shown_next_billing_on", "2026-12-20"),
        ]
        let refused = try app.post("/add", form)
        #expect(refused.status == 422 && marked(refused.text) == ["next_billing_on", "scope"], "the cycle was chosen")
        let item = try #require(try app.store.catalogue.search("netflix", limit: 1).first?.item)
        #expect(marked(try app.get("/add?item=\(item.slug)").text).contains("amount"))
    }

    /// The catalogue gets a name only by a press of the button, and nothing but the name.
    @Test func anUnknownNameIsSuggested() throws {
        let app = try AppFixture(starter: .builtIn)
        let (known, unknown) = (try app.add("Netflix"), try app.add("Zörblax <b>", [.notes: "secret"]))
        #expect(try !app.get("/subscriptions/\(known.lowercased)").text.contains("Suggest to the catalogue"))
        let place = "/subscriptions/\(unknown.lowercased)"
        #expect(try app.get(place).text.contains("Suggest to the catalogue"))
        #expect(try app.store.suggestions.counts().waiting == 0)
        for _ in 1...2 { #expect(try app.post(place + "/suggest", []).status == 303) }
        #expect(try app.store.suggestions.waiting(limit: 9).map(\.name) == ["Zörblax <b>"])
        let page = try app.get(place).text
        #expect(page.contains("Zörblax &lt;b&gt;” goes to the catalogue") && !page.contains("/suggest\""))
    }

    /// A widget leads to its charge, which is marked there; what was missed stands below.
    @Test func aWidgetLeadsToItsCharge() throws {
        let app = try AppFixture()
        let id = try app.add("Netflix")
        let wire = "\(id.lowercased):2026-11-25"
        let widget = try app.get("/widget/medium").text
        #expect(widget.contains("€161.88 per year"))
        let link = try #require(widget.firstMatch(of: /href="(\/due\?charge=[^"]*)"/)?.1)
        let page = try app.get(String(link)).text
        #expect(page.contains("id=\"charge-\(wire)\" class=\"charge marked\""))
        // A session ends a day after its last use.
        for _ in 1...10 {
            app.advance(seconds: 80_000)
            _ = try app.get("/due")
        }
        try app.add("Deezer", [.nextBillingOn: "2026-12-01"])
        let due = try app.get("/due").text
        let (soon, missed) = (due.range(of: "Due in the next"), due.range(of: "Not confirmed"))
        #expect(try #require(soon).lowerBound < #require(missed).lowerBound)
    }

    @Test func whatToCancelIsRankedAndAddedUp() throws {
        let app = try AppFixture()
        #expect(try app.get("/what-to-cancel").text.contains("Nothing is charged."))
        let small = try app.add("Petit “1”", [.amount: "1"])
        let large = try app.add("Grand", [.amount: "100", .contractEndsOn: "2027-06-30", .noticeDays: "30"])
        try app.add("Grand (2)", [.amount: "50"])
        let page = try app.get("/what-to-cancel").text
        let places = try ["<b>Grand (2)</b>", "<b>Grand</b>", "<b>Petit"].map {
            try #require(page.range(of: $0)).lowerBound
        }
        #expect(places == places.sorted())
        #expect(page.contains("Possibly twice") && page.contains("Cancel by 2027-05-31"))
        #expect(!page.contains("still costs"))
        let both = try app.get("/what-to-cancel?id=\(small.lowercased)&id=\(large.lowercased)&id=x").text
        #expect(both.contains("2 ticked") && both.contains("€412.00") && both.contains("and still costs"))
        #expect(try app.store.subscriptions.list(at: app.moment).allSatisfy { $0.cancelsOn == nil })
    }

    @Test func whatIsPausedForATimeCanBeCancelled() throws {
        let app = try AppFixture()
        let (paused, endless) = (try app.add("Salle “é”", [.amount: "100"]), try app.add("Endless"))
        let end = try #require(CalendarDay(iso: "2027-01-10"))
        try app.store.subscriptions.pause(paused, from: app.moment.today, through: end, at: app.moment)
        try app.store.subscriptions.pause(endless, from: app.moment.today, at: app.moment)
        let list = try app.get("/what-to-cancel").text
        // From 25 January to 25 October.
        #expect(list.contains("<b>Salle “é”</b>") && list.contains("€1,000.00") && !list.contains("<b>Endless</b>"))
        let page = try app.get("/subscriptions/\(paused.lowercased)").text
        #expect(page.contains("cancelling today saves") && page.contains("cancel by") && page.contains("2027-01-24"))
        let other = try app.get("/subscriptions/\(endless.lowercased)").text
        #expect(!other.contains("cancelling today saves") && !other.contains("cancel by"))
    }

    /// A hundred that save nothing for years, and a cheap one that does.
    @Test func whatToCancelSaysHowManyMoreThereAre() throws {
        let app = try AppFixture()
        for number in 1...100 {
            try app.add("Dear \(number)", [.amount: "50", .contractEndsOn: "2036-06-30", .noticeDays: "30"])
        }
        #expect(try !app.get("/what-to-cancel").text.contains(" more</p>"))
        try app.add("Cheap <b>", [.amount: "1"])
        let page = try app.get("/what-to-cancel").text
        #expect(page.contains("<b>Cheap &lt;b&gt;</b>") && page.contains("1 more</p>"))
        #expect(page.components(separatedBy: "<li class=\"proposal\">").count == 101)
    }

    @Test func premiumIsSaidBeforeTheForm() throws {
        let app = try AppFixture(isPremium: false)
        for number in 1...5 {
            #expect(try !app.get("/add?name=x").text.contains("How to get premium"))
            try app.add("n\(number)")
        }
        for place in ["/add", "/add?name=x"] {
            let page = try app.get(place).text
            #expect(page.contains("You have 5 subscriptions") && page.contains("href=\"/premium\""))
        }
    }

    @Test func myPartStandsInTheHeader() throws {
        let app = try AppFixture()
        let id = try app.add("Netflix", [.amount: "10"])
        #expect(try !app.get("/").text.contains("My part"))
        let share = [("split", "even"), ("newcomer", "Zoé")]
        #expect(try app.post("/subscriptions/\(id.lowercased)/share", share).status == 303)
        let page = try app.get("/").text
        #expect(page.contains("My part") && page.contains("€60.00"))
    }
}

import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// The pages, without JavaScript.
@Suite struct PageTests {
    @Test func showsTheAnnualCostAndTheNextCharges() throws {
        let app = try AppFixture()
        #expect(try app.get("/").text.contains("What do you subscribe to?"))
        try app.add()
        try app.add("Adobe", [.amount: "100", .currency: "USD", .cycle: "yearly", .scope: "pro"])
        let page = try app.get("/").text
        #expect(page.contains("€161.88") && page.contains("€13.49 per month") && page.contains("$100.00"))
        #expect(page.contains("in 5 days"))
        try app.store.settings.set(.homeCurrency, to: "EUR", at: app.moment)
        _ = try app.store.rates.set("USD", unitsPerEuro: "1.25", on: app.moment.today, at: app.moment)
        #expect(try app.get("/").text.contains("€241.88"))
    }

    @Test func searchesSortsAndFilters() throws {
        let app = try AppFixture()
        try app.add("Été")
        try app.add("Zoom", [.amount: "1", .scope: "pro"])
        #expect(try app.get("/?q=ete").text.contains("Été"))
        #expect(try !app.get("/?q=ete").text.contains("Zoom"))
        #expect(try !app.get("/?scope=pro").text.contains("Été"))
        #expect(try app.get("/?status=paused").text.contains("No matching subscriptions."))
        // What is unknown is left out.
        #expect(try app.get("/?sort=x&scope=y&status=z&q=").text.contains("Zoom"))
    }

    @Test func namesAreVisibleAndLongNotesAreKept() throws {
        let app = try AppFixture()
        let fields = [("amount", "1"), ("currency", "EUR"), ("cycle", "monthly"), ("next_billing_on", "2028-02-29")]
        for name in ["\u{200B}", "\u{200F} \u{202E}", "\u{FE0F}"] {
            let refused = try app.post("/add", [("name", name)] + fields)
            #expect(refused.status == 422 && refused.text.contains("id=\"name-fault\""))
        }
        // A joined emoji has invisible scalars, too; two bytes a character exceed no limit of the form.
        let notes = String(repeating: "é", count: 9000)
        #expect(try app.post("/add", [("name", "👩‍👩‍👧"), ("notes", notes)] + fields).status == 303)
        let id = try #require(try app.store.subscriptions.list(at: app.moment).first?.id)
        #expect(try app.store.subscriptions.load(id).notes == notes)
    }

    @Test func sameSubscriptionTwiceIsSaid() throws {
        let app = try AppFixture(language: .french)
        let fields = [
            ("name", "Zörblax “TV”"), ("amount", "12,34"), ("currency", "EUR"), ("cycle", "monthly"),
            ("next_billing_on", "2026-12-05"),
        ]
        let words = "Il y avait déjà Zörblax “TV”, avec le même prix et les mêmes échéances."
        for times in 1...2 {
            let added = try app.post("/add", fields)
            #expect(added.status == 303, "\(added.text.suffix(2000))")
            #expect(try app.get(try #require(added["Location"])).text.contains(words) == (times == 2))
        }
        #expect(try app.names().count == 2)
        #expect(try !app.get("/?done=1&twin=%3Cb%3E").text.contains("Il y avait"))
    }

    @Test func addsWithEveryFaultBesideItsField() throws {
        let app = try AppFixture()
        let wrong = try app.post(
            "/add",
            [
                ("name", ""), ("amount", "abc"), ("currency", "EURO"), ("cycle", "monthly"),
                ("next_billing_on", "2027-02-29"),
            ])
        #expect(wrong.status == 422)
        for field in ["name", "amount", "currency", "next_billing_on"] {
            #expect(wrong.text.contains("id=\"\(field)-fault\""), "\(field)")
        }
        #expect(wrong.text.contains("value=\"abc\""))
        #expect(try app.names().isEmpty)
        let added = try app.post(
            "/add",
            [
                ("name", " L'Équipe “26” 🎉 "), ("amount", "12,34 €"), ("currency", ""), ("cycle", "monthly"),
                ("next_billing_on", "2028-02-29"), ("scope", "pro"), ("category", "press"), ("notice_days", "30"),
            ])
        #expect(added.status == 303)
        let summary = try #require(try app.store.subscriptions.list(at: app.moment).first)
        #expect(summary.name == "L'Équipe “26” 🎉" && summary.amount.decimal == "12.34" && summary.scope == .pro)
        // The page says what was done, and takes it back.
        let place = try #require(added["Location"])
        let page = try app.get(place).text
        let entry = try #require(try app.store.journal.entries(at: app.moment).first)
        #expect(page.contains("action=\"/undo\"") && page.contains("value=\"\(entry.id)\""))
        #expect(try app.post("/undo", [("number", "\(entry.id)"), ("back", "/")]).status == 303)
        #expect(try app.names().isEmpty)
        #expect(try app.post("/redo", [("number", "\(entry.id)"), ("back", "/")]).status == 303)
        #expect(try app.names().count == 1)
    }

    @Test func theFreeVersionSaysItsLimit() throws {
        let app = try AppFixture(isPremium: false)
        for number in 1...5 { try app.add("Nr \(number)") }
        let refused = try app.post(
            "/add",
            [
                ("name", "Six"), ("amount", "1"), ("currency", "EUR"), ("cycle", "monthly"),
                ("next_billing_on", "2026-12-01"),
            ])
        #expect(refused.status == 422 && refused.text.contains("5 subscriptions"))
        #expect(refused.text.contains("value=\"Six\""), "what was typed stays")
    }

    @Test func editsOneFieldAndKeepsTheRest() throws {
        let app = try AppFixture()
        let id = try app.add("Netflix", [.notes: "<b>&\"'"])
        let place = "/subscriptions/\(id.uuidString.lowercased())"
        let wrong = try app.post(place + "/edit", [("amount", "-1")])
        #expect(wrong.status == 422 && wrong.text.contains("amount-fault"))
        #expect(try app.post(place + "/edit", [("amount", "15,99")]).status == 303)
        let subscription = try app.store.subscriptions.load(id)
        #expect(subscription.price(on: app.moment.today).decimal == "15.99" && subscription.notes == "<b>&\"'")
        for (action, status) in [("pause", "paused"), ("resume", "active"), ("cancel", "cancelled")] {
            #expect(try app.post("\(place)/\(action)", []).status == 303)
            #expect(try app.store.subscriptions.summary(id, at: app.moment).status.rawValue == status)
        }
        #expect(try app.post(place + "/delete", []).status == 303)
        #expect(try app.get(place).status == 404)
        #expect(try app.post(place + "/delete", []).status == 404)
    }

    /// What a form sends unchanged is no change.
    @Test func savingWhatStandsThereChangesNothing() throws {
        let app = try AppFixture()
        let id = try app.add(
            "Netflix",
            [
                .trialStartsOn: "2026-11-02", .trialEndsOn: "2026-12-24", .nextBillingOn: "2026-12-25",
                .startedOn: "2026-11-01",
            ])
        let place = "/subscriptions/\(id.uuidString.lowercased())"
        let before = try app.store.subscriptions.load(id)
        var form: [(String, String)] = []
        for (field, value) in before.draft(today: app.moment.today)
        where SubscriptionForm.draft(FormFields([.init(name: field.rawValue, value: "")])) != [:] {
            form.append((field.rawValue, value))
        }
        #expect(form.count > 10)
        #expect(try app.post(place + "/edit", form).status == 303)
        #expect(try app.store.subscriptions.load(id) == before)
    }

    @Test func theFirstDayOfATrialIsShownAndEdited() throws {
        let app = try AppFixture()
        let id = try app.add("Netflix", [.trialEndsOn: "2026-12-24"])
        let place = "/subscriptions/\(id.uuidString.lowercased())"
        #expect(try app.post(place + "/edit", [("trial_starts_on", "2026-11-02")]).status == 303)
        #expect(try app.store.subscriptions.load(id).trial?.startsOn?.iso == "2026-11-02")
        let page = try app.get(place).text
        #expect(page.contains("<dt>trial starts</dt><dd>2026-11-02</dd>") && page.contains("value=\"2026-11-02\""))
        let wrong = try app.post(place + "/edit", [("trial_starts_on", "2026-12-25")])
        #expect(wrong.status == 422 && wrong.text.contains("id=\"trial_starts_on-fault\""))
        #expect(try app.store.subscriptions.load(id).trial?.startsOn?.iso == "2026-11-02")
    }

    @Test func confirmsSkipsAndPaysDifferently() throws {
        let app = try AppFixture()
        let id = try app.add("Netflix", [.startedOn: "2026-10-25"])
        let due = "\(id.uuidString.lowercased()):2026-11-25"
        #expect(try app.get("/due").text.contains(due))
        let wrong = try app.post("/due/paid", [("occurrence", due), ("currency", "EUR"), ("amount", "12,345")])
        #expect(
            wrong.status == 422 && wrong.text.contains("value=\"12,345\"") && wrong.text.contains("paid-\(due)-fault"))
        let paid = [("occurrence", due), ("currency", "EUR"), ("amount", "12,34")]
        #expect(try app.post("/due/paid", paid).status == 303)
        let charge = try #require(try app.store.ledger.history(id, at: app.moment).first { $0.occurrence.wire == due })
        #expect(charge.amount.decimal == "12.34" && charge.status == .confirmed)
        #expect(try app.get("/due").text.contains("Well done!"))
        let other = try app.add("Zoom", [.nextBillingOn: "2026-11-20"])
        let today = "\(other.uuidString.lowercased()):2026-11-20"
        #expect(try app.post("/due/skip", [("occurrence", today)]).status == 303)
        #expect(try app.post("/due/confirm", [("occurrence", today), ("occurrence", due)]).status == 303)
        for form in [[], [("occurrence", "x")], [("occurrence", "\(other.uuidString.lowercased()):2026-11-21")]] {
            let refused = try app.post("/due/confirm", form)
            #expect([400, 404].contains(refused.status), "\(form)")
        }
    }

    @Test func undoTakesBackOnlyWhatThePageHasShown() throws {
        let app = try AppFixture()
        try app.add("One")
        let shown = try #require(try app.store.journal.entries(at: app.moment).first).id
        try app.add("Two")
        let refused = try app.post("/undo", [("number", "\(shown)"), ("back", "/")])
        #expect(refused.status == 400 && refused.text.contains("Something else was changed since"))
        #expect(refused.text.contains("href=\"/settings#changes\""))
        #expect(try app.get("/settings").text.contains("id=\"changes\""))
        #expect(try app.names() == ["One", "Two"])
    }

    @Test func redoMakesOnlyWhatThePageHasShown() throws {
        let app = try AppFixture()
        let id = try app.add("One")
        for notes in ["first", "second"] { try app.store.subscriptions.edit(id, [.notes: notes], at: app.moment) }
        let shown = try #require(try app.store.journal.undo(at: app.moment).entries.first).id
        // Another window takes one more back.
        try app.store.journal.undo(at: app.moment)
        for number in ["\(shown)", "x", "0"] {
            let refused = try app.post("/redo", [("number", number), ("back", "/")])
            #expect(refused.status == 400 && refused.text.contains("Something else was changed since"))
        }
        #expect(try app.store.subscriptions.load(id).notes == "")
        #expect(try app.post("/redo", [("number", "\(shown - 1)"), ("back", "/")]).status == 303)
        #expect(try app.store.subscriptions.load(id).notes == "first")
        try app.store.subscriptions.edit(id, [.notes: "third"], at: app.moment)
        #expect(try app.post("/redo", [("number", "\(shown)"), ("back", "/")]).status == 400)
    }

    @Test(arguments: ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/?done=1"])
    func formsLeadBackToOwnPagesOnly(_ back: String) throws {
        let app = try AppFixture()
        try app.add()
        let entry = try #require(try app.store.journal.entries(at: app.moment).first)
        let response = try app.post("/undo", [("number", "\(entry.id)"), ("back", back)])
        #expect(response["Location"] == "/?undone=\(entry.id)")
    }

    /// What is done with a row does not begin the search anew.
    @Test func aSearchedListStaysSo() throws {
        let app = try AppFixture()
        let id = try app.add("Été & <b>")
        let list = "/?q=%C3%A9t%C3%A9%20%26&sort=name&scope=personal"
        let shown = list.replacing("&", with: "&amp;")
        #expect(try app.get(list).text.contains("name=\"back\" value=\"\(shown)\""))
        let paused = try app.post("/subscriptions/\(id.lowercased)/pause", [("back", list)])
        let entry = try #require(try app.store.journal.entries(at: app.moment).first)
        #expect(paused["Location"] == list + "&done=\(entry.id)")
        let page = try app.get(list + "&done=\(entry.id)").text
        #expect(page.contains("action=\"/undo\"") && page.contains("name=\"back\" value=\"\(shown)\""))
        let undone = try app.post("/undo", [("number", "\(entry.id)"), ("back", list)])
        #expect(undone["Location"] == list + "&undone=\(entry.id)")
        let deleted = try app.post("/subscriptions/\(id.lowercased)/delete", [("back", list + "&evil=1&done=7")])
        #expect(
            deleted["Location"]?.hasPrefix(list + "&done=") == true && deleted["Location"]?.contains("evil") == false)
    }

    @Test func textIsNeverMarkup() throws {
        let app = try AppFixture()
        let bad = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
        let id = try app.add(
            String(bad.prefix(80)), [.notes: bad, .paymentMethod: bad, .website: "https://x.example/?a=<b>"])
        let place = "/subscriptions/\(id.uuidString.lowercased())"
        for page in [
            "/", "/due", place, "/settings", "/add?name=\(try encoded(bad))", "/add?q=\(try encoded(bad))",
            "/?q=\(try encoded(bad))",
        ] {
            let text = try app.get(page).text
            #expect(!text.contains("<script>alert") && !text.contains("<img src=x"), "\(page)")
        }
        #expect(try !app.post("/add", [("name", bad), ("amount", bad)]).text.contains("<img src=x"))
    }

    private func encoded(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    @Test func speaksFrenchAtOnce() throws {
        let app = try AppFixture()
        try app.add()
        #expect(try app.get("/").text.contains("<html lang=\"en\">"))
        #expect(try app.post("/settings/language", [("language", "fr")]).status == 303)
        let page = try app.get("/").text
        #expect(page.contains("<html lang=\"fr\">") && page.contains("Abonnements") && page.contains("161,88"))
        #expect(try app.get("/due").text.contains("À confirmer"))
        #expect(try app.post("/add", [("name", "x")]).text.contains("Pas enregistré"))
        #expect(try app.post("/settings/home-currency", [("home_currency", "zz")]).status == 422)
    }

    /// With the tabs, so that there is a way on.
    @Test func errorsAreInTheFrame() throws {
        let app = try AppFixture()
        let origin = ["Cookie: \(app.cookie)", "Sec-Fetch-Site: same-origin"]
        for (method, target, status) in [
            ("GET", "/nowhere", 404), ("GET", "/subscriptions/\(UUID().lowercased)", 404),
            ("GET", "/?q=%FF", 400), ("DELETE", "/", 405), ("POST", "/calendar", 405),
        ] {
            let answer = try AppFixture.exchange(app.server, method, target, origin)
            #expect(answer.status == status, "\(method) \(target): \(answer.status)")
            #expect(answer.text.contains("<nav class=\"tabbar\""), "\(method) \(target): \(answer.text)")
            let locked = try AppFixture.exchange(app.server, method, target, ["Sec-Fetch-Site: same-origin"])
            #expect(!locked.text.contains("tabbar"), "\(method) \(target)")
        }
    }

    @Test func refusesWhatIsNoForm() throws {
        let app = try AppFixture()
        let fields = [
            "Cookie: \(app.cookie)", "Sec-Fetch-Site: same-origin", "Content-Type: application/json",
            "Content-Length: 2",
        ]
        let request = "POST /add HTTP/1.1\r\nHost: \(app.host)\r\n" + fields.joined(separator: "\r\n")
        #expect(try RawClient.exchange(app.port, request + "\r\nConnection: close\r\n\r\n{}").status == 400)
        #expect(
            try AppFixture.exchange(
                app.server, "DELETE", "/", ["Cookie: \(app.cookie)", "Sec-Fetch-Site: same-origin"]
            ).status == 405)
    }

    /// A change of elsewhere reaches an open page within a second.
    @Test func openPagesAreToldOfChanges() async throws {
        let app = try AppFixture()
        let (port, head) = (app.port, "GET /live HTTP/1.1\r\nHost: \(app.host)\r\nCookie: \(app.cookie)\r\n\r\n")
        let (path, moment) = (app.store.path, app.moment)
        // All of it on a thread of its own: on a busy machine a task may wait for longer than the page does.
        let page = OwnThread {
            let client = try RawClient(port: port, timeoutSeconds: 20)
            try client.send(head)
            var text = ""
            while !text.contains("retry:") { text += String(decoding: try client.readSome(), as: UTF8.self) }
            // Another process: a second store on the same file.
            let other = try DeviceStore(path: path, now: moment.now, entitlement: .premium(until: nil))
            defer { try? other.close() }
            _ = try other.subscriptions.add(
                [.name: "Zoom", .amount: "1", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-12-01"],
                at: moment)
            let end = Date(timeIntervalSinceNow: 20)
            while !text.contains("event: change"), Date() < end {
                text += String(decoding: try client.readSome(), as: UTF8.self)
            }
            return text
        }
        while !page.hasEnded { try await Task.sleep(for: .milliseconds(5)) }
        let text = try page.value(timeoutSeconds: 1)
        #expect(text.contains("Content-Type: text/event-stream") && text.contains("event: change"))
        #expect(try app.get("/").text.contains("Zoom"))
    }

    /// What has changed between the page and its connection.
    @Test func aPageThatIsOutOfDateIsToldAtOnce() throws {
        let app = try AppFixture()
        let shown = try app.store.revision()
        try app.add()
        let client = try RawClient(port: app.port, timeoutSeconds: 20)
        try client.send("GET /live?since=\(shown) HTTP/1.1\r\nHost: \(app.host)\r\nCookie: \(app.cookie)\r\n\r\n")
        var text = ""
        let end = Date(timeIntervalSinceNow: 3)
        while !text.contains("event: change"), Date() < end {
            text += String(decoding: try client.readSome(), as: UTF8.self)
        }
        #expect(text.contains("event: change\ndata: \(try app.store.revision())\n"))
    }

    @Test func theCalendarHasChargesAndLastDaysToCancel() throws {
        let app = try AppFixture()
        try app.add("Leap", [.nextBillingOn: "2028-02-29", .cycle: "yearly", .amount: "12.34"])
        try app.add(
            "Gym", [.minimumMonths: "12", .noticeDays: "30", .startedOn: "2026-01-15", .nextBillingOn: "2026-12-15"])
        let page = try app.get("/calendar?month=2028-02").text
        #expect(page.contains("2028-02-29") && page.contains("€12.34"))
        #expect(try app.get("/calendar?month=2026-12").text.contains("cancel Gym today at the latest"))
        #expect(try app.get("/insights").text.contains("The next 12 months"))
        for odd in ["x", "2026-13", "0001-01", "9999-12", ""] {
            #expect(try app.get("/calendar?month=\(odd)").status == 200, "\(odd)")
        }
    }

    @Test func chargesAreConfirmedFromTheWidget() throws {
        let app = try AppFixture()
        let id = try app.add("Netflix", [.nextBillingOn: "2026-11-21"])
        let page = try app.get("/widget/small")
        #expect(page.text.contains("tomorrow") && page.text.contains("€161.88"))
        // Until midnight in Paris.
        #expect(page["Refresh"] == "46800; url=/widget/small")
        let due = "\(id.uuidString.lowercased()):2026-11-21"
        let confirmed = try app.post("/due/confirm", [("occurrence", due), ("back", "/widget/small")])
        let entry = try #require(try app.store.journal.entries(at: app.moment).first)
        #expect(confirmed["Location"] == "/widget/small?done=\(entry.id)")
        let after = try app.get("/widget/small?done=\(entry.id)")
        #expect(after.text.contains("All confirmed") && after.text.contains("action=\"/undo\""))
        let undone = try app.post("/undo", [("number", "\(entry.id)"), ("back", "/widget/small")])
        #expect(undone["Location"] == "/widget/small?undone=\(entry.id)")
        #expect(try app.get("/widget/huge").status == 404)
    }

    @Test func backupsAreDownloadedAndRestored() throws {
        let app = try AppFixture()
        try app.add("One")
        #expect(try app.get("/backups").text.contains("There is no backup yet."))
        let file = try app.post("/backups/download", [("passphrase", "")])
        #expect(file["Content-Disposition"] == "attachment; filename=\"subguard-2026-11-20.json\"")
        #expect(file["Cache-Control"] == "no-store" && file.text.contains("subguard-backup"))
        #expect(try !app.post("/backups/download", [("passphrase", "é🎉")]).text.contains("One"))
        // The first change through a page makes the weekly backup.
        let id = try app.add("Two")
        #expect(try app.post("/subscriptions/\(id.uuidString.lowercased())/delete", []).status == 303)
        let backup = try #require(try app.store.backups.list().first)
        #expect(backup.kind == .automatic && backup.subscriptions == 1)
        try app.add("Three")
        let name = try encoded(backup.path)
        let page = try app.get("/backups/restore?name=\(name)").text
        #expect(page.contains("2 subscriptions") && page.contains("1 subscription<"))
        #expect(page.contains("Would disappear") && page.contains("Three") && !page.contains("Would come back"))
        let id2 = try #require(page.firstMatch(of: try Regex("name=\"id\" value=\"([^\"]*)\""))?.output[1].substring)
        let form = [("id", String(id2))]
        #expect(try app.names().count == 2, "nothing is done before")
        #expect(try app.post("/backups/restore/accept", form).status == 303)
        #expect(try app.names() == ["One"])
        #expect(try app.store.backups.list().contains { $0.kind == .beforeRestore })
        #expect(try app.post("/backups/restore/accept", form).status == 400, "a look is for once")
        for odd in ["/etc/passwd", "../../etc/passwd", "99"] {
            #expect(try app.get("/backups/restore?name=\(try encoded(odd))").status == 404, "\(odd)")
            #expect(try app.post("/backups/restore/look", [("name", odd)]).status == 404, "\(odd)")
        }
    }

    /// What another window has changed since the page was shown is no edit of this form.
    @Test func aFormOfAnOldPageChangesOnlyWhatWasTyped() throws {
        let app = try AppFixture()
        let id = try app.add("M", [.amount: "9.99", .cycle: "yearly", .nextBillingOn: "2027-01-15"])
        let place = "/subscriptions/\(id.lowercased)"
        let page = try app.get(place).text
        var fields = page.matches(of: /name="(shown_[a-z_]+)" value="([^"]*)"/).map { (String($0.1), String($0.2)) }
        #expect(fields.contains { $0 == ("shown_amount", "9.99") })
        fields += fields.map { (String($0.0.dropFirst("shown_".count)), $0.1) }
        let number = try #require(fields.lastIndex { $0.0 == "notes" })
        fields[number].1 = "Mine"
        try app.store.subscriptions.edit(id, [.amount: "12.00", .paymentMethod: "Visa"], at: app.moment)
        #expect(try app.post("\(place)/edit", fields).status == 303)
        let subscription = try app.store.subscriptions.load(id)
        #expect(subscription.notes == "Mine" && subscription.paymentMethod == "Visa")
        #expect(subscription.price(on: app.moment.today).decimal == "12.00")
    }
}

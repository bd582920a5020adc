import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// Merging, exports, rates, reminders and consent.
@Suite struct SettingTests {
    private func hidden(_ name: String, in page: String) throws -> String {
        let match = try #require(page.firstMatch(of: try Regex("name=\"\(name)\" value=\"([^\"]*)\"")))
        return String(try #require(match.output[1].substring))
    }

    @Test func aMergeIsShownBeforeItIsDone() throws {
        let app = try AppFixture()
        let other = try AppFixture()
        let id = try app.add("Netflix", [.amount: "12.34"])
        // The other device begins with the same, and edits it later.
        try other.store.backups.restore(try app.store.backups.make(at: app.moment), at: other.moment)
        other.advance(seconds: 600)
        _ = try other.store.subscriptions.edit(id, [.notes: "<script>alert(1)</script>"], at: other.moment)
        try other.add("L'Équipe “26” 🎉 <b>")
        let backup = try other.store.backups.make(passphrase: "é🎉", at: other.moment)

        #expect(try app.get("/backups").text.contains("Merge another device"))
        let wrong = try app.send("/backups/merge", [("passphrase", "no")], "b.json", backup)
        #expect(wrong.status == 422 && wrong.text.contains("role=\"alert\""))
        let preview = try app.send("/backups/merge", [("passphrase", "é🎉")], "<b>.json", backup)
        #expect(preview.status == 200 && preview.text.contains("1 subscription added"))
        #expect(preview.text.contains("Netflix: notes") && !preview.text.contains("<script>alert"))
        #expect(!preview.text.contains("<b>.json"))
        #expect(try app.names() == ["Netflix"], "nothing is done before")
        #expect(try app.store.subscriptions.load(id).notes.isEmpty)
        let form = [("id", try hidden("id", in: preview.text))]
        let done = try app.post("/backups/merge/accept", form)
        #expect(done.status == 303)
        #expect(try app.names().count == 2)
        #expect(try app.store.subscriptions.load(id).notes == "<script>alert(1)</script>")
        #expect(try app.store.backups.list().contains { $0.kind == .beforeMerge })
        #expect(try app.get(try #require(done["Location"])).text.contains("action=\"/undo\""))
        #expect(try app.post("/backups/merge/accept", form).status == 400, "a file is for once")
        // Again there is nothing new.
        let again = try app.send("/backups/merge", [("passphrase", "é🎉")], "b.json", backup)
        #expect(
            again.text.contains("nothing that is not here already") && !again.text.contains("type=\"submit\">Merge"))
    }

    @Test func whatWasChangedSinceTheComparisonIsShownFirst() throws {
        let (app, other) = (try AppFixture(), try AppFixture())
        let id = try app.add("Netflix", [.amount: "12.34"])
        try other.store.backups.restore(try app.store.backups.make(at: app.moment), at: other.moment)
        other.advance(seconds: 600)
        _ = try other.store.subscriptions.edit(id, [.notes: "theirs “26” 🎉"], at: other.moment)
        try other.add("New")
        let backup = try other.store.backups.make(passphrase: nil, at: other.moment)
        let preview = try app.send("/backups/merge", [("passphrase", "")], "b.json", backup).text
        #expect(!preview.contains("mine") && !preview.contains("Something was changed"))
        _ = try app.store.subscriptions.edit(id, [.notes: "mine <b>"], at: app.moment)
        let refused = try app.post("/backups/merge/accept", [("id", try hidden("id", in: preview))])
        #expect(refused.status == 409 && refused.text.contains("Something was changed since you looked."))
        #expect(refused.text.contains("Netflix: notes") && refused.text.contains("mine &lt;b&gt;"))
        #expect(try app.names() == ["Netflix"])
        #expect(try app.post("/backups/merge/accept", [("id", try hidden("id", in: refused.text))]).status == 303)
        #expect(try app.names().sorted() == ["Netflix", "New"])
    }

    /// Also what is less than a day ahead by the time of the decision.
    @Test func whatThePreviewLeftOutStaysOut() throws {
        let (app, other) = (try AppFixture(), try AppFixture())
        try other.add("Near")
        other.advance(seconds: 86_400 + 60)
        try other.add("Ahead")
        let backup = try other.store.backups.make(at: other.moment)
        let preview = try app.send("/backups/merge", [("passphrase", "")], "b.json", backup).text
        #expect(preview.contains("What is left out") && preview.contains("Ahead"))
        app.advance(seconds: 120)
        #expect(try app.post("/backups/merge/accept", [("id", try hidden("id", in: preview))]).status == 303)
        #expect(try app.names() == ["Near"])
        // Looked at again, it is taken.
        let again = try app.send("/backups/merge", [("passphrase", "")], "b.json", backup).text
        #expect(try app.post("/backups/merge/accept", [("id", try hidden("id", in: again))]).status == 303)
        #expect(try app.names().sorted() == ["Ahead", "Near"])
    }

    @Test func whatIsNoBackupIsRefused() throws {
        let app = try AppFixture()
        for bytes in [[], Array("PK\u{3}\u{4}".utf8), Array("{}".utf8), [UInt8](repeating: 0xFF, count: 100_000)] {
            let refused = try app.send("/backups/merge", [("passphrase", "")], "b.json", bytes)
            #expect(refused.status == 422 && refused.text.contains("role=\"alert\""))
            #expect(refused.text.utf8.count < 20_000)
        }
        let long = [UInt8](repeating: UInt8(ascii: "["), count: 20 << 20)
        #expect(try app.send("/backups/merge", [], "b.json", long).status == 413)
    }

    @Test func exportsHaveTheirTypes() throws {
        let app = try AppFixture()
        try app.add("=cmd|' /C calc'!A0", [.notes: "\"é\""])
        let expected: KeyValuePairs = [
            "csv": "text/csv; charset=utf-8", "json": "application/json", "ical": "text/calendar; charset=utf-8",
            "ledger": "text/plain; charset=utf-8", "beancount": "text/plain; charset=utf-8",
        ]
        let page = try app.get("/export").text
        #expect(page.contains("without other prices, planned pauses") && page.contains("The JSON file has them."))
        for (format, type) in expected {
            #expect(page.contains("href=\"/export/\(format)\""), "\(format)")
            let file = try app.get("/export/\(format)")
            #expect(file.status == 200 && file["Content-Type"] == type, "\(format)")
            #expect(file["Content-Disposition"]?.hasPrefix("attachment; filename=\"subguard-2026-11-20.") == true)
            #expect(file["Cache-Control"] == "no-store")
        }
        // A spreadsheet must not run it.
        #expect(try app.get("/export/csv").text.contains("'=cmd"))
        #expect(try app.get("/export/xls").status == 404)
        let free = try AppFixture(isPremium: false)
        #expect(try free.get("/export/csv").status == 422)
        #expect(try free.get("/export/json").status == 200)
    }

    @Test func ratesAreSetAndImported() throws {
        let app = try AppFixture()
        try app.add("Adobe", [.currency: "USD", .amount: "12.34"])
        #expect(try app.get("/rates").text.contains("No rate for"))
        let wrong = try app.post("/rates", [("currency", "EURO"), ("rate", "<x>"), ("on", "2026-11-20")])
        #expect(wrong.status == 422 && wrong.text.contains("value=\"EURO\"") && !wrong.text.contains("<x>"))
        #expect(try app.post("/rates", [("currency", "USD"), ("rate", "-1"), ("on", "2026-11-20")]).status == 422)
        #expect(try app.post("/rates", [("currency", "USD"), ("rate", "1"), ("on", "2026-02-29")]).status == 422)
        #expect(try app.post("/rates", [("currency", "usd"), ("rate", "1,25"), ("on", "2026-11-20")]).status == 303)
        let page = try app.get("/rates").text
        #expect(page.contains("1 EUR = 1.25 USD") && !page.contains("No rate for"))
        let file = "Date, USD, JPY, \n19 November 2026, 1.0823, 161.5, \n"
        #expect(try app.send("/rates/file", [], "eurofxref.csv", Array(file.utf8)).status == 303)
        #expect(try app.get("/rates").text.contains("up to 2026-11-19"))
        for bad in ["", "x", "PK\u{3}\u{4}"] {
            let refused = try app.send("/rates/file", [], "x.zip", Array(bad.utf8))
            #expect(refused.status == 422 && refused.text.contains("file-fault"), "\(bad)")
        }
        #expect(try app.send("/rates/file", [], "x.csv", [UInt8](repeating: 65, count: 6 << 20)).status == 413)
    }

    @Test func remindersAreChosen() throws {
        let app = try AppFixture()
        try app.add("Gym <b>", [.nextBillingOn: "2026-12-15"])
        #expect(try app.get("/reminders").text.contains("Gym &lt;b"))
        let wrong = try app.post(
            "/reminders",
            [
                ("reminders.time", "25:00"), ("reminders.quiet_hours", "x"), ("reminders.days", "3"),
                ("reminders.cancel_by_days", "a"), ("kind", "charge"),
            ])
        #expect(wrong.status == 422 && wrong.text.contains("value=\"25:00\""))
        for name in ["time", "quiet_hours", "cancel_by_days"] {
            #expect(wrong.text.contains("id=\"reminders.\(name)-fault\""), "\(name)")
        }
        let saved = try app.post(
            "/reminders",
            [
                ("reminders.time", "08:30"), ("reminders.quiet_hours", "none"), ("reminders.days", "7,1"),
                ("reminders.cancel_by_days", "14"), ("kind", "charge"), ("kind", "cancel_by"),
            ])
        #expect(saved.status == 303)
        let policy = try app.store.reminders.policy()
        #expect(policy.days == [7, 1] && policy.kinds == [.charge, .cancelBy] && policy.minuteOfDay == 510)
        #expect(try app.post("/reminders", [("kind", "<b>")]).status == 422)
    }

    /// What another window has changed since the page was shown is no edit of this form.
    @Test func remindersOfAnOldPageChangeOnlyWhatWasTyped() throws {
        let app = try AppFixture()
        let page = try app.get("/reminders").text
        let shown = page.matches(of: /name="(shown_[a-z_.]+)" value="([^"]*)"/).map { (String($0.1), String($0.2)) }
        #expect(shown.count == 5)
        try app.store.settings.set(.reminderTime, to: "07:15", at: app.moment)
        try app.store.settings.set(.reminderKinds, to: "charge", at: app.moment)
        var form = shown + shown.dropLast().map { (String($0.0.dropFirst("shown_".count)), $0.1) }
        form += ReminderKind.allCases.map { ("kind", $0.rawValue) }
        let number = try #require(form.firstIndex { $0.0 == "reminders.days" })
        form[number].1 = "5,2"
        let saved = try app.post("/reminders", form)
        let policy = try app.store.reminders.policy()
        #expect(policy.minuteOfDay == 435 && policy.days == [5, 2] && policy.kinds == [.charge])
        // One change, which one undo takes back.
        let other = try app.post(
            "/reminders", [("reminders.time", "10:00"), ("reminders.days", "1"), ("kind", "budget")])
        let place = try #require(other["Location"])
        #expect(saved.status == 303 && place != saved["Location"])
        #expect(try app.get(place).text.contains("settings changed"))
        let entry = try #require(try app.store.journal.entries(at: app.moment).first)
        #expect(try app.post("/undo", [("number", "\(entry.id)"), ("back", "/reminders")]).status == 303)
        #expect(try app.store.reminders.policy().days == [5, 2])
    }

    @Test func settingsCanBeUndone() throws {
        let app = try AppFixture()
        for (path, form, text) in [
            ("language", [("language", "fr")], "langue"), ("language", [("language", "en")], "language"),
            ("home-currency", [("home_currency", "chf")], "home currency: CHF"),
        ] {
            let place = try #require(try app.post("/settings/\(path)", form)["Location"])
            let page = try app.get(place).text
            #expect(page.contains(text) && page.contains("action=\"/undo\""), "\(place)")
        }
        let entry = try #require(try app.store.journal.entries(at: app.moment).first)
        #expect(try app.post("/undo", [("number", "\(entry.id)"), ("back", "/settings")]).status == 303)
        #expect(try app.store.settings.value(.homeCurrency) == nil)
        // The same once more is no change.
        let same = try app.post("/settings/language", [("language", "en")])
        #expect(same["Location"] == "/settings?done=nothing")
    }

    @Test func consentIsOffUntilGivenAndEveryEventIsShown() throws {
        let app = try AppFixture()
        try app.add()
        let page = try app.get("/privacy").text
        #expect(page.contains("not given yet") && page.contains("subscription_added"))
        #expect(page.contains("first_subscription_added") && page.contains("retention_d30"))
        // Looking changes nothing.
        let before = try app.store.revision()
        _ = try app.get("/privacy")
        #expect(try app.store.revision() == before)
        #expect(try app.store.analytics.queueCounts().waiting == 2)
        #expect(try app.post("/privacy", [("consent", "granted")]).status == 303)
        #expect(try app.store.analytics.consent() == .granted)
        #expect(try app.post("/privacy", [("consent", "revoked")]).status == 303)
        #expect(try app.store.analytics.queueCounts().waiting == 0)
        #expect(try app.get("/privacy").text.contains("Nothing waits."))
        for odd in ["", "undecided", "<b>"] {
            #expect(try app.post("/privacy", [("consent", odd)]).status == 400, "\(odd)")
        }
    }

    @Test(arguments: [
        "/export", "/rates", "/reminders", "/privacy", "/backups", "/backups/merge", "/settings", "/server", "/premium",
        "/categories", "/calendar", "/insights", "/year", "/transactions",
    ])
    func speaksFrench(_ page: String) throws {
        let app = try AppFixture(language: .french)
        try app.add("Adobe", [.currency: "USD"])
        let text = try app.get(page).text
        for english in ["Save", "Reminders", "Download", "Exchange", "Merge", "Allow", "Nothing waits", "Passphrase"] {
            #expect(!text.contains(">\(english)"), "\(english)")
        }
    }
}

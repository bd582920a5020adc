import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// What the script needs of the server: drafts, and reminders to show.
@Suite struct NoticeTests {
    private typealias Notices = [[String: String]]

    private func take(_ app: AppFixture, _ cookies: String = "", told: Notices = []) throws -> Notices {
        let answer = try AppFixture.exchange(
            app.server, "POST", "/reminders/due", ["Cookie: \(app.cookie)\(cookies)", "Sec-Fetch-Site: same-origin"],
            form: told.isEmpty ? nil : told.map { ("told", $0["id"] ?? "") } + [("told", "unknown")])
        #expect(answer.status == 200 && answer["Content-Type"] == "application/json")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? Notices)
    }

    @Test func eachReminderIsToldOnce() async throws {
        try await OwnThread.run {
            let app = try AppFixture()
            let id = try app.add("Netflix “é”", [.nextBillingOn: "2026-11-23"])
            #expect(try app.store.reminders.due(at: app.moment).count == 1)
            let told = try take(app)
            #expect(told.count == 1 && told.first?["title"] == "Netflix “é”")
            #expect(told.first?["link"] == "/subscriptions/\(id.uuidString.lowercased())")
            // A page that closes before it has shown them loses none.
            #expect(try take(app) == told)
            #expect(try app.store.reminders.due(at: app.moment).count == 1)
            #expect(try take(app, told: told).isEmpty)
            #expect(try app.store.reminders.due(at: app.moment).isEmpty, "subguard remind knows it")
            // Asking for nothing changes nothing: else pages that are open would ask again and again.
            let before = try app.store.revision()
            #expect(try take(app).isEmpty)
            #expect(try app.store.revision() == before)
        }
    }

    @Test func hiddenAmountsStayHidden() async throws {
        try await OwnThread.run {
            let app = try AppFixture()
            try app.add("Netflix", [.nextBillingOn: "2026-11-23"])
            let told = try take(app, "; subguard_veil_\(app.port)=on")
            #expect(told.first?["text"] == "in 3 days")
        }
    }

    @Test func onlyPagesOfTheAppTakeReminders() async throws {
        try await OwnThread.run {
            let app = try AppFixture()
            try app.add("Netflix", [.nextBillingOn: "2026-11-23"])
            for fields in [["Sec-Fetch-Site: same-origin"], ["Cookie: \(app.cookie)", "Sec-Fetch-Site: cross-site"]] {
                #expect(try AppFixture.exchange(app.server, "POST", "/reminders/due", fields).status >= 401)
            }
            #expect(try app.store.reminders.due(at: app.moment).count == 1)
            #expect(try app.get("/reminders").text.contains("data-notify"))
        }
    }

    @Test func aDraftIsForgottenOnceItWasAdded() throws {
        let app = try AppFixture()
        // Under an address of its own, which a refusal keeps.
        let (page, draft) = (try app.get("/add?name=x").text, "name=\"draft\" value=\"/add?name=x\"")
        #expect(page.contains("data-draft=\"\"") && page.contains(draft))
        #expect(try app.get("/add").text.contains("data-draft-offer"))
        let form = [
            ("name", "Netflix"), ("amount", "abc"), ("currency", "EUR"), ("cycle", "monthly"),
            ("next_billing_on", "2026-12-01"),
        ]
        let refused = try app.post("/add", form + [("draft", "/add?name=x")]).text
        #expect(refused.contains(draft) && refused.contains("data-live=\"\""))
        let added = try app.post("/add", form.filter { $0.0 != "amount" } + [("amount", "1")])
        #expect(added["Location"]?.hasPrefix("/?done=") == true)
    }
}

import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// A form that is sent after its session has ended comes back to be checked, and never as a change.
@Suite struct KeptFormTests {
    private static let hostile = "\"><img src=x onerror=alert(1)>'&"

    private func code(_ app: AppFixture) throws -> String {
        String(try #require(try app.server.launchAddress().split(separator: "#").last))
    }

    /// What a browser whose session has ended sends.
    private func refused(
        _ app: AppFixture, _ target: String, _ form: [(String, String)],
        _ fields: [String] = ["Sec-Fetch-Site: same-origin"]
    ) throws -> RawResponse {
        try AppFixture.exchange(app.server, "POST", target, fields, form: form)
    }

    /// The hidden fields of the first form of a page.
    private func hidden(_ page: String) -> [(String, String)] {
        let form = page.split(separator: "</form>").first.map(String.init) ?? ""
        return form.matches(of: /type="hidden" name="([^"]*)" value="([^"]*)"/).map { match in
            let text = { (part: Substring) -> String in
                String(part).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                    .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
            }
            return (text(match.output.1), text(match.output.2))
        }
    }

    @Test func whatWasTypedComesBackToBeChecked() throws {
        let app = try AppFixture()
        let typed = [
            ("name", Self.hostile), ("amount", "12,34"), ("currency", "EUR"), ("cycle", "yearly"),
            ("notes", "L'été “26” 🎉"), ("draft", "/add?name=x"),
        ]
        let page = try refused(app, "/add", typed)
        #expect(page.status == 401 && page.text.contains("Nothing was saved") && !page.text.contains("<img"))
        #expect(try app.names().isEmpty)
        let kept = hidden(page.text)
        #expect(kept.contains { $0 == ("kept-for", "/add") } && kept.contains { $0 == ("kept:name", Self.hostile) })
        // A wrong code keeps it.
        let origin = ["Origin: http://\(app.host)"]
        let wrong = try AppFixture.exchange(
            app.server, "POST", "/launch", origin, form: kept + [("code", String(repeating: "0", count: 32))])
        #expect(wrong.status == 422 && hidden(wrong.text).count == kept.count)
        // The browser sends the same form to the address of the redirection.
        let form = kept + [("code", try code(app))]
        let launched = try AppFixture.exchange(app.server, "POST", "/launch", origin, form: form)
        #expect(launched.status == 307 && launched["Location"] == "/add")
        let cookie = String(try #require(launched["Set-Cookie"]?.split(separator: ";").first))
        let back = try AppFixture.exchange(app.server, "POST", "/add", origin + ["Cookie: \(cookie)"], form: form)
        #expect(back.status == 200 && back.text.contains("Not sent yet.") && !back.text.contains("<img"))
        #expect(back.text.contains("value=\"12,34\"") && back.text.contains("L&#39;été “26” 🎉</textarea>"))
        #expect(back.text.contains("value=\"/add?name=x\""))
        #expect(try app.names().isEmpty, "nothing is done before it is sent again")
        // The same for a browser that was let in by another tab, and without a session it is kept once more.
        #expect(try app.post("/add", kept).text.contains("value=\"12,34\""))
        let again = try refused(app, "/add", kept)
        #expect(again.status == 401 && hidden(again.text).count == kept.count)
    }

    @Test func anEditKeepsWhatThePageShowed() throws {
        let app = try AppFixture()
        let id = try app.add("Netflix", [.notes: "old"])
        let place = "/subscriptions/\(id.lowercased)/edit"
        let page = try refused(app, place, [("notes", "Mine"), ("shown_notes", "old")])
        let back = try app.post(place, hidden(page.text))
        #expect(back.status == 200 && back.text.contains("Mine</textarea>"))
        #expect(back.text.contains("name=\"shown_notes\" value=\"old\""))
        #expect(try app.store.subscriptions.load(id).notes == "old")
    }

    /// Every form with text comes back filled in.
    @Test(arguments: [
        ("/rates", [("currency", "USD"), ("rate", "1,2345"), ("on", "2026-11-20")], "1,2345"),
        ("/budgets", [("amount", "123,45"), ("currency", "EUR"), ("target", "pro")], "123,45"),
        ("/reminders", [("reminders.time", "08:31"), ("kind", "charge")], "08:31"),
        ("/transactions", [("title", "Vélo"), ("amount", "45,67")], "45,67"),
        ("/together/people", [("name", "Zoé")], "Zoé"), ("/welcome", [("home_currency", "CHF")], "CHF"),
        ("/settings/home-currency", [("home_currency", "CHF")], "CHF"),
    ])
    func otherFormsToo(_ place: String, _ form: [(String, String)], _ text: String) throws {
        let app = try AppFixture()
        let back = try app.post(place, hidden(try refused(app, place, form).text))
        #expect(back.status == 200 && back.text.contains("value=\"\(text)\""), "\(place)")
        #expect(!back.text.contains("aria-invalid"))
        #expect(try app.store.journal.entries(at: app.moment).isEmpty)
    }

    @Test func buttonsAreNotPressedAgain() throws {
        let app = try AppFixture()
        let id = try app.add()
        let due = "\(id.lowercased):2026-11-25"
        let page = try refused(app, "/due/confirm", [("occurrence", due)])
        let back = try app.post("/due/confirm", hidden(page.text))
        #expect(back.status == 303 && back["Location"] == "/?done=nothing")
        #expect(try app.store.ledger.pending(at: app.moment).count == 1)
    }

    /// Only our own pages can have a form kept; secrets and long forms are not.
    @Test func notEverythingIsKept() throws {
        let app = try AppFixture()
        for fields in [[], ["Origin: null"], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"]] {
            let response = try refused(app, "/add", [("name", "Planted")], fields)
            #expect(response.status == 403 && !response.text.contains("Planted"), "\(fields)")
        }
        let secret = try refused(app, "/backups/download", [("passphrase", "Geheim")])
        #expect(secret.status == 401 && !secret.text.contains("Geheim"))
        let long = (0..<5).map { ("notes\($0)", String(repeating: "x", count: 10_000)) }
        #expect(try !refused(app, "/add", long).text.contains("kept:"))
        for place in [
            "//evil.example", "https://evil.example", "/launch", "/add?x=1", "/\\evil", "javascript:alert(1)",
        ] {
            let form = [("kept-for", place), ("kept:name", "x"), ("code", try code(app))]
            let response = try AppFixture.exchange(
                app.server, "POST", "/launch", ["Origin: http://\(app.host)"], form: form)
            #expect(response.status == 303 && response["Location"] == "/welcome?step=1", "\(place)")
        }
        // Whatever says that it was kept is never carried out.
        for form in [[("kept-for", "/add")], [("kept-for", "x"), ("name", "x"), ("amount", "1"), ("currency", "EUR")]] {
            #expect([200, 303].contains(try app.post("/add", form).status))
        }
        #expect(try app.names().isEmpty)
    }
}

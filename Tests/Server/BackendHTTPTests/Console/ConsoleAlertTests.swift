import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct ConsoleAlertTests {
    private static let path = "/console/alerts"
    private static let rules = "/api/v1/admin/alerts/rules"
    private static let hostile = "<b>\"Zoé\" & 'x' 🦊"
    private static let form =
        "idempotency_key=k&name=%3Cb%3E%22Zo%C3%A9%22+%26+%27x%27+%F0%9F%A6%8A&figure=crash_free_sessions"
        + "&comparison=below&value=99.5&window=24h&minimum_sample=&muted_until="

    private func withServer(
        channels: Bool = false, role: Role = .owner, _ body: (ConsoleBrowser, TestServer) throws -> Void
    ) throws {
        let settings =
            channels
            ? [
                "alerts_webhook_url": "http://127.0.0.1:9/hook?token=s3cret", "alerts_webhook_secret": "wh-s3cret",
                "alerts_allow_private_targets": "true",
            ]
            : [:]
        let server = try TestServer(settings: settings)
        defer { server.end() }
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[role]))
        try body(browser, server)
    }

    @Test func saysWhatToDoWhenThereIsNothing() throws {
        try withServer { browser, _ in
            expect(
                try browser.get(Self.path).text,
                contains: [
                    "No rules yet", "1,000", "not reached yet", "No channel is configured", "Nothing was sent yet.",
                    "href=\"/console/alerts/rules/new\"",
                ])
            let refused = try browser.post("\(Self.path)/test", "idempotency_key=k")
            #expect(refused.status == 409)
            expect(refused.text, contains: ["No alert channel is configured.", "role=\"alert\""])
        }
    }

    @Test func makesChangesAndDeletesARule() throws {
        try withServer { browser, server in
            expect(
                try browser.get("\(Self.path)/rules/new").text,
                contains: [
                    "Crash-free sessions", "down by", "Fill in figure", "data-live=\"preview\"",
                    // The rule is a sentence, with windows to choose from, and says that no message is sent.
                    "<span>Send a message for</span>", "<span class=\"unit percent\">%</span>",
                    "<select id=\"f-window\"", "<option value=\"7d\">7 days</option>",
                    "No channel is configured, so no alert is sent",
                ])
            let made = try browser.post("\(Self.path)/rules/new", Self.form)
            let id = try #require(try server.admin(.owner, "GET", Self.rules).items().first?["id"]?.stringValue)
            let page = "\(Self.path)/rules/\(id)"
            #expect(made.status == 303 && made["Location"] == "\(page)?notice=saved")
            // Sent twice, it is made once.
            #expect(try browser.post("\(Self.path)/rules/new", Self.form)["Location"] == "\(page)?notice=saved")
            #expect(try server.admin(.owner, "GET", Self.rules).items().count == 1)
            expect(
                try browser.get("\(page)?notice=saved").text,
                contains: [
                    "&lt;b&gt;&quot;Zoé&quot; &amp; &#39;x&#39; 🦊", "Crash-free sessions below 99.5% in the last 24 h.",
                    "The rule is saved.", "name=\"revision\" value=\"1\"",
                ], lacks: ["<b>\""])
            expect(
                try browser.get(Self.path).text, contains: ["href=\"\(page)\"", "&lt;b&gt;&quot;Zoé"], lacks: ["<b>\""])

            let changed = Self.form.replacing("99.5", with: "99,25") + "&revision=1"
            for _ in 0..<2 { #expect(try browser.post(page, changed)["Location"] == "\(page)?notice=saved") }
            let stored = try server.admin(.owner, "GET", "\(Self.rules)/\(id)").json()
            #expect(stored["value"]?.numberText == "99.25")
            // A user who began before sees both versions.
            let late = try browser.post(page, Self.form.replacing("99.5", with: "98") + "&revision=1")
            #expect(late.status == 412)
            expect(
                late.text,
                contains: [
                    "Another user saved first", "value=\"98\"", "value=\"99.25\"", "name=\"revision\" value=\"2\"",
                ],
                lacks: ["<b>\""])

            for _ in 0..<2 {
                #expect(try browser.post("\(page)/mute", "idempotency_key=m&revision=2&seconds=3600").status == 303)
                server.clock.advance(by: .seconds(1))
            }
            let muted = try server.admin(.owner, "GET", "\(Self.rules)/\(id)").json()
            #expect(muted["muted_until"]?.stringValue == "2026-11-20T11:00:00Z")
            expect(
                try browser.get(page).text,
                contains: ["muted until 20 Nov 2026, 11:00 UTC", "End muting", "value=\"2026-11-20T11:00\""])
            #expect(try browser.post("\(page)/mute", "idempotency_key=m&revision=3&seconds=0").status == 303)
            #expect(try browser.post("\(page)/mute", "idempotency_key=m&revision=4&seconds=x").status == 422)

            expect(
                try browser.get("\(page)/delete").text, contains: ["Delete the rule “&lt;b&gt;", "cannot be undone"])
            for _ in 0..<2 {
                let deleted = try browser.post("\(page)/delete", "idempotency_key=d&revision=4")
                #expect(deleted.status == 303 && deleted["Location"] == "\(Self.path)?notice=deleted")
            }
            #expect(try browser.get(page).status == 404)
        }
    }

    @Test func keepsWhatWasTypedBesideItsFaults() throws {
        try withServer { browser, server in
            let form = Self.form.replacing("99.5", with: "a+lot").replacing("24h", with: "9w")
            let page = try browser.post("\(Self.path)/rules/new", form)
            #expect(page.status == 422)
            expect(
                page.text,
                contains: [
                    "value=\"a lot\"", "value=\"9w\"", "Must be a number.", "href=\"#f-value\"", "aria-invalid",
                    "role=\"alert\"",
                ], lacks: ["<b>\""])
            expect(
                try browser.post("\(Self.path)/rules/new", form, "Sec-Fetch-Site: same-origin", "Accept-Language: fr")
                    .text,
                contains: ["Doit être un nombre.", "Doit être en heures ou jours"])
            #expect(try browser.post("\(Self.path)/rules/new", Self.form).status == 303)
            let taken = try browser.post("\(Self.path)/rules/new", Self.form.replacing("99.5", with: "98"))
            #expect(taken.status == 409)
            expect(taken.text, contains: ["Another rule has this name.", "value=\"98\""])
            #expect(try server.admin(.owner, "GET", Self.rules).items().count == 1)
        }
    }

    @Test func previewsWithoutChangingAnything() throws {
        try withServer { browser, server in
            let counts =
                #"{"sessions":[{"id":"\#(makeID(1).lowercased)","started_at":"2026-11-18T10:00:00Z","#
                + #""app_version":"1.0","total":200,"crashed":10}]}"#
            #expect(try server.post("/api/v1/crashes", counts).status == 202)
            let nameless = Self.form.replacing("%3Cb%3E%22Zo%C3%A9%22+%26+%27x%27+%F0%9F%A6%8A", with: "")
            let page = try browser.post("\(Self.path)/rules/new", nameless + "&intent=preview")
            #expect(page.status == 200)
            expect(
                page.text,
                contains: [
                    "It would have fired once in the last 2 days.", "18 Nov 2026, 23:59 UTC", "class=\"limit\"", "95%",
                    "id=\"preview\"",
                ])
            let broken = try browser.post(
                "\(Self.path)/rules/new", nameless.replacing("99.5", with: "x") + "&intent=preview")
            #expect(broken.status == 200)
            expect(broken.text, contains: ["Fill in figure"])
            #expect(try server.admin(.owner, "GET", Self.rules).items().isEmpty)
            #expect(try server.admin(.owner, "GET", "/api/v1/admin/audit?action=alerts.rule").items().isEmpty)
        }
    }

    /// There, 18 November ends at five in the morning of the 19th.
    @Test func previewsByTheDaysOfTheZone() throws {
        try withBrowser(.owner, settings: ["reports_time_zone": "America/New_York"]) { browser, server in
            try server.waitForZone("America/New_York")
            let counts =
                #"{"sessions":[{"id":"\#(makeID(1).lowercased)","started_at":"2026-11-18T10:00:00Z","#
                + #""app_version":"1.0","total":200,"crashed":10}]}"#
            #expect(try server.post("/api/v1/crashes", counts).status == 202)
            expect(
                try browser.post("\(Self.path)/rules/new", Self.form + "&intent=preview").text,
                contains: ["19 Nov 2026, 04:59 UTC", "from 18 Nov 2026 to 20 Nov 2026"])
        }
    }

    @Test func replacesThresholds() throws {
        try withServer { browser, server in
            let page = "\(Self.path)/thresholds"
            expect(try browser.get(page).text, contains: ["1000\n5000", "name=\"revision\" value=\"1\""])
            let form = "idempotency_key=k&revision=1&thresholds=25%0D%0A1000"
            for _ in 0..<2 {
                let saved = try browser.post(page, form)
                #expect(saved.status == 303 && saved["Location"] == "\(Self.path)?notice=thresholds")
            }
            let refused = try browser.post(page, "idempotency_key=k&revision=2&thresholds=25%0D%0Amany")
            #expect(refused.status == 422)
            expect(refused.text, contains: ["Line 2:", "25\nmany"])
            let late = try browser.post(page, "idempotency_key=k&revision=1&thresholds=7")
            #expect(late.status == 412)
            expect(late.text, contains: ["Another user saved first", "name=\"revision\" value=\"2\""])
            let list = try server.admin(.owner, "GET", "/api/v1/admin/alerts/thresholds").json()
            let active = (list["thresholds"]?.arrayValue ?? []).map { $0["threshold"]?.numberText }
            #expect(active == ["25", "1000"])
        }
    }

    @Test func testsAChannelAndSendsAgain() throws {
        try withServer(channels: true) { browser, server in
            let sent = try browser.post("\(Self.path)/test", "idempotency_key=k&channel=webhook")
            #expect(sent.status == 303 && sent["Location"] == "\(Self.path)?notice=tested")
            // Sent twice, there is one message.
            #expect(try browser.post("\(Self.path)/test", "idempotency_key=k&channel=webhook").status == 303)
            let log = try server.admin(.owner, "GET", "/api/v1/admin/alerts").items()
            #expect(log.count == 1)
            let id = try #require(log.first?["id"]?.stringValue)
            let page = try browser.get("\(Self.path)?notice=tested").text
            expect(
                page,
                contains: [
                    "The test is queued", "Test message", "action=\"\(Self.path)/deliveries/\(id)/resend\"",
                    "Resend: Test message, Webhook",
                ], lacks: ["s3cret"])
            // It may be being sent at that moment.
            #expect(
                try eventually {
                    try browser.post("\(Self.path)/deliveries/\(id)/resend", "idempotency_key=r")["Location"]
                        == "\(Self.path)?notice=resent"
                })
            #expect(
                try browser.post("\(Self.path)/deliveries/\(makeID(9).lowercased)/resend", "idempotency_key=r").status
                    == 404)
            #expect(try browser.post("\(Self.path)/test", "idempotency_key=k&channel=pigeon").status == 422)
        }
    }

    @Test(arguments: Role.builtIn)
    func asksForThePermissionOfItsCalls(_ role: Role) throws {
        try withServer(channels: true, role: role) { browser, server in
            let rule = #"{"name":"R","figure":"users","comparison":"below","value":1,"window":"24h"}"#
            let made = try server.admin(.owner, "POST", Self.rules, json: rule).json()
            let id = try #require(made["id"]?.stringValue)
            let (mayRead, mayWrite) = (role.allows(.alertsRead), role.allows(.alertsWrite))
            for page in [Self.path, "\(Self.path)/rules/\(id)"] {
                let response = try browser.get(page)
                #expect(response.status == (mayRead ? 200 : 403), "\(page)")
                if mayRead { #expect(response.text.contains("idempotency_key") == mayWrite, "\(page)") }
            }
            // The page of alerts shows the thresholds to who may only read them.
            let thresholds = try browser.get("\(Self.path)/thresholds")
            #expect(thresholds.status == (mayWrite ? 200 : mayRead ? 303 : 403))
            #expect(mayWrite || !mayRead || thresholds["Location"] == Self.path)
            for page in ["rules/new", "rules/\(id)/delete"] {
                #expect(try browser.get("\(Self.path)/\(page)").status == (mayWrite ? 200 : 403), "\(page)")
            }
            #expect(try browser.get("/console").text.contains("href=\"\(Self.path)\"") == mayRead)
            for (target, form) in [
                ("thresholds", "idempotency_key=a&revision=1&thresholds=5"), ("rules/new", Self.form),
                ("rules/new", Self.form + "&intent=preview"),
                ("rules/\(id)/mute", "idempotency_key=c&revision=1&seconds=60"),
                ("rules/\(id)", Self.form.replacing("name=", with: "name=Q") + "&revision=2"),
                ("rules/\(id)/delete", "idempotency_key=e&revision=3"), ("test", "idempotency_key=f"),
            ] {
                let target = "\(Self.path)/\(target)"
                #expect(try browser.post(target, form, "Sec-Fetch-Site: cross-site").status == 403, "\(target)")
                let status = try browser.post(target, form).status
                #expect(mayWrite ? [200, 303].contains(status) : status == 403, "\(target)")
            }
        }
    }
}

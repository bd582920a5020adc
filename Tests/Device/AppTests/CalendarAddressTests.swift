import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// The calendar that other programs on this machine read.
@Suite struct CalendarAddressTests {
    /// As a calendar asks: without a cookie.
    private func ask(
        _ app: AppFixture, _ secret: String, _ fields: [String] = [], method: String = "GET", host: String? = nil
    ) throws -> RawResponse {
        try AppFixture.exchange(app.server, method, "/calendar/\(secret).ics", fields, host: host)
    }

    private func turn(_ app: AppFixture, _ action: String) throws -> RawResponse {
        try app.post("/settings/calendar", [("action", action)])
    }

    private static let wrong = String(repeating: "0", count: 64)

    @Test func isOffUntilItIsTurnedOn() throws {
        let app = try AppFixture()
        try app.add("L'Équipe “26” 🎉; x,y")
        #expect(try ask(app, Self.wrong).status == 404)
        let page = try app.get("/settings/calendar")
        #expect(page.status == 200 && !page.text.contains("/calendar/"))
        #expect(try app.get("/settings").text.contains("href=\"/settings/calendar\""))
        #expect(try turn(app, "on").status == 303)
        let secret = try #require(try app.store.calendarAddress.secret())
        #expect(secret.utf8.count == 64 && secret.allSatisfy(\.isHexDigit))
        #expect(try app.get("/settings/calendar").text.contains("http://127.0.0.1:\(app.port)/calendar/\(secret).ics"))
        let file = try ask(app, secret)
        #expect(file.status == 200 && file["Content-Type"] == "text/calendar; charset=utf-8")
        #expect(file.text == (try app.store.portability.export(.ical, at: app.moment)))
        #expect(file.text.contains("L'Équipe “26” 🎉\\; x\\,y"))
        for (name, value) in [
            ("Cache-Control", "private, no-cache"), ("Content-Security-Policy", "default-src 'none'; sandbox"),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
        ] {
            #expect(file.values(of: name) == [value])
        }
        #expect(file["Set-Cookie"] == nil)
    }

    @Test func answersAgainOnlyWhatChanged() throws {
        let app = try AppFixture()
        try app.add()
        let secret = try app.store.calendarAddress.turnOn(at: app.moment)
        let tag = try #require(try ask(app, secret)["ETag"])
        // Later it is written again, with the same events.
        app.advance(seconds: 3600)
        for given in [tag, "\"x\", \(tag)", "*", String(tag.dropFirst(2))] {
            let same = try ask(app, secret, ["If-None-Match: \(given)"])
            #expect(same.status == 304 && same.body.isEmpty && same["ETag"] == tag, "\(given)")
        }
        let head = try ask(app, secret, method: "HEAD")
        #expect(head.status == 200 && head.body.isEmpty && head["ETag"] == tag)
        try app.add("Deezer")
        let changed = try ask(app, secret, ["If-None-Match: \(tag)"])
        #expect(changed.status == 200 && changed["ETag"] != tag && changed.text.contains("Deezer"))
    }

    @Test func aRevokedSecretIsOneThatWasNeverThere() throws {
        let app = try AppFixture()
        let first = try app.store.calendarAddress.turnOn(at: app.moment)
        #expect(try app.store.calendarAddress.turnOn(at: app.moment) == first)
        #expect(try turn(app, "renew").status == 303)
        let second = try #require(try app.store.calendarAddress.secret())
        #expect(second != first)
        let never = try ask(app, Self.wrong)
        for secret in [first, "", second.uppercased(), String(second.dropLast()), second + "0", "%20", "..%2f"] {
            let answer = try ask(app, secret)
            #expect(answer.status == 404 && answer.text == never.text, "\(secret)")
        }
        #expect(try AppFixture.exchange(app.server, "GET", "/calendar/\(second)").status == 404)
        #expect(try ask(app, second).status == 200)
        #expect(try turn(app, "off").status == 303)
        #expect(try ask(app, second).status == 404)
        #expect(try turn(app, "x").status == 400)
    }

    @Test func onlyThisMachineReadsAndNobodyWrites() throws {
        let app = try AppFixture()
        let secret = try app.store.calendarAddress.turnOn(at: app.moment)
        for host in ["evil.example", "evil.example:\(app.port)", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:\(app.port)"] {
            #expect(try ask(app, secret, host: host).status == 403, "\(host)")
        }
        #expect(try ask(app, secret, host: "localhost:\(app.port)").status == 200)
        #expect(try ask(app, secret, ["Sec-Fetch-Site: cross-site"]).status == 403)
        for method in ["POST", "PUT", "DELETE"] {
            let answer = try ask(app, secret, ["Sec-Fetch-Site: same-origin", "Content-Length: 0"], method: method)
            #expect((400..<500).contains(answer.status) && !answer.text.contains("BEGIN"), "\(method)")
        }
        // No one turns it on or off without a session.
        let stranger = try AppFixture.exchange(
            app.server, "POST", "/settings/calendar", ["Sec-Fetch-Site: same-origin"], form: [("action", "off")])
        #expect(stranger.status == 401)
        #expect(try ask(app, secret).status == 200)
    }

    @Test func needsPremiumAsTheExportDoes() throws {
        let app = try AppFixture(language: .french, isPremium: false)
        let refused = try turn(app, "on")
        #expect(refused.status == 422 && refused.text.contains("nécessite Premium"))
        #expect(try app.store.calendarAddress.secret() == nil)
        // Premium that ended closes the address too.
        let paid = try DeviceStore(
            path: app.store.path, now: app.moment.now, entitlement: .premium(until: nil))
        let secret = try paid.calendarAddress.turnOn(at: app.moment)
        try paid.close()
        let closed = try ask(app, secret)
        #expect(closed.status == 403 && closed.text.contains("nécessite Premium"))
        #expect(closed["ETag"] == nil)
    }
}

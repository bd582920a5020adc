import BackendHTTP
import Foundation
import JSONWire
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

/// Customers' accounts in the console.
@Suite struct ConsoleAccountTests {
    private func key(_ page: String) throws -> String {
        let parts = page.components(separatedBy: "name=\"idempotency_key\" value=\"")
        return String(try #require(parts.count > 1 ? parts[1] : nil).prefix { $0 != "\"" })
    }

    @Test func givesAndTakesBack() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let access = try world.signIn("001.zoé", nonce: "n-1").access
        let id = try #require(try world.call("GET", "/api/v1/premium", access).json()["account_id"]?.stringValue)
        let browser = ConsoleBrowser(world.server)
        try browser.signIn(try #require(world.server.tokens[.owner]))
        let hash = try #require(
            try world.server.admin(.owner, "GET", "/api/v1/admin/accounts").items().first?["sign_in_hash"]?
                .stringValue)
        expect(
            try browser.get("/console/accounts").text, contains: ["/console/accounts/\(id)", hash, ">none<"],
            lacks: ["001.zo"])
        expect(try browser.get("/console/accounts?id=\(makeID(8).lowercased)").text, contains: ["No accounts"])
        let wrong = try browser.get("/console/accounts?id=%3Cb%3E")
        #expect(wrong.status == 422)
        expect(wrong.text, contains: ["&lt;b&gt;", "Account id"], lacks: ["<b>"])
        #expect(wrong.text.components(separatedBy: "role=\"alert\"").count == 2)

        let path = "/console/accounts/\(id)"
        let form = "idempotency_key=\(try key(try browser.get(path).text))&until=2027-01-31&note=%3Cb%3E%22Zo%C3%A9%22"
        for _ in 0..<2 {
            let saved = try browser.post(path, form)
            #expect(saved.status == 303)
            expect(
                try browser.follow(saved).text,
                contains: ["Premium is given.", "&lt;b&gt;&quot;Zoé&quot;", "given by an operator", ">active<"],
                lacks: ["<b>\""])
        }
        #expect(try world.call("GET", "/api/v1/premium", access).json()["source"]?.stringValue == "granted")
        let refused = try browser.post(path, "idempotency_key=k2&until=2026-01-31&note=Zo%C3%A9")
        #expect(refused.status == 422)
        expect(refused.text, contains: ["f-until-fault", "value=\"2026-01-31\"", "Zoé"])

        let question = try browser.get(path + "/revoke").text
        expect(question, contains: ["Take back the given premium?", id])
        for _ in 0..<2 {
            let taken = try browser.post(path + "/revoke", "idempotency_key=\(try key(question))")
            expect(try browser.follow(taken).text, contains: ["taken back", ">none<"], lacks: ["/revoke\""])
        }
        #expect(try browser.get("/console/accounts/\(makeID(9).lowercased)").status == 404)
        #expect(try browser.post(path, form, "Origin: https://evil.example").status == 403)
        expect(try browser.follow(try browser.get("\(path)?lang=fr")).text, contains: ["Donner Premium"])
    }
}

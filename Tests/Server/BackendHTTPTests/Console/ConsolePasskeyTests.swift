import BackendHTTP
import Foundation
import ServerAccess
import TestKit
import Testing

/// Passkeys in the console, with an authenticator in software.
@Suite struct ConsolePasskeyTests {
    @Test func registersSignsInAndRemoves() throws {
        try PasskeyForm.withBrowser(.analyst) { owner, server in
            let list = try owner.get("/console/access/passkeys")
            expect(list.text, contains: ["data-passkey=\"name\" hidden", "No passkeys yet"])
            let faulty = try owner.post("/console/access/passkeys", "name=+")
            #expect(faulty.status == 422)
            expect(faulty.text, contains: ["aria-invalid=\"true\"", "role=\"alert\""])
            let page = try owner.post("/console/access/passkeys", "name=%3Cb%3E+key")
            #expect(page.status == 200)
            expect(page.text, contains: ["&lt;b&gt; key", "data-party=\"subguard.example\""], lacks: ["<b> key"])
            let device = try SoftAuthenticator(.es256)
            let added = try owner.register(device, page.text)
            #expect(added.status == 303 && added["Location"] == "/console/access/passkeys?notice=added")
            let again = try owner.register(device, page.text)
            #expect(again.status == 422, "the challenge is used up")
            expect(try owner.get("/console/access/passkeys").text, contains: ["1 passkey", "&lt;b&gt; key"])

            let other = ConsoleBrowser(passkeysAt: server)
            expect(try other.get("/console/login").text, contains: ["data-passkey=\"get\"", "hidden"])
            let refused = try other.signIn(device, origin: "https://evil.example")
            #expect(refused.status == 422 && other.cookies["__Host-subguard"] == nil)
            expect(refused.text, contains: ["This passkey is not accepted", "role=\"alert\""])
            let signedIn = try other.signIn(device)
            #expect(signedIn.status == 303 && signedIn["Location"] == "/console/funnel")
            #expect(try other.get("/console/funnel").status == 200)
            #expect(try other.get("/console/access").status == 403, "the role is that of the token")

            let id = try #require(
                PasskeyStore(context: server.outside.context).list().first?.passkey.id.uuidString.lowercased())
            #expect(try owner.get("/console/access/passkeys?remove=\(id)").status == 200)
            for _ in 0..<2 {
                #expect(try owner.post("/console/access/passkeys", "remove=\(id)").status == 303)
            }
            #expect(try ConsoleBrowser(passkeysAt: server).signIn(device).status == 422)
        }
    }

    @Test func asksForTheTokenAgainAndKeepsToItsOwn() throws {
        try PasskeyForm.withBrowser(.analyst) { browser, server in
            let device = try SoftAuthenticator(.rs256)
            let page = try browser.post("/console/access/passkeys", "name=key").text
            #expect(try browser.register(device, page).status == 303)
            let id = try #require(
                PasskeyStore(context: server.outside.context).list().first?.passkey.id.uuidString.lowercased())
            let stranger = ConsoleBrowser(passkeysAt: server)
            try stranger.signIn(try #require(server.tokens[.editor]))
            expect(try stranger.get("/console/access/passkeys").text, contains: ["No passkeys yet"])
            #expect(try stranger.get("/console/access/passkeys?remove=\(id)").status == 404)
            _ = try stranger.post("/console/access/passkeys", "remove=\(id)")
            #expect(try ConsoleBrowser(passkeysAt: server).signIn(device).status == 303)

            server.clock.advance(by: .seconds(16 * 60))
            let asked = try browser.post("/console/access/passkeys", "remove=\(id)")
            #expect(asked.status == 403)
            expect(asked.text, contains: ["name=\"confirm_token\"", "value=\"\(id)\""])
            #expect(try browser.post("/console/access/passkeys", "name=other").status == 403)

            let owner = ConsoleBrowser(passkeysAt: server)
            try owner.signIn(try #require(server.tokens[.owner]))
            expect(try owner.get("/console/access/passkeys").text, contains: ["Zoë, analyst"])
            #expect(try owner.post("/console/access/passkeys", "remove=\(id)").status == 303)
            #expect(try PasskeyStore(context: server.outside.context).list().isEmpty)
        }
    }

    /// Changes of access need the token after a sign-in by a device that did not verify its user.
    @Test(arguments: [(made: UInt8(5), used: UInt8(5), 200), (5, 1, 403), (1, 5, 403)])
    func countsAsTheTokenOnlyWithAVerifiedUser(made: UInt8, used: UInt8, status: Int) throws {
        try PasskeyForm.withBrowser(.owner) { owner, server in
            let device = try SoftAuthenticator(.es256)
            device.flags = made
            let page = try owner.post("/console/access/passkeys", "name=key").text
            #expect(try owner.register(device, page).status == 303)
            let other = ConsoleBrowser(passkeysAt: server)
            device.flags = used
            #expect(try other.signIn(device).status == 303)
            for path in ["/console/access/passkeys", "/console/access"] {
                #expect(try other.get(path).status == 200)
            }
            let answer = try other.post("/console/access/passkeys", "name=other")
            #expect(answer.status == status)
            guard status == 403 else { return }
            expect(answer.text, contains: ["name=\"confirm_token\""])
            let token = try #require(server.tokens[.owner])
            #expect(try other.post("/console/access/passkeys", "name=other&confirm_token=\(token)").status == 200)
            #expect(try other.post("/console/access/passkeys", "name=third").status == 200)
        }
    }

    /// Where the server does not know its own origin, there are none.
    @Test func offersNoneAtOtherAddresses() throws {
        let server = try TestServer()
        defer { server.end() }
        let browser = ConsoleBrowser(server)
        expect(try browser.get("/console/login").text, lacks: ["data-passkey"])
        #expect(try browser.post("/console/login/challenge").status == 403)
        #expect(try browser.post("/console/login/challenge", "", "Sec-Fetch-Site: cross-site").status == 403)
        try browser.signIn(try #require(server.tokens[.owner]))
        expect(try browser.get("/console/access/passkeys").text, contains: ["public_url"], lacks: ["data-passkey"])
    }
}

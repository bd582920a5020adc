import Backend
import BackendHTTP
import Foundation
import JSONWire
import SubGuardDomain
import TestKit
import Testing

/// Passkeys in the console, with an authenticator in software.
@Suite struct ConsolePasskeyTests {
    private static let origin = "https://subguard.example"
    private static let host = "subguard.example"

    private func withBrowser(_ role: Role, _ body: (ConsoleBrowser, TestServer) throws -> Void) throws {
        let server = try TestServer(settings: ["public_url": Self.origin, "trusted_proxies": "127.0.0.1"])
        defer { server.end() }
        let browser = browser(server)
        try browser.signIn(try #require(server.tokens[role]))
        try body(browser, server)
    }

    private func browser(_ server: TestServer) -> ConsoleBrowser {
        let browser = ConsoleBrowser(server)
        browser.host = Self.host
        browser.fields += ["X-Forwarded-For: 192.0.2.9", "X-Forwarded-Proto: https"]
        return browser
    }

    private func data(_ name: String, _ page: String) throws -> String {
        let parts = page.components(separatedBy: "data-\(name)=\"")
        return String(try #require(parts.count > 1 ? parts[1] : nil).prefix { $0 != "\"" })
    }

    private func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private func bytes(_ text: String) throws -> [UInt8] {
        let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Array(
            try #require(Data(base64Encoded: padded.replacing("-", with: "+").replacing("_", with: "/"))))
    }

    /// Sends the registration of a device; the form for its challenge must have been answered with `page`.
    private func register(
        _ device: SoftAuthenticator, _ page: String, _ browser: ConsoleBrowser
    ) throws -> RawResponse {
        device.userHandle = try bytes(try data("user", page))
        let clientData = SoftAuthenticator.clientData(
            "webauthn.create", challenge: try data("challenge", page), origin: Self.origin)
        let attestation = text(try device.attestation(Self.host))
        return try browser.post(
            "/console/access/passkeys/register",
            "name=%3Cb%3E+key&client_data=\(text(clientData))&attestation=\(attestation)")
    }

    private func signIn(
        _ device: SoftAuthenticator, _ browser: ConsoleBrowser, origin: String = origin
    ) throws -> RawResponse {
        let answer = try browser.post("/console/login/challenge")
        #expect(answer.status == 200 && answer["Content-Type"] == "application/json")
        let challenge = try JSONValue.parse(Array(answer.text.utf8)).objectValue
        #expect(challenge?["party"]?.stringValue == Self.host)
        let clientData = SoftAuthenticator.clientData(
            "webauthn.get", challenge: try #require(challenge?["challenge"]?.stringValue), origin: origin)
        device.signCount += 1
        let data = try device.data(Self.host)
        return try browser.post(
            "/console/login/passkey",
            "next=/console/funnel&credential=\(text(device.credentialID))&client_data=\(text(clientData))"
                + "&authenticator_data=\(text(data))&signature=\(text(try device.signature(of: data, clientData)))"
                + "&user_handle=\(text(device.userHandle))")
    }

    @Test func registersSignsInAndRemoves() throws {
        try withBrowser(.analyst) { owner, server in
            let list = try owner.get("/console/access/passkeys")
            expect(list.text, contains: ["data-passkey=\"name\" hidden", "No passkeys yet"])
            let faulty = try owner.post("/console/access/passkeys", "name=+")
            #expect(faulty.status == 422)
            expect(faulty.text, contains: ["aria-invalid=\"true\"", "role=\"alert\""])
            let page = try owner.post("/console/access/passkeys", "name=%3Cb%3E+key")
            #expect(page.status == 200)
            expect(page.text, contains: ["&lt;b&gt; key", "data-party=\"subguard.example\""], lacks: ["<b> key"])
            let device = try SoftAuthenticator(.es256)
            let added = try register(device, page.text, owner)
            #expect(added.status == 303 && added["Location"] == "/console/access/passkeys?notice=added")
            let again = try register(device, page.text, owner)
            #expect(again.status == 422, "the challenge is used up")
            expect(try owner.get("/console/access/passkeys").text, contains: ["1 passkey", "&lt;b&gt; key"])

            let other = browser(server)
            expect(try other.get("/console/login").text, contains: ["data-passkey=\"get\"", "hidden"])
            let refused = try signIn(device, other, origin: "https://evil.example")
            #expect(refused.status == 422 && other.cookies["__Host-subguard"] == nil)
            expect(refused.text, contains: ["This passkey is not accepted", "role=\"alert\""])
            let signedIn = try signIn(device, other)
            #expect(signedIn.status == 303 && signedIn["Location"] == "/console/funnel")
            #expect(try other.get("/console/funnel").status == 200)
            #expect(try other.get("/console/access").status == 403, "the role is that of the token")

            let id = try #require(
                PasskeyStore(context: server.outside.context).list().first?.passkey.id.uuidString.lowercased())
            #expect(try owner.get("/console/access/passkeys?remove=\(id)").status == 200)
            for _ in 0..<2 {
                #expect(try owner.post("/console/access/passkeys", "remove=\(id)").status == 303)
            }
            #expect(try signIn(device, browser(server)).status == 422)
        }
    }

    @Test func asksForTheTokenAgainAndKeepsToItsOwn() throws {
        try withBrowser(.analyst) { browser, server in
            let device = try SoftAuthenticator(.rs256)
            let page = try browser.post("/console/access/passkeys", "name=key").text
            #expect(try register(device, page, browser).status == 303)
            let id = try #require(
                PasskeyStore(context: server.outside.context).list().first?.passkey.id.uuidString.lowercased())
            let stranger = self.browser(server)
            try stranger.signIn(try #require(server.tokens[.editor]))
            expect(try stranger.get("/console/access/passkeys").text, contains: ["No passkeys yet"])
            #expect(try stranger.get("/console/access/passkeys?remove=\(id)").status == 404)
            _ = try stranger.post("/console/access/passkeys", "remove=\(id)")
            #expect(try signIn(device, self.browser(server)).status == 303)

            server.clock.advance(by: .seconds(16 * 60))
            let asked = try browser.post("/console/access/passkeys", "remove=\(id)")
            #expect(asked.status == 403)
            expect(asked.text, contains: ["name=\"confirm_token\"", "value=\"\(id)\""])
            #expect(try browser.post("/console/access/passkeys", "name=other").status == 403)

            let owner = self.browser(server)
            try owner.signIn(try #require(server.tokens[.owner]))
            expect(try owner.get("/console/access/passkeys").text, contains: ["Zoë, analyst"])
            #expect(try owner.post("/console/access/passkeys", "remove=\(id)").status == 303)
            #expect(try PasskeyStore(context: server.outside.context).list().isEmpty)
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

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

    /// Changes of access need the token after a sign-in by a device that did not verify its user.
    @Test(arguments: [(made: UInt8(5), used: UInt8(5), 200), (5, 1, 403), (1, 5, 403)])
    func countsAsTheTokenOnlyWithAVerifiedUser(made: UInt8, used: UInt8, status: Int) throws {
        try withBrowser(.owner) { owner, server in
            let device = try SoftAuthenticator(.es256)
            device.flags = made
            let page = try owner.post("/console/access/passkeys", "name=key").text
            #expect(try register(device, page, owner).status == 303)
            let other = browser(server)
            device.flags = used
            #expect(try signIn(device, other).status == 303)
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

    // MARK: Strangers

    @Test func refusesStrangersInTheMiddleOfACeremony() throws {
        try withBrowser(.analyst) { owner, server in
            let page = try owner.post("/console/access/passkeys", "name=key").text
            let device = try SoftAuthenticator(.es256)
            let stranger = browser(server)
            try stranger.signIn(try #require(server.tokens[.editor]))
            #expect(try register(device, page, stranger).status == 422, "a challenge of another token")
            #expect(try register(device, page, owner).status == 422, "it is used up")

            // Two tabs: each has a challenge of its own, the device is there once.
            let tabs = try (0..<2).map { _ in try owner.post("/console/access/passkeys", "name=key").text }
            #expect(try register(device, tabs[1], owner).status == 303)
            let second = try register(device, tabs[0], owner)
            #expect(second.status == 422)
            expect(second.text, contains: ["This passkey is there already."])

            let late = try owner.post("/console/access/passkeys", "name=key").text
            let found = try PasskeyStore(context: server.outside.context).list()
            let token = try #require(found.first?.token)
            try AccessTokenStore(context: server.outside.context).revoke(token.id, by: .setup)
            let unmade = try register(try SoftAuthenticator(.es256, credentialID: [1]), late, owner)
            #expect(unmade.status == 303 && unmade["Location"]?.hasPrefix("/console/login") == true)
            #expect(try signIn(device, browser(server)).status == 422, "the token is revoked")
            #expect(try PasskeyStore(context: server.outside.context).list().isEmpty)
        }
    }

    /// Each challenge takes a row, and anybody may ask for one.
    @Test func limitsChallengesOfAClient() throws {
        try withBrowser(.owner) { browser, _ in
            for _ in 0..<120 { #expect(try browser.post("/console/login/challenge").status == 200) }
            let limited = try browser.post("/console/login/challenge")
            #expect(limited.status == 429 && limited["Retry-After"] != nil)
            #expect(try browser.get("/console/access/passkeys").status == 200)
        }
    }

    @Test func readsOnlyFormsOfItsOwnPages() throws {
        try withBrowser(.owner) { owner, _ in
            for path in ["/console/login/passkey", "/console/access/passkeys/register"] {
                let huge = "credential=" + String(repeating: "A", count: 70_000)
                #expect(try owner.post(path, huge).status == 413)
                let json = try owner.send(
                    "POST", path, ["Sec-Fetch-Site: same-origin"], body: Array("{}".utf8), type: "application/json")
                #expect(json.status == 415)
                for fields in ["credential=%00&client_data=%FF", "credential=A&credential=B", "client_data=e30"] {
                    let answer = try owner.post(path, fields)
                    #expect([400, 422].contains(answer.status), "\(path) \(fields): \(answer.status)")
                }
                #expect(try owner.post(path, "", "Sec-Fetch-Site: cross-site").status == 403)
                #expect(try owner.post(path, "", "Sec-Fetch-Site: same-site").status == 403)
                #expect(try owner.post(path, "", "Origin: https://subguard.example:444").status == 403)
                #expect(try owner.send("POST", path, [], body: "").status == 403, "neither field")
            }
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

import BackendHTTP
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// What strangers try with passkeys of the console.
@Suite struct ConsolePasskeyAttackTests {
    @Test func refusesStrangersInTheMiddleOfACeremony() throws {
        try PasskeyForm.withBrowser(.analyst) { owner, server in
            let page = try owner.post("/console/access/passkeys", "name=key").text
            let device = try SoftAuthenticator(.es256)
            let stranger = ConsoleBrowser(passkeysAt: server)
            try stranger.signIn(try #require(server.tokens[.editor]))
            #expect(try stranger.register(device, page).status == 422, "a challenge of another token")
            #expect(try owner.register(device, page).status == 422, "it is used up")

            // Two tabs: each has a challenge of its own, the device is there once.
            let tabs = try (0..<2).map { _ in try owner.post("/console/access/passkeys", "name=key").text }
            #expect(try owner.register(device, tabs[1]).status == 303)
            let second = try owner.register(device, tabs[0])
            #expect(second.status == 422)
            expect(second.text, contains: ["This passkey is there already."])

            let late = try owner.post("/console/access/passkeys", "name=key").text
            let found = try PasskeyStore(context: server.outside.context).list()
            let token = try #require(found.first?.token)
            try AccessTokenStore(context: server.outside.context).revoke(token.id, by: .setup)
            let unmade = try owner.register(try SoftAuthenticator(.es256, credentialID: [1]), late)
            #expect(unmade.status == 303 && unmade["Location"]?.hasPrefix("/console/login") == true)
            #expect(try ConsoleBrowser(passkeysAt: server).signIn(device).status == 422, "the token is revoked")
            #expect(try PasskeyStore(context: server.outside.context).list().isEmpty)
        }
    }

    @Test func takesASignInOnce() throws {
        try PasskeyForm.withBrowser(.owner) { owner, server in
            let device = try SoftAuthenticator(.es256)
            let page = try owner.post("/console/access/passkeys", "name=key").text
            #expect(try owner.register(device, page).status == 303)
            let form = try PasskeyForm.signIn(device, try owner.passkeyChallenge())
            // That of a registration is none for a sign-in.
            let other = try owner.post("/console/access/passkeys", "name=key").text
            let crossed = try PasskeyForm.signIn(device, try PasskeyForm.data("challenge", other))
            #expect(try ConsoleBrowser(passkeysAt: server).post("/console/login/passkey", crossed).status == 422)
            let fresh = try PasskeyForm.signIn(device, try owner.passkeyChallenge())
            #expect(try ConsoleBrowser(passkeysAt: server).post("/console/login/passkey", fresh).status == 303)
            #expect(try ConsoleBrowser(passkeysAt: server).post("/console/login/passkey", fresh).status == 422)
            let late = try ConsoleBrowser(passkeysAt: server).post("/console/login/passkey", form)
            #expect(late.status == 422, "the count has stepped on")
        }
    }

    /// A page elsewhere, another party, a credential and a user that are not of the device, and broken bytes.
    @Test func refusesWhatIsNotOfThisDeviceAndPage() throws {
        try PasskeyForm.withBrowser(.owner) { owner, server in
            let device = try SoftAuthenticator(.es256)
            let page = try owner.post("/console/access/passkeys", "name=key").text
            #expect(try owner.register(device, page).status == 303)
            for origin in [
                "https://subguard.example.evil", "https://evil.example", "http://subguard.example",
                "https://subguard.example:8443", "null", "",
            ] {
                #expect(
                    try ConsoleBrowser(passkeysAt: server).signIn(device, origin: origin).status == 422, "\(origin)")
            }
            // The key of a stranger under the id of the credential, and an id that no one has.
            let stranger = try SoftAuthenticator(.es256)
            stranger.userHandle = device.userHandle
            stranger.signCount = 1_000
            #expect(try ConsoleBrowser(passkeysAt: server).signIn(stranger).status == 422)
            let unknown = try SoftAuthenticator(.es256, credentialID: [9, 9])
            #expect(try ConsoleBrowser(passkeysAt: server).signIn(unknown).status == 422)
            // The user handle of another user.
            let handle = device.userHandle
            device.userHandle = Array(repeating: 1, count: handle.count)
            #expect(try ConsoleBrowser(passkeysAt: server).signIn(device).status == 422)
            device.userHandle = handle
            for broken in ["", "A", "_____w", "oWNmbXQ", "n_8", "v2NmbXRkbm9uZf8", "ov__"] {
                let again = try owner.post("/console/access/passkeys", "name=key").text
                let clientData = SoftAuthenticator.clientData(
                    "webauthn.create", challenge: try PasskeyForm.data("challenge", again), origin: PasskeyForm.origin)
                let answer = try owner.post(
                    "/console/access/passkeys/register",
                    "name=key&client_data=\(PasskeyForm.text(clientData))&attestation=\(broken)")
                #expect([400, 422].contains(answer.status), "\(broken): \(answer.status)")
            }
            #expect(try PasskeyStore(context: server.outside.context).list().count == 1)
            #expect(try ConsoleBrowser(passkeysAt: server).signIn(device).status == 303, "the device itself still may")
        }
    }

    @Test func hasTheRoleOfTheMoment() throws {
        try PasskeyForm.withBrowser(.owner) { _, server in
            let context = server.outside.context
            let roles = RoleStore(context: context)
            let helper = Role(name: "helper", permissions: [.auditRead])
            try roles.replace(with: [helper], by: .setup)
            let made = try AccessTokenStore(context: context)
                .create(role: helper, name: "helper", expiresAt: nil, by: .setup)
            let holder = ConsoleBrowser(passkeysAt: server)
            try holder.signIn(made.token)
            let device = try SoftAuthenticator(.es256)
            let page = try holder.post("/console/access/passkeys", "name=key").text
            #expect(try holder.register(device, page).status == 303)
            let other = ConsoleBrowser(passkeysAt: server)
            #expect(try other.signIn(device).status == 303)
            #expect(try other.get("/console/audit").status == 200)
            try roles.replace(with: [Role(name: "helper", permissions: [.catalogueWrite])], by: .setup)
            #expect(try other.get("/console/audit").status == 403)
            let later = ConsoleBrowser(passkeysAt: server)
            #expect(try later.signIn(device).status == 303)
            #expect(try later.get("/console/audit").status == 403)
        }
    }

    /// Each challenge takes a row, and anyone may ask for one.
    @Test func limitsChallengesOfAClient() throws {
        try PasskeyForm.withBrowser(.owner) { browser, _ in
            for _ in 0..<120 { #expect(try browser.post("/console/login/challenge").status == 200) }
            let limited = try browser.post("/console/login/challenge")
            #expect(limited.status == 429 && limited["Retry-After"] != nil)
            #expect(try browser.get("/console/access/passkeys").status == 200)
        }
    }

    @Test func readsOnlyFormsOfItsOwnPages() throws {
        try PasskeyForm.withBrowser(.owner) { owner, _ in
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
}

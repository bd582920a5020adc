import BackendHTTP
import Cryptography
import Foundation
import JSONWire
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

/// Sign-in to the console by OpenID Connect, with a provider of the test.
@Suite struct ConsoleOpenIDTests {
    // MARK: What works

    @Test func signsInAndFollowsTheMapping() throws {
        try OpenIDWorld.with { world throws in
            expect(
                try world.browser.get("/console/login?next=/console/funnel").text,
                contains: ["Sign in with Höme &lt;ID&gt;", "/console/oidc?next=%2Fconsole%2Ffunnel"])
            let signedIn = try world.signIn("?next=/console/funnel")
            #expect(signedIn.status == 303 && signedIn["Location"] == "/console/funnel")
            #expect(world.browser.cookies["subguard_oidc"] == nil && world.browser.session != nil)
            expect(try world.browser.get("/console").text, contains: ["oidc: ann@example.com"])
            #expect(try world.browser.get("/console/access").status == 200)
            world.provider.change { $0.claims["groups"] = "[\"staff\"]" }
            #expect(try world.signIn().status == 303)
            #expect(try world.browser.get("/console/access").status == 403, "the role follows the mapping")
            #expect(try world.browser.get("/console/funnel").status == 200)
            let tokens = try AccessTokenStore(context: world.server.outside.context).list()
            #expect(tokens.filter { $0.name == "oidc: ann@example.com" }.map(\.role.name) == ["analyst"])
            #expect(try world.audit("token.role").count == 1)
            #expect(try world.audit("console.sign_in").count == 2)
        }
    }

    @Test func readsMailAndGroupsOfTheUserInfo() throws {
        try OpenIDWorld.with { world throws in
            world.provider.change { behaviour in
                behaviour.claims = ["email": nil, "groups": nil]
                behaviour.userInfo = ["sub": "\"ann\"", "groups": "\"admins\""]
            }
            #expect(try world.signIn().status == 303)
            #expect(try world.browser.get("/console/access").status == 200)
            _ = try world.browser.post("/console/logout")
            world.provider.change { $0.userInfo = ["sub": "\"eve\"", "groups": "\"admins\""] }
            world.expectRefused(try world.signIn())
        }
    }

    @Test func acceptsEllipticKeysAndKeysWithoutAName() throws {
        try OpenIDWorld.with { world throws in
            let elliptic = try EllipticIssuer()
            let key = try elliptic.publicKey()
            world.provider.change { behaviour in
                behaviour.keys = [key]
                behaviour.forge = { elliptic.token($0) }
            }
            #expect(try world.signIn().status == 303)
        }
        try OpenIDWorld.with { world throws in
            world.provider.change { $0.header = ["kid": nil] }
            #expect(try world.signIn().status == 303)
        }
    }

    @Test func followsARotationOfKeys() throws {
        let third = try AppleIssuer(keyID: "KEY-2")
        let key = try third.publicKey()
        try OpenIDWorld.with { world throws in
            #expect(try world.signIn().status == 303)
            world.provider.change { behaviour in
                behaviour.issuer = third
                behaviour.keys = [key]
            }
            #expect(try world.signIn().status == 303)
            _ = try world.browser.post("/console/logout")
            let old = try OpenIDWorld.first.get()
            world.provider.change { $0.issuer = old }
            world.expectRefused(try world.signIn(), "a key that was withdrawn")
        }
    }

    // MARK: Who is refused

    @Test func refusesPeopleWithoutARole() throws {
        try OpenIDWorld.with { world throws in
            #expect(try world.signIn().status == 303)
            let secret = try #require(world.browser.session)
            world.browser.cookies = [:]
            // Not verified, so the mail counts for nothing.
            world.provider.change { $0.claims = ["groups": "[]", "email_verified": "false"] }
            let refused = try world.signIn()
            world.expectRefused(refused)
            expect(refused.text, contains: ["oidc_roles"], lacks: ["ann@example.com"])
            world.browser.cookies["subguard_console"] = secret
            #expect(try world.browser.get("/console").status == 303, "earlier sessions end")
            #expect(try world.audit("console.sign_in_refused").count == 1)
        }
    }

    @Test func refusesAPersonWhoseTokenWasRevoked() throws {
        try OpenIDWorld.with { world throws in
            #expect(try world.signIn().status == 303)
            let tokens = AccessTokenStore(context: world.server.outside.context)
            let token = try #require(try tokens.list().first { $0.name.hasPrefix("oidc: ") })
            let path = "/api/v1/admin/tokens/\(token.id.lowercased)"
            #expect(try world.server.admin(.owner, "DELETE", path).status == 204)
            #expect(try world.browser.get("/console").status == 303)
            let refused = try world.signIn()
            world.expectRefused(refused)
            expect(refused.text, contains: ["revoked"])
        }
    }

    /// An owner by OpenID Connect depends on the provider, so the last owner token stays.
    @Test func doesNotCountAsTheLastOwner() throws {
        try OpenIDWorld.with { world throws in
            #expect(try world.signIn().status == 303)
            let tokens = AccessTokenStore(context: world.server.outside.context)
            let owner = try #require(try tokens.list().first { $0.name == "Zoë, owner" })
            let path = "/api/v1/admin/tokens/\(owner.id.lowercased)"
            #expect(try world.server.admin(.owner, "DELETE", path).status == 409)
        }
    }

    @Test func repeatsTheProvidersErrorInPlainWords() throws {
        try OpenIDWorld.with { world throws in
            func answer(_ error: String) throws -> RawResponse {
                let state = try #require(try world.callback(world.browser).components(separatedBy: "state=").last)
                return try world.browser.get(
                    "/console/oidc/callback?error=\(error)&error_description=Evil&state=\(state)")
            }
            for (error, text) in [
                ("access_denied", "declined"), ("invalid_scope", "invalid_scope"),
                ("%3Cb%3ECall+0800", "unknown_error"),
            ] {
                let response = try answer(error)
                world.expectRefused(response)
                expect(response.text, contains: [text], lacks: ["Evil", "0800"])
            }
        }
    }

    @Test func changesOfAccessNeedTheProviderAgain() throws {
        try OpenIDWorld.with { world throws in
            // The provider does not say when the person proved who they are.
            #expect(try world.signIn().status == 303)
            let asked = try world.browser.post("/console/access", "idempotency_key=k&name=x&role=analyst")
            #expect(asked.status == 403)
            expect(asked.text, contains: ["/console/oidc?again=1&amp;next=%2Fconsole%2Faccess"])
            let seconds = world.seconds
            world.provider.change { $0.claims["auth_time"] = "\(seconds)" }
            expect(try world.begin(world.browser, "?again=1"), contains: ["prompt=login", "max_age=0"])
            #expect(try world.signIn("?again=1&next=/console/access").status == 303)
            #expect(try world.browser.post("/console/access", "idempotency_key=k&name=x&role=analyst").status == 200)
            world.server.clock.advance(by: .seconds(15 * 60))
            #expect(try world.browser.post("/console/access", "idempotency_key=l&name=y&role=analyst").status == 403)
        }
    }

    // MARK: Settings

    @Test func readsRules() {
        for text in ["group:admins=owner", "group:cn=ops=editor", "mail:ann@example.com=my_role", "group:a:b c=owner"] {
            #expect(OpenIDRoleRule(text)?.text == text)
        }
        for text in [
            "", "admins=owner", "group:=owner", "group:admins", "group:admins=", "group:admins=Owner", "mail:ann=owner",
            "role:x=owner", "mail:a b@c=owner", "=owner", "group: a=owner",
        ] {
            #expect(OpenIDRoleRule(text) == nil, "\(text)")
        }
    }

    @Test func asksForWhatAProviderNeeds() throws {
        let error = #expect(throws: SettingsError.self) {
            try Settings(flags: [("oidc_issuer", "https://id.example.com")], environment: [:], file: nil)
        }
        #expect(
            error?.faults.map(\.key) == ["--set oidc_client_id", "--set oidc_roles", "--set public_url"])
    }

    // MARK: Attacks

    @Test func refusesForgedTokens() throws {
        try OpenIDWorld.with(["rate_limit_enabled": "false"]) { world throws in
            let now = world.seconds
            let changes: [[String: String?]] = [
                ["nonce": "\"other\""], ["nonce": nil], ["iss": "\"https://evil.example\""],
                ["iss": "\"\(world.provider.url)/\""], ["aud": "\"other\""], ["aud": "[\"console\",\"other\"]"],
                ["azp": "\"other\""], ["aud": "[]"], ["exp": "\(now - 61)"], ["exp": nil], ["iat": "\(now + 61)"],
                ["iat": "\(now - 601)"], ["iat": nil], ["nbf": "\(now + 61)"], ["sub": nil], ["sub": "\"\""],
            ]
            for change in changes {
                world.provider.change { $0.claims = change }
                world.expectRefused(try world.signIn(), "\(change)")
            }
            world.provider.change { behaviour in
                behaviour.claims = [:]
                behaviour.header = ["kid": "\"unknown\""]
            }
            world.expectRefused(try world.signIn(), "unknown key")
            let (first, second) = (try OpenIDWorld.first.get(), try OpenIDWorld.second.get())
            world.provider.change { behaviour in
                behaviour.header = [:]
                behaviour.issuer = second
            }
            world.expectRefused(try world.signIn(), "another key by the same name")
            @Sendable func part(_ algorithm: String) -> String {
                AppleIssuer.part(["alg": "\"\(algorithm)\"", "kid": "\"KEY-1\""])
            }
            let forgeries: [@Sendable ([String: String]) -> String] = [
                { "\(part("none")).\(AppleIssuer.part($0))." }, { "\(part("none")).\(AppleIssuer.part($0)).AAAA" },
                { claims in
                    let input = "\(part("HS256")).\(AppleIssuer.part(claims))"
                    let code = HMACKey("s3cret:/+ é".utf8).code(for: input.utf8)
                    return input + "." + Base64URLText.encode(Data(code))
                },
                // The type of the key decides, not the message.
                { (try? first.token($0, header: ["alg": "\"ES256\""])) ?? "" },
                { _ in "" },
            ]
            for forge in forgeries {
                world.provider.change { $0.forge = forge }
                world.expectRefused(try world.signIn())
            }
            world.provider.change { behaviour in
                behaviour.forge = nil
                behaviour.issuer = first
            }
            #expect(try world.signIn().status == 303, "the same without a forgery")
        }
    }

    @Test func refusesTheStateOfAnotherBrowserAndReplays() throws {
        try OpenIDWorld.with { world throws in
            // An attacker hands their own answer to a victim.
            let attacker = ConsoleBrowser(world.server)
            let target = try world.callback(attacker)
            world.expectRefused(try world.browser.get(target))
            _ = try world.begin(world.browser)
            world.expectRefused(try world.browser.get(target), "with a cookie of another sign-in")
            #expect(!world.provider.requests.contains("/token"))

            let own = try world.callback(world.browser)
            let cookie = try #require(world.browser.cookies["subguard_oidc"])
            #expect(try world.browser.get(own).status == 303)
            _ = try world.browser.post("/console/logout")
            world.browser.cookies["subguard_oidc"] = cookie
            world.expectRefused(try world.browser.get(own), "used")

            let late = try world.callback(world.browser)
            world.server.clock.advance(by: .seconds(600))
            world.expectRefused(try world.browser.get(late), "too old")

            // A code of another sign-in: the provider sees another verifier.
            let stolen = try #require(try world.callback(attacker).components(separatedBy: "code=").last)
            let state = try #require(try world.callback(world.browser).components(separatedBy: "state=").last)
            let code = stolen.prefix { $0 != "&" }
            let injected = try world.browser.get("/console/oidc/callback?code=\(code)&state=\(state)")
            world.expectRefused(injected, "injected code")
            expect(injected.text, contains: ["invalid_grant"])
            for query in ["", "?state=", "?state=x&code=y", "?state=\(state)&state=\(state)&code=z"] {
                world.expectRefused(try world.browser.get("/console/oidc/callback\(query)"), "\(query)")
            }
        }
    }

    /// A page of another site can make a browser come back that has begun nothing.
    @Test func countsNoCallbackOfABrowserThatHasNotBegun() throws {
        try OpenIDWorld.with { world throws in
            func comeBack() throws {
                let target = "/console/oidc/callback?state=x&code=y"
                world.expectRefused(try world.browser.get(target, "Sec-Fetch-Site: cross-site"))
            }
            for _ in 0..<35 { try comeBack() }
            #expect(try world.audit("console.sign_in_refused").isEmpty)
            _ = try world.begin(world.browser)
            try comeBack()
            #expect(try world.audit("console.sign_in_refused").count == 1)
        }
    }

    @Test func refusesMixedUpProviders() throws {
        try OpenIDWorld.with { world throws in
            let evil = try world.callback(world.browser) + "&iss=https%3A%2F%2Fevil.example"
            world.expectRefused(try world.browser.get(evil))
            let encoded = world.provider.url.replacing(":", with: "%3A").replacing("/", with: "%2F")
            #expect(try world.browser.get(try world.callback(world.browser) + "&iss=\(encoded)").status == 303)
        }
        try OpenIDWorld.with { world throws in
            world.provider.change { $0.metadata["authorization_response_iss_parameter_supported"] = "true" }
            world.expectRefused(try world.signIn(), "the issuer is missing")
        }
    }

    @Test(
        arguments: [
            ["issuer": "\"https://evil.example\""], ["issuer": nil], ["token_endpoint": "\"file:///etc/passwd\""],
            ["authorization_endpoint": "\"javascript:alert(1)\""], ["jwks_uri": nil],
        ] as [[String: String?]])
    func refusesADiscoveryDocumentOfAnother(_ change: [String: String?]) throws {
        try OpenIDWorld.with { world throws in
            world.provider.change { $0.metadata = change }
            let response = try world.browser.get("/console/oidc")
            #expect(response.status == 503 && response["Location"] == nil)
            expect(response.text, contains: ["role=\"alert\""], lacks: ["evil.example", "javascript"])
        }
    }

    @Test func reachesOwnNetworksOnlyIfAllowed() throws {
        try OpenIDWorld.with(["alerts_allow_private_targets": "false"]) { world throws in
            #expect(try world.browser.get("/console/oidc").status == 503)
            #expect(world.provider.requests.isEmpty)
        }
    }

    @Test func beginsOnlyFromItsOwnPage() throws {
        try OpenIDWorld.with { world throws in
            #expect(try world.browser.get("/console/oidc", "Sec-Fetch-Site: cross-site").status == 403)
            world.browser.host = "127.0.0.1"
            #expect(try world.browser.get("/console/oidc")["Location"] == "http://localhost/console/login")
        }
        let server = try TestServer()
        defer { server.end() }
        #expect(try ConsoleBrowser(server).get("/console/oidc").status == 404)
        expect(try ConsoleBrowser(server).get("/console/login").text, lacks: ["/console/oidc"])
    }
}

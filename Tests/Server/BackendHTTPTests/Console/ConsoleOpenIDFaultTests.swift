import BackendHTTP
import Foundation
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

/// Sign-in by OpenID Connect with a provider that misbehaves, and with one whose people do.
@Suite struct ConsoleOpenIDFaultTests {
    // MARK: The provider

    @Test func startsWithoutTheProviderAndRecovers() throws {
        try OpenIDWorld.with { world throws in
            world.provider.change { $0.failing = ["/.well-known/openid-configuration"] }
            let down = try world.browser.get("/console/oidc", "Sec-Fetch-Site: same-origin")
            #expect(down.status == 503 && down["Location"] == nil)
            expect(down.text, contains: ["role=\"alert\"", "Höme &lt;ID&gt;"])
            // No one has failed to sign in.
            #expect(try world.audit("console.sign_in_refused").isEmpty)
            world.provider.change { $0.failing = [] }
            #expect(try world.browser.get("/console/oidc").status == 503, "not asked again at once")
            world.server.clock.advance(by: .seconds(5))
            #expect(try world.signIn().status == 303)
            // Later it is needed only for the sign-ins themselves.
            world.server.clock.advance(by: .seconds(7200))
            world.provider.change { $0.failing = ["/.well-known/openid-configuration", "/jwks"] }
            #expect(try world.browser.get("/console").status == 200)
            #expect(try world.signIn().status == 303)
        }
    }

    @Test(arguments: ["/.well-known/openid-configuration", "/token", "/jwks", "/userinfo"])
    func readsNoHugeAnswers(_ path: String) throws {
        try OpenIDWorld.with { world throws in
            world.provider.change { behaviour in
                behaviour.claims = ["email": nil]
                behaviour.userInfo = ["sub": "\"ann\""]
                behaviour.padding = [path: 10_000_000]
            }
            if path.hasPrefix("/.well-known") {
                #expect(try world.browser.get("/console/oidc").status == 503)
            } else {
                #expect(try world.signIn().status == 503)
            }
            #expect(world.browser.session == nil)
        }
    }

    /// A provider that does not respond occupies a quarter of the workers at most, each for a few seconds.
    @Test func waitsForAHangingProviderOnlyAWhile() throws {
        try OpenIDWorld.with(["workers": "4"]) { world throws in
            world.provider.change { $0.hanging = ["/token"] }
            let (server, target) = (world.server, try world.callback(world.browser))
            let cookies = world.browser.cookies
            let start = ContinuousClock.now
            let hanging = OwnThread {
                let browser = ConsoleBrowser(server)
                browser.cookies = cookies
                return try browser.get(target).status
            }
            #expect(eventually { world.provider.requests.contains("/token") })
            let other = ConsoleBrowser(world.server)
            #expect(try other.get(try world.callback(other)).status == 503)
            #expect(try other.get("/console/login").status == 200)
            #expect(start.duration(to: .now) < .seconds(4), "the second one did not wait")
            #expect(try hanging.value() == 503)
            world.provider.change { $0.hanging = [] }
            #expect(try world.signIn().status == 303)
        }
    }

    /// A provider with one key may leave out its name, and so cannot give a new one another.
    @Test func followsARotationOfAKeyWithoutAName() throws {
        let (second, key) = try (OpenIDWorld.second.get(), OpenIDWorld.second.get().publicKey())
        try OpenIDWorld.with { world throws in
            world.provider.change { $0.header = ["kid": nil] }
            #expect(try world.signIn().status == 303)
            world.provider.change { behaviour in
                behaviour.issuer = second
                behaviour.keys = [key]
            }
            #expect(try world.signIn().status == 303)
        }
    }

    // MARK: People

    @Test func readsTheWordsOfOtherProviders() throws {
        try OpenIDWorld.with { world throws in
            // A word for the value, and one group without a list.
            world.provider.change { $0.claims = ["email_verified": "\"true\"", "groups": "\"staff\""] }
            #expect(try world.signIn().status == 303)
            #expect(try world.browser.get("/console/access").status == 403)
            world.provider.change { $0.claims = ["email": nil, "groups": "\"admins\""] }
            #expect(try world.signIn().status == 303)
            #expect(try world.browser.get("/console/access").status == 200)
            expect(try world.browser.get("/console").text, contains: ["oidc: sub=ann"])
            _ = try world.browser.post("/console/logout")
            for verified in ["\"false\"", "1", "\"True\"", "null", "[true]"] {
                world.provider.change { $0.claims = ["email_verified": verified, "groups": "[[\"admins\"],{},7]"] }
                world.expectRefused(try world.signIn(), "\(verified)")
            }
        }
    }

    /// The owner of such an address or group is another person.
    @Test func takesNoNameForOneThatLooksAlike() throws {
        try OpenIDWorld.with(["oidc_roles": "mail:kim@example.com=owner, group:K=owner"]) { world throws in
            for mail in ["\u{212A}im@example.com", "k\u{131}m@example.com", "kim@example.com.evil.example"] {
                world.provider.change { $0.claims = ["email": "\"\(mail)\"", "groups": "[\"\u{212A}\",\"k\"]"] }
                world.expectRefused(try world.signIn(), "\(mail)")
            }
            world.provider.change { $0.claims = ["email": "\"KIM@Example.com\""] }
            #expect(try world.signIn().status == 303)
        }
    }

    @Test func anOldProofDoesNotConfirmChangesOfAccess() throws {
        try OpenIDWorld.with { world throws in
            let seconds = world.seconds
            // The provider ignores that it should ask again.
            for claim in ["\(seconds - 900)", "\"\(seconds)\"", "0", "-1", "1e400", "null"] {
                world.provider.change { $0.claims["auth_time"] = claim }
                #expect(try world.signIn("?again=1").status == 303)
                let asked = try world.browser.post("/console/access", "idempotency_key=k&name=x&role=analyst")
                #expect(asked.status == 403, "\(claim)")
            }
        }
    }

    /// A passkey would go on working when the provider has removed the person.
    @Test func peopleOfTheProviderHaveNoPasskeys() throws {
        try OpenIDWorld.with { world throws in
            let seconds = world.seconds
            world.provider.change { $0.claims["auth_time"] = "\(seconds)" }
            #expect(try world.signIn().status == 303)
            let page = try world.browser.get("/console/access/passkeys")
            expect(page.text, contains: ["by Höme &lt;ID&gt; only"], lacks: ["data-passkey=\"name\""])
            let refused = try world.browser.post("/console/access/passkeys", "name=mine")
            #expect(refused.status == 422)
            expect(refused.text, lacks: ["challenge"])
        }
    }

    // MARK: Strangers

    @Test func leadsNowhereElse() throws {
        try OpenIDWorld.with { world throws in
            for next in [
                "//evil.example", "https://evil.example/", "/console/../evil", "/\\evil.example", "javascript:alert(1)",
                "/console@evil.example", "/consoleevil", "/console/\r\nLocation: //evil.example",
            ] {
                let encoded = try #require(next.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                #expect(try world.signIn("?next=\(encoded)")["Location"] == "/console", "\(next)")
            }
            let twice = try world.signIn("?next=/console/funnel&next=/console/audit")
            #expect(twice["Location"] == "/console")
        }
    }

    /// An attempt takes a row, so one client cannot begin so many that no other user can.
    @Test func oneClientBeginsOnlySoMany() throws {
        try OpenIDWorld.with { world throws in
            for _ in 0..<120 { _ = try world.begin(world.browser) }
            let limited = try world.browser.get("/console/oidc")
            #expect(limited.status == 429 && limited["Retry-After"] != nil && limited["Location"] == nil)
            expect(limited.text, contains: ["role=\"alert\""])
        }
    }

    @Test func aTokenRevokedOnTheWayAdmitsNobody() throws {
        try OpenIDWorld.with { world throws in
            #expect(try world.signIn().status == 303)
            _ = try world.browser.post("/console/logout")
            let target = try world.callback(world.browser)
            let tokens = AccessTokenStore(context: world.server.outside.context)
            let token = try #require(try tokens.list().first { $0.name.hasPrefix("oidc: ") })
            #expect(
                try world.server.admin(.owner, "DELETE", "/api/v1/admin/tokens/\(token.id.lowercased)").status == 204)
            world.expectRefused(try world.browser.get(target))
        }
    }
}

import Foundation
import PageAssets
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// Nobody gets in but a browser that the program has let in.
@Suite struct AccessTests {
    private static let pages = [
        "/", "/due", "/settings", "/add", "/live", "/subscriptions/01a1f866-0d00-7165-998d-a9751580aad5",
    ]

    private func code(_ app: AppFixture) throws -> String {
        String(try #require(try app.server.launchAddress().split(separator: "#").last))
    }

    @Test func nothingIsShownWithoutASession() throws {
        let app = try AppFixture()
        try app.add("Zörblax")
        for page in Self.pages + ["/nowhere"] {
            for fields in [[], ["Cookie: subguard_\(app.port)=\(String(repeating: "0", count: 64))"]] {
                let response = try AppFixture.exchange(app.server, "GET", page, fields)
                #expect(response.status == 401, "\(page)")
                #expect(!response.text.contains("Zörblax") && response.text.contains("subguard open"))
            }
        }
        let changed = try AppFixture.exchange(
            app.server, "POST", "/add", ["Sec-Fetch-Site: same-origin"], form: [("name", "x")])
        #expect(changed.status == 401)
    }

    @Test func aCodeLetsInOnceAndForAMinute() throws {
        let app = try AppFixture()
        let once = try code(app)
        #expect(once.utf8.count == 32)
        let first = try AppFixture.launch(app.server, once)
        #expect(first.status == 303 && first["Location"] == "/welcome?step=1")
        #expect(try AppFixture.launch(app.server, once).status == 422)
        let late = try code(app)
        app.advance(seconds: 60)
        #expect(try AppFixture.launch(app.server, late).status == 422)
        // A clock that was set back does not prolong it.
        let early = try code(app)
        app.advance(seconds: -1)
        #expect(try AppFixture.launch(app.server, early).status == 422)
        for guess in ["", "0", String(repeating: "0", count: 32), String(repeating: "é", count: 16), "' OR 1=1 --"] {
            let response = try AppFixture.launch(app.server, guess)
            #expect(response.status == 422 && response["Set-Cookie"] == nil)
        }
        // The whole address may be pasted.
        #expect(try AppFixture.launch(app.server, " \(try app.server.launchAddress()) ").status == 303)
    }

    @Test func theCookieIsStrict() throws {
        let app = try AppFixture()
        let session = try #require(try AppFixture.launch(app.server, code(app))["Set-Cookie"])
        #expect(session.hasPrefix("subguard_\(app.port)=") && session.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        let remembered = try #require(try AppFixture.launch(app.server, code(app), remember: true)["Set-Cookie"])
        #expect(remembered.contains("; Max-Age=2592000; HttpOnly; SameSite=Strict"))
    }

    @Test func sessionsEnd() throws {
        let app = try AppFixture()
        #expect(try app.get("/").status == 200)
        app.advance(seconds: 86_000)
        #expect(try app.get("/").status == 200, "used in between")
        app.advance(seconds: 86_401)
        #expect(try app.get("/").status == 401)
        // One that is ended by hand.
        let other = try AppFixture()
        let session = try #require(try other.store.browsers.all(at: other.moment).first)
        #expect(try other.post("/settings/browsers/end", [("id", session.id.uuidString)]).status == 303)
        #expect(try other.get("/").status == 401)
    }

    @Test func onlyRememberedBrowsersOutliveTheServer() throws {
        let app = try AppFixture()
        let remembered = try AppFixture.launch(app.server, code(app), remember: true)
        let cookie = String(try #require(remembered["Set-Cookie"]?.split(separator: ";").first))
        let moment = app.moment
        app.server.stop()
        let next = try AppServer(store: app.store, port: app.port, language: .english, moment: { moment })
        defer { next.stop() }
        #expect(try AppFixture.exchange(next, "GET", "/", ["Cookie: \(app.cookie)"]).status == 401)
        #expect(try AppFixture.exchange(next, "GET", "/", ["Cookie: \(cookie)"]).status == 200)
    }

    /// A name of an attacker that resolves to this machine.
    @Test func otherHostsAreRefused() throws {
        let app = try AppFixture()
        let hosts = [
            "evil.example:\(app.port)", "127.0.0.1", "127.0.0.1:\(app.port + 1)", "localhost.evil.example:\(app.port)",
            "127.0.0.1.evil.example:\(app.port)", "subguard.localhost:\(app.port)",
        ]
        for host in hosts {
            for page in Self.pages + ["/launch", "/session", "/assets/\(AppAsset.styles.name)", "/nowhere", "*"] {
                for method in page == "*" ? ["OPTIONS"] : ["GET", "OPTIONS", "DELETE"] {
                    let fields = ["Cookie: \(app.cookie)", "Sec-Fetch-Site: same-origin"]
                    let response = try AppFixture.exchange(app.server, method, page, fields, host: host)
                    #expect(response.status == 403, "\(host) \(method) \(page)")
                    #expect(response["Access-Control-Allow-Origin"] == nil && response["Allow"] == nil)
                }
            }
        }
        for host in ["localhost:\(app.port)", "LOCALHOST:\(app.port)", "[::1]:\(app.port)"] {
            #expect(
                try AppFixture.exchange(app.server, "GET", "/", ["Cookie: \(app.cookie)"], host: host).status == 200)
        }
    }

    /// A page on another port of this machine is of the same site, so its requests carry the cookie.
    @Test(arguments: [
        ["Sec-Fetch-Site: same-site"], ["Sec-Fetch-Site: cross-site"], ["Origin: null"], ["Origin: http://127.0.0.1:1"],
        ["Sec-Fetch-Site: same-origin", "Origin: http://evil.example"], ["Origin: http://localhost"],
        ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"],
    ])
    func otherPagesAreRefused(_ fields: [String]) throws {
        let app = try AppFixture()
        for method in ["GET", "POST"] {
            let response = try AppFixture.exchange(
                app.server, method, method == "GET" ? "/" : "/add", ["Cookie: \(app.cookie)"] + fields,
                form: method == "POST" ? [("name", "x")] : nil)
            #expect(response.status == 403, "\(method)")
        }
        #expect(try app.names().isEmpty)
    }

    /// The file that the program opens belongs to another site, and leads to the page that asks for the code: nowhere else.
    @Test func onlyThePageOfTheCodeOpensFromAFile() throws {
        let app = try AppFixture()
        func open(_ page: String, mode: String = "navigate", to destination: String = "document", site: String) throws
            -> Int
        {
            try AppFixture.exchange(
                app.server, "GET", page,
                [
                    "Cookie: \(app.cookie)", "Sec-Fetch-Site: \(site)", "Sec-Fetch-Mode: \(mode)",
                    "Sec-Fetch-Dest: \(destination)",
                ]
            ).status
        }
        #expect(try open("/launch", site: "cross-site") == 200)
        #expect(try open("/launch", site: "same-site") == 403)
        #expect(try open("/launch", to: "iframe", site: "cross-site") == 403)
        #expect(try open("/launch", mode: "no-cors", to: "empty", site: "cross-site") == 403)
        for page in Self.pages + ["/session", "/offline"] {
            #expect(try open(page, site: "cross-site") == 403, "\(page)")
        }
        let sent = try AppFixture.exchange(
            app.server, "POST", "/launch",
            ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"],
            form: [("code", try code(app))])
        #expect(sent.status == 403)
        #expect(try app.server.launchAddress().hasPrefix("http://\(app.host)/launch#"))
    }

    @Test func aPageLearnsWhetherItWouldBeAnswered() throws {
        let app = try AppFixture()
        #expect(try app.get("/session").text == "open\n")
        app.advance(seconds: 86_401)
        let locked = try app.get("/session")
        #expect(locked.status == 200 && locked.text == "locked\n")
        let code = try code(app)
        #expect(try app.store.browsers.isPending(code: code, at: app.moment))
        #expect(try AppFixture.launch(app.server, code).status == 303)
        #expect(try !app.store.browsers.isPending(code: code, at: app.moment))
    }

    /// A form that no header vouches for.
    @Test func aFormMustSayWhereItComesFrom() throws {
        let app = try AppFixture()
        let response = try AppFixture.exchange(
            app.server, "POST", "/add", ["Cookie: \(app.cookie)"], form: [("name", "x")])
        #expect(response.status == 403)
        let own = try AppFixture.exchange(
            app.server, "POST", "/settings/language", ["Cookie: \(app.cookie)", "Origin: http://\(app.host)"],
            form: [("language", "fr")])
        #expect(own.status == 303)
    }

    @Test func pagesAreNotKeptFramedOrScripted() throws {
        let app = try AppFixture()
        for page in Self.pages.dropLast(2) {
            let response = try app.get(page)
            #expect(response["Cache-Control"] == "no-store" && response["X-Frame-Options"] == "DENY")
            let policy = try #require(response["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("unsafe"))
            #expect(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"))
        }
        let asset = try app.get("/assets/\(AppAsset.script.name)")
        #expect(asset.status == 200 && asset["Cache-Control"]?.hasSuffix("immutable") == true)
        #expect(asset["Content-Type"] == "text/javascript; charset=utf-8")
    }

    @Test func anotherProcessFindsTheServerOfItsStore() throws {
        let app = try AppFixture()
        #expect(AppServer.isOpen(port: app.port, store: app.store))
        let other = try AppFixture()
        #expect(!AppServer.isOpen(port: app.port, store: other.store))
        app.server.stop()
        #expect(!AppServer.isOpen(port: app.port, store: app.store))
    }

    /// Codes and sessions are no change of the user's data.
    @Test func backupsHaveNoSecrets() throws {
        let app = try AppFixture()
        let before = try app.store.revision()
        _ = try code(app)
        _ = try app.get("/")
        #expect(try app.store.revision() == before)
        let text = String(decoding: try app.store.backups.make(at: app.moment), as: UTF8.self)
        #expect(!text.contains("browser"))
        #expect(try app.store.journal.entries(at: app.moment).isEmpty)
    }
}

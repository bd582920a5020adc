import Cryptography
import DeviceWords
import Foundation
import PageAssets
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import TestKit
import Testing

@testable import DeviceApp
@testable import SubGuardEngine

/// No one gets in but a browser that the program has let in.
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

    /// They would otherwise last until the time of then.
    @Test func sessionsOfAClockThatRanAheadEnd() throws {
        let app = try AppFixture("2028-11-20T10:00:00Z")
        let response = try AppFixture.launch(app.server, code(app), remember: true)
        let cookie = String(try #require(response["Set-Cookie"]?.split(separator: ";").first))
        let get = { try AppFixture.exchange(app.server, "GET", "/", ["Cookie: \(cookie)"]).status }
        // An hour is nothing; it then lasts from the present time on.
        app.advance(seconds: -3600)
        #expect(try get() == 200)
        let used = try app.store.browsers.all(at: app.moment)
        #expect(used.count == 2 && used.contains { $0.expiresAt == app.moment.now.adding(days: 30) })
        app.advance(seconds: -86_401)
        #expect(try get() == 401 && app.store.browsers.all(at: app.moment).isEmpty)
        try app.store.browsers.endUnremembered(at: app.moment)
        app.advance(seconds: 86_401)
        #expect(try get() == 401)
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

    /// Each of the buttons is named by its browser, also where two are of one name.
    @Test func browsersAreSignedOutByButtonsOfTheirOwn() throws {
        let app = try AppFixture()
        app.advance(seconds: 3600)
        _ = try AppFixture.launch(app.server, code(app))
        let text = try app.get("/settings").text
        let names = text.matches(of: /aria-label="(Sign out: [^"]*)"/).map(\.output.1)
        #expect(names.count == 2 && Set(names).count == 2, "\(names)")
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

    /// A cookie that another user caught while the app was away must be worthless before the first request: a server
    /// that cannot end the session does not start.
    @Test func aServerThatCannotEndSessionsDoesNotStart() throws {
        let app = try AppFixture()
        let (moment, port) = (app.moment, app.port)
        app.server.stop()
        try app.store.close()
        #expect(throws: (any Error).self) {
            try AppServer(store: app.store, port: port, language: .english, moment: { moment })
        }
        #expect(throws: (any Error).self) { try RawClient(port: port, timeoutSeconds: 1) }
    }

    /// Who had the port while the app was away may have left a service worker, under any name, which would answer in
    /// the app's place. The browser's own check for a newer version of it gets the app's worker.
    @Test func aStrangersServiceWorkerIsReplaced() throws {
        let app = try AppFixture()
        let own = try app.get("/service-worker.js")
        for path in ["/x.js", "/", "/assets/evil.js", "/launch"] {
            let fields = ["Service-Worker: script", "Sec-Fetch-Dest: serviceworker", "Sec-Fetch-Site: same-origin"]
            let answer = try AppFixture.exchange(app.server, "GET", path, fields)
            #expect(answer.status == 200 && answer.body == own.body, "\(path)")
            #expect(answer["Content-Type"]?.hasPrefix("text/javascript") == true)
        }
        let foreign = ["Sec-Fetch-Dest: serviceworker", "Sec-Fetch-Site: cross-site"]
        #expect(try AppFixture.exchange(app.server, "GET", "/x.js", foreign).status == 403)
    }

    /// Once a minute a session's use is written; a page must not depend on it.
    @Test func aPageIsReadWhereNothingCanBeWritten() throws {
        let app = try AppFixture()
        try app.store.database.write { transaction in
            try transaction.execute(
                "CREATE TRIGGER refuse BEFORE UPDATE ON browser_sessions BEGIN SELECT RAISE(ABORT, 'busy'); END")
        }
        app.advance(seconds: 61)
        #expect(try app.get("/").status == 200)
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

    /// The file that the program opens belongs to another site, and leads to the page that asks for the code: nowhere
    /// else.
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
        #expect(try app.server.launchAddress().hasPrefix("http://\(app.host)/launch?visit="))
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
        let found = { (port: Int, store: DeviceStore) in
            try AppServer.runningAddress(port: port, store: store, at: app.moment)
        }
        let address = try #require(try found(app.port, app.store))
        #expect(address.hasPrefix("http://127.0.0.1:\(app.port)/launch?visit="))
        #expect(try AppFixture.launch(app.server, String(address.suffix(32))).status == 303)
        let other = try AppFixture()
        #expect(try found(app.port, other.store) == nil)
        app.server.stop()
        #expect(try found(app.port, app.store) == nil)
    }

    /// Another user of the machine may have taken the port, and knows all that is public: the path of the database, and
    /// what the server answered to others.
    @Test func noCodeIsGivenToWhoCannotReadTheDatabase() throws {
        let app = try AppFixture()
        let before = try codes(app.store)
        let path = SHA256.hash(of: "subguard \(app.store.path)".utf8).map { String(Int($0) + 256, radix: 16).suffix(2) }
            .joined()
        let proof = DeviceStore.Browsers.proof(for: String(repeating: "0", count: 32), port: app.port)
        let bodies = [path, proof, "", String(repeating: "x", count: 100_000)]
        for body in bodies.map({ $0 + "\n" }) {
            let stranger = try CannedServer(
                "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\(body)", hangsUp: true)
            #expect(try AppServer.runningAddress(port: stranger.port, store: app.store, at: app.moment) == nil)
        }
        #expect(try codes(app.store) == before, "no usable code is left")
        // The server of this store, through the port of a stranger who passes everything on.
        let code = try app.store.browsers.makeCode(at: app.moment)
        let question = DeviceStore.Browsers.question(for: code)
        let answer = try AppFixture.exchange(app.server, "GET", "/hello?question=\(question)")
        #expect(answer.text == DeviceStore.Browsers.proof(for: code, port: app.port) + "\n")
        #expect(answer.text != DeviceStore.Browsers.proof(for: code, port: 8377) + "\n", "the proof is for one port")
        #expect(!answer.text.contains(code) && question != code)
        #expect(try AppFixture.exchange(app.server, "GET", "/hello").status == 404)
        #expect(try AppFixture.exchange(app.server, "GET", "/hello?question=\(code)").status == 404)
    }

    private func codes(_ store: DeviceStore) throws -> Int64 {
        try store.read { try $0.first("SELECT count(*) FROM browser_codes") { try $0.integer(0) } ?? 0 }
    }

    /// `localhost` may mean either address.
    @Test(arguments: Occupant.hosts) func startsOnlyWithBothAddresses(_ host: String) throws {
        let stranger = try Occupant(host: host)
        let app = try AppFixture()
        let error = #expect(throws: PortTaken.self) {
            try AppServer(store: app.store, port: stranger.port, language: .english, moment: { app.moment })
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.hasPrefix("port \(stranger.port) on \(host) is in use by "))
        #expect(text.hasSuffix(", process \(ProcessInfo.processInfo.processIdentifier)"))
        #expect(
            DisplayLanguage.french.sentence(text).hasPrefix("le port \(stranger.port) sur \(host) est utilisé par "))
        // The other address is free again.
        for other in Occupant.hosts where other != host { _ = try Occupant(host: other, port: stranger.port) }
    }

    /// A page on another port sets cookies of the same name, which come before ours.
    @Test func strayCookiesDoNotLockOut() throws {
        let app = try AppFixture()
        try app.add("Zörblax")
        let name = "subguard_\(app.port)"
        let strays = (0..<300).map {
            "\(name)=" + String(String($0 + 1_000_000, radix: 16) + String(repeating: "a", count: 64)).prefix(64)
        }
        let fields = ["Cookie: " + (strays + [app.cookie]).joined(separator: "; ")]
        let answer = try AppFixture.exchange(app.server, "GET", "/widget/small", fields)
        #expect(answer.status == 200)
        let removed = answer.values(of: "Set-Cookie")
        #expect(
            Set(removed.compactMap { $0.split(separator: ";").dropFirst().first }) == [
                " Path=/widget", " Path=/widget/", " Path=/widget/small",
            ])
        #expect(removed.allSatisfy { $0.hasPrefix("\(name)=; ") && $0.contains("Max-Age=0") })
        #expect(try app.get("/widget/small").values(of: "Set-Cookie").isEmpty)
    }

    /// As many and as large ones as a browser keeps for a host.
    @Test func largeCookiesOfAnotherPortDoNotLockOut() throws {
        let app = try AppFixture()
        let strays = (0..<179).map { "other\($0)=" + String(repeating: "a", count: 4080) }
        let fields = ["Cookie: " + (strays + [app.cookie]).joined(separator: "; ")]
        #expect(try AppFixture.exchange(app.server, "GET", "/widget/small", fields).status == 200)
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

/// A socket that listens on an address of this machine.
private final class Occupant {
    let port: Int
    private let descriptor: Int32

    /// The loopback addresses that this machine has: in many containers there is no IPv6.
    static let hosts = ["127.0.0.1", "::1"].filter { (try? Occupant(host: $0)) != nil }

    /// - Parameter port: 0 lets the system choose.
    init(host: String, port: Int = 0) throws(Unavailable) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let info = found?.pointee else {
            throw Unavailable()
        }
        defer { freeaddrinfo(found) }
        let made = socket(info.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        var on: Int32 = 1
        setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isBound =
            bind(made, info.ai_addr, info.ai_addrlen) == 0 && listen(made, 1) == 0
            && withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(made, $0, &length) }
            } == 0
        guard isBound else {
            close(made)
            throw Unavailable()
        }
        descriptor = made
        // The port has the same offset in both families.
        self.port = withUnsafeBytes(of: storage) {
            Int(UInt16(bigEndian: $0.loadUnaligned(as: sockaddr_in.self).sin_port))
        }
    }

    struct Unavailable: Error {}

    deinit { close(descriptor) }
}

import Cryptography
import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// The first run, the installed app, and the plots.
@Suite struct ShellTests {
    private func launch(_ app: AppFixture) throws -> String? {
        let code = String(try #require(try app.server.launchAddress().split(separator: "#").last))
        return try AppFixture.launch(app.server, code)["Location"]
    }

    @Test func theFirstRunHasThreeScreens() throws {
        let app = try AppFixture()
        #expect(try launch(app) == "/welcome?step=1")
        for (step, text) in [(1, "Your subscriptions under control"), (2, "It all stays here"), (3, "The first")] {
            let page = try app.get("/welcome?step=\(step)")
            #expect(page.status == 200 && page.text.contains(text) && page.text.contains(">Skip<"), "\(step)")
        }
        for odd in ["0", "4", "x", "-1"] { #expect(try app.get("/welcome?step=\(odd)").status == 200, "\(odd)") }
        let wrong = try app.post("/welcome", [("home_currency", "<b>")])
        #expect(wrong.status == 422 && wrong.text.contains("home_currency-fault") && !wrong.text.contains("<b>"))
        #expect(try app.post("/welcome", [("home_currency", "eur")])["Location"] == "/welcome?step=3")
        #expect(try app.store.settings.value(.homeCurrency) == "EUR")
        // Only while nothing was ever done.
        #expect(try launch(app) == "/")
        let used = try AppFixture()
        try used.add()
        #expect(try launch(used) == "/")
        #expect(try AppFixture(language: .french).get("/welcome").text.contains("sous contrôle"))
    }

    /// Without a session, as browsers ask; and with nothing that belongs to a user.
    @Test func theShellHasNoData() throws {
        let app = try AppFixture()
        try app.add("Zörblax", [.amount: "12.34"])
        for (path, type) in [
            ("/manifest.webmanifest", "application/manifest+json"), ("/offline", "text/html; charset=utf-8"),
            ("/service-worker.js", "text/javascript; charset=utf-8"),
        ] {
            let response = try AppFixture.exchange(app.server, "GET", path)
            #expect(response.status == 200 && response["Content-Type"] == type, "\(path)")
            #expect(!response.text.contains("Zörblax") && !response.text.contains("12.34"), "\(path)")
            #expect(try AppFixture.exchange(app.server, "GET", path, host: "evil.example").status == 403, "\(path)")
        }
        let offline = try AppFixture.exchange(app.server, "GET", "/offline").text
        #expect(offline.contains("<code>subguard open</code>") && offline.contains("L’app"))
        // Only files of the frame are kept.
        let worker = try app.get("/service-worker.js").text
        let list = try #require(worker.firstMatch(of: /SHELL = new Map\((\[.*\])\);/)?.output.1)
        let kept = try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[Any]])
        let paths = kept.compactMap { $0.first as? String }
        #expect(paths.first == "/offline" && paths.dropFirst().allSatisfy { $0.hasPrefix("/assets/") })
        for file in kept {
            let path = try #require(file.first as? String)
            let facts = try #require(file.last as? [String: String])
            let response = try AppFixture.exchange(app.server, "GET", path)
            #expect(response.status == 200 && response["Content-Type"] == facts["type"], "\(path)")
            #expect(facts["integrity"] == integrity(response.body), "\(path)")
        }
        let manifest = try app.get("/manifest.webmanifest")
        let members = try JSONSerialization.jsonObject(with: Data(manifest.text.utf8)) as? [String: Any]
        #expect(members?["start_url"] as? String == "/" && members?["display"] as? String == "standalone")
        for icon in try #require(members?["icons"] as? [[String: String]]) {
            let image = try app.get(try #require(icon["src"]))
            #expect(image.status == 200 && image["Content-Type"] == "image/svg+xml")
        }
    }

    private func integrity(_ content: [UInt8]) -> String {
        "sha256-" + Data(SHA256.hash(of: content)).base64EncodedString()
    }

    /// Another owner of the port may have filled the browser's cache meanwhile for the addresses of the app's
    /// files.
    @Test func pagesRunNothingButTheFilesOfThisProgram() throws {
        let app = try AppFixture()
        for path in ["/", "/settings", "/offline", "/launch"] {
            let page = try app.get(path).text
            let files = page.matches(of: /(?:src|rel="stylesheet" href)="([^"]+)"( integrity="([^"]+)")?/)
            #expect(files.count == 3, "\(path)")
            for file in files {
                let content = try app.get(String(file.output.1)).body
                #expect(file.output.3.map(String.init) == integrity(content), "\(path) \(file.output.1)")
            }
        }
        // Pages that another user left in the cache are forgotten before the code is taken, and no page for the
        // address that the program prints can be there.
        #expect(try app.get("/launch")["Clear-Site-Data"] == "\"cache\"")
        let addresses = try (0..<2).map { _ in try app.server.launchAddress().split(separator: "#").first }
        #expect(addresses[0] != addresses[1])
    }

    @Test func theScoreHasItsMonths() throws {
        let app = try AppFixture()
        #expect(try app.get("/score").text.contains("Nothing was due"))
        let zone = try #require(TimeZone(identifier: "Europe/Paris"))
        let early = Moment(now: try #require(UTCInstant(rfc3339: "2026-09-01T10:00:00Z")), zone: zone)
        let id = try app.store.subscriptions.add(
            [.name: "Netflix", .amount: "1", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-09-05"],
            at: early
        ).id
        let due = "\(id.uuidString.lowercased()):2026-10-05"
        #expect(try app.post("/due/confirm", [("occurrence", due)]).status == 303)
        let page = try app.get("/score").text
        // September and November were missed, October was confirmed late.
        #expect(page.contains("50.0 %") && page.contains("0.0 %") && page.contains("0 of 1") && page.contains("1 of 1"))
        #expect(try app.get("/due").text.contains("href=\"/score\""))
    }

    @Test func aSubscriptionShowsItsPricesAndWhatCancellingSaves() throws {
        let app = try AppFixture()
        let id = try app.add("Netflix", [.amount: "12.34", .startedOn: "2025-11-25"])
        let place = "/subscriptions/\(id.uuidString.lowercased())"
        #expect(try !app.get(place).text.contains("Price by month"), "one price is no history")
        _ = try app.store.subscriptions.edit(id, [.amount: "15.99"], at: app.moment)
        let page = try app.get(place).text
        #expect(page.contains("Price by month") && page.contains("Between €12.34 and €15.99."))
        #expect(page.contains("cancelling today saves, until 2027-11-19") && page.contains("€191.88"))
        let bound = try app.add(
            "Gym", [.minimumMonths: "12", .noticeDays: "30", .startedOn: "2026-10-15", .nextBillingOn: "2026-12-15"])
        #expect(try app.get("/subscriptions/\(bound.uuidString.lowercased())").text.contains("and still costs"))
        // Another currency has no scale with the former one.
        _ = try app.store.subscriptions.edit(id, [.currency: "JPY", .amount: "1500"], at: app.moment)
        #expect(try app.get(place).status == 200)
    }
}

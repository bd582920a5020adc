import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    @Suite struct CatalogueCommandTests {
        @Test func findsWhatTheServerFindsInTheSameOrder() throws {
            let server = try Server(isWhole: true)
            let device = try Client(environment: ["SUBGUARD_SERVER": server.address])
            let queries = [
                "net", "netflx", "spotfy", "é", "a", "de", "prime", "disny", "le monde", "o'", "1", "canal+", "zzzzzz",
                "🎉",
                "free mobile", "assurance", "tv", "micro", "adob", "youtbe",
            ]
            var count = 0
            for query in queries {
                let here = try device.json("search", query, "--limit", "50")
                let escaped = query.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                let there = try server.get("/api/v1/catalogue/search?limit=50&q=\(escaped)")["items"]
                #expect(here.each("id") == there?.each("id"), "\(query)")
                #expect(here.each("score") == there?.each("score"), "\(query)")
                #expect(here.each("matched") == there?.each("matched"), "\(query)")
                #expect(here[0]?.names == there?[0]?.names, "\(query)")
                count += here.arrayValue?.count ?? 0
            }
            #expect(count > 100)
        }

        @Test func freshAsksNobodyStaleIsServedAndRevalidatedOfflineHasItsAge() throws {
            let server = try Server()
            let relay = try Relay(to: server.port)
            let device = try Client(environment: ["SUBGUARD_SERVER": "http://127.0.0.1:\(relay.port)"])
            let first = try device.json("search", "cine", now: "2026-11-20T10:00:00Z")
            #expect(first.each("slug") == ["double", "netflix"] || first.each("slug") == ["netflix", "double"])
            #expect(relay.requestLines.count == 1)
            for now in ["2026-11-20T10:00:00Z", "2026-11-21T09:59:59Z"] {
                #expect(try device.json("search", "cine", now: now) == first)
                #expect(try device.json("sync", now: now)["catalogue"]?["reason"]?.stringValue == "fresh")
            }
            #expect(relay.requestLines.count == 1)
            // Stale: the response is from the local copy, which is updated in the background.
            try server.post("/api/v1/admin/catalogue/import?format=csv", "")
            let stale = try device.run("search", "cine", now: "2026-11-21T10:00:00Z")
            #expect(stale.status == 0 && stale.errors.contains("24 hours ago"))
            #expect(relay.requestLines.count == 2 && relay.requestLines[1].contains("since="))
            #expect(
                try device.json("status", now: "2026-11-21T10:00:00Z")["catalogue"]?["state"]?.stringValue == "fresh")
            // Offline: the copy is used nevertheless, and status shows the error.
            relay.behave(.offline)
            let offline = try device.run("search", "cine", "--json", now: "2026-11-25T10:00:00Z")
            #expect(offline.status == 0 && offline.errors.contains("4 days ago"))
            #expect(try JSONValue.parse(Array(offline.output.utf8)) == first)
            let status = try device.json("status", now: "2026-11-25T10:00:00Z")
            #expect(status["catalogue"]?["state"]?.stringValue == "stale")
            #expect(status["catalogue"]?["age_seconds"]?.integerValue == 345_600)
            #expect(status["last_sync"]?["failures"]?["catalogue"]?.stringValue?.isEmpty == false)
        }

        @Test func theAgeOfACopyIsToldAsPeopleDo() throws {
            let server = try Server()
            let device = try Client()
            _ = try device.json("search", "cine", "--server", server.address)
            let elsewhere = "http://127.0.0.1:1"
            for (now, english, french) in [
                ("2026-11-20T10:00:59Z", "just now", "à l’instant"),
                ("2026-11-20T09:00:00Z", "just now", "à l’instant"),
                ("2026-11-20T10:01:00Z", "1 minute ago", "il y a 1 minute"),
                ("2026-11-20T10:05:59Z", "5 minutes ago", "il y a 5 minutes"),
                ("2026-11-20T11:59:59Z", "1 hour ago", "il y a 1 heure"),
                ("2026-11-21T09:59:59Z", "23 hours ago", "il y a 23 heures"),
            ] {
                let outcome = try device.run("search", "cine", "--server", elsewhere, now: now)
                #expect(
                    outcome.errors
                        == """
                        note: the local catalogue is from another server, \(server.address), last checked \
                        \(english)\n
                        """,
                    "\(now)")
                let translated = try device.run("search", "cine", "--server", elsewhere, "--lang", "fr", now: now)
                #expect(
                    translated.errors
                        == "note : le catalogue local vient d’un autre serveur, \(server.address), vérifié \(french)\n",
                    "\(now)")
            }
            for (now, english, french) in [
                ("2026-11-20T09:00:00Z", "just now", "à l’instant"),
                ("2026-11-21T10:00:00Z", "24 hours ago", "il y a 24 heures"),
                ("2026-11-22T09:59:59Z", "47 hours ago", "il y a 47 heures"),
                ("2026-11-22T10:00:00Z", "2 days ago", "il y a 2 jours"),
            ] {
                let outcome = try device.run("search", "cine", now: now)
                #expect(outcome.errors == "note: the local catalogue was last checked \(english)\n", "\(now)")
                let translated = try device.run("search", "cine", "--lang", "fr", now: now)
                #expect(translated.errors == "note : catalogue local vérifié \(french)\n", "\(now)")
            }
        }

        /// The command returns at once, and the background update ends even if the server never responds.
        @Test func aServerThatNeverAnswersHoldsNobodyUp() throws {
            let server = try Server()
            let relay = try Relay(to: server.port)
            let device = try Client(environment: ["SUBGUARD_SERVER": "http://127.0.0.1:\(relay.port)"])
            _ = try device.json("search", "cine", now: "2026-11-20T10:00:00Z")
            #expect(String(decoding: relay.recorded[0], as: UTF8.self).contains("gzip"))
            relay.behave(.silent)
            let start = ContinuousClock.now
            let outcome = try device.run("search", "cine", now: "2026-11-22T10:00:00Z")
            #expect(outcome.status == 0 && outcome.output.contains("netflix"))
            #expect(ContinuousClock.now - start < .seconds(20))
            let status = try device.json("status", now: "2026-11-22T10:00:00Z")
            #expect(status["last_sync"]?["failures"]?["catalogue"]?.stringValue?.contains("timed out") == true)
        }

        @Test func withoutACopyOrAServerItSaysSo() throws {
            let device = try Client()
            // Without a server, the catalogue built in answers.
            #expect(try device.run("search", "cine").status == 0)
            for address in ["http://10.0.0.1", "ftp://x", "https://u:p@x", "nonsense"] {
                for command in [["sync"], ["search", "x"], ["status"]] {
                    let outcome = try device.run(command + ["--server", address])
                    #expect(outcome.status == 1 && outcome.errors.contains("--server"), "\(address)")
                    #expect(!outcome.errors.contains("u:p"))
                }
            }
            // It answers too while the server is away, and that is said.
            let away = try device.run("search", "cine", "--server", "http://127.0.0.1:1", "--json")
            #expect(away.status == 0 && away.errors.contains("server unreachable"))
            let here = try device.json("search", "cine")
            #expect(try JSONValue.parse(Array(away.output.utf8)) == here)
        }

        @Test func aLinkedSubscriptionFollowsAMerge() throws {
            let server = try Server()
            let device = try Client(environment: ["SUBGUARD_SERVER": server.address])
            let items = try device.json("search", "cine")
            let byName = Dictionary(zip(items.each("slug"), items.each("id"))) { $1 }
            let (kept, gone) = (try #require(byName["netflix"]), try #require(byName["double"]))
            let id = try device.id("add", "--from-catalogue", "double", "--next", "2026-12-24", "--name", "Mine")
            #expect(try device.json("show", id)["catalogue_item_id"]?.stringValue == gone)
            let merge = try server.post("/api/v1/admin/catalogue/\(kept)/merge", #"{"duplicate_ids":["\#(gone)"]}"#)
            #expect(merge.status == 200, "\(merge.text)")
            let report = try device.json("sync", "--force")
            #expect(report["catalogue"]?["deleted"]?.integerValue == 1)
            #expect(try device.json("show", id)["catalogue_item_id"]?.stringValue == kept)
            #expect(
                try device.json("add", "--from-catalogue", gone, "--next", "2026-12-24")["name"]?.stringValue
                    == "Ciné “Séries”")
        }
    }
}

import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    @Suite struct QuickEntryCommandTests {
        /// Typed as a user would who has read nothing, in French, with a new store.
        @Test func twentyServicesAndTheirYearlyCostTakeTwentyOneCommands() throws {
            let server = try Server(isWhole: true)
            let device = try Client(environment: ["SUBGUARD_SERVER": server.address, "LANG": "fr_FR.UTF-8"])
            let typed = [
                "netflix 13,49", "Spotfy Premium", "disney+", "deezer", "canal+ 24,99 €", "le monde 12,99 €/mois",
                "youtube premium 12,99 mensuel", "icloud+ 2,99", "dropbox 119,88 € par an 3 mars", "nordvpn",
                "duolingo", "strava 59,99 annuel", "audible", "1password", "notion", "github", "figma",
                "linkedin premium",
                "tinder", "crunchyroll",
            ]
            for line in typed {
                let added = try device.run("add", line)
                #expect(added.status == 0, "\(line): \(added.errors)")
            }
            let total = try device.json("total")
            #expect(total.arrayValue?.isEmpty == false)
            let list = try device.json("list")
            #expect(list.arrayValue?.count == 20)
            // They have the catalogue's names and categories, and what was typed.
            let netflix = try device.json("show", "netflix")
            #expect(netflix["amount"]?.stringValue == "13.49" && netflix["category"]?.stringValue == "streaming")
            #expect(netflix["catalogue_item_id"]?.stringValue != nil)
            #expect(netflix["next_billing_on"]?.stringValue == "2026-12-20")
            let dropbox = try device.json("show", "dropbox")
            #expect(
                dropbox["cycle"]?.stringValue == "yearly" && dropbox["next_billing_on"]?.stringValue == "2027-03-03")
            let linked = try list.each("id").filter { id in
                if case .string = try device.json("show", id)["catalogue_item_id"] { true } else { false }
            }
            #expect(linked.count >= 18, "\(linked.count) of 20 linked")
        }

        @Test func whatIsUnsureIsProposedAndNothingIsAddedWithoutAPrice() throws {
            let server = try Server(isWhole: true)
            let device = try Client(environment: ["SUBGUARD_SERVER": server.address])
            let unknown = try device.run("add", "Zörblax Gym")
            #expect(unknown.status == 64 && unknown.errors.contains("missing: amount, currency, cycle"))
            let unsure = try device.run("add", "amazon")
            #expect(unsure.status == 1 && unsure.errors.contains("--from-catalogue"))
            #expect(try device.json("list").arrayValue?.isEmpty == true)
            // With everything that is needed, it is added as typed and the similar ones are named.
            let typed = try device.run("add", "Zörblax Gym", "19,90 €", "mensuel", "demain")
            #expect(typed.status == 0 && typed.errors.contains("subguard suggest"))
            #expect(try device.json("list")[0]?["next_billing_on"]?.stringValue == "2026-11-21")
            // Nothing was suggested without a word.
            #expect(try device.json("status")["suggestions"]?["waiting"] != .number("1"))
            // The catalogue says nothing of what is given.
            let own = try device.run(
                "add", "--name", "NETFLIX", "--amount", "5", "--currency", "USD", "--cycle", "monthly", "--next",
                "2026-12-01", "--category", "music", "--website", "https://example.com")
            #expect(own.status == 0 && own.errors.isEmpty)
            let shown = try device.json("show", own.output.trimmingCharacters(in: .newlines))
            #expect(shown["name"]?.stringValue == "NETFLIX" && shown["category"]?.stringValue == "music")
            #expect(shown["website"]?.stringValue == "https://example.com" && shown["currency"]?.stringValue == "USD")
            #expect(shown["catalogue_item_id"]?.stringValue != nil)
        }

        @Test func worksWithoutAServerAndWithOneThatIsDown() throws {
            for environment in [[:], ["SUBGUARD_SERVER": "http://127.0.0.1:9"]] {
                let device = try Client(environment: environment)
                let added = try device.run("add", "Rent 950 € monthly 1 December")
                #expect(added.status == 0, "\(added.errors)")
                // The only currency so far.
                #expect(try device.run("add", "Gym", "20", "monthly").status == 0)
                #expect(try device.json("list").each("currency") == ["EUR", "EUR"])
                #expect(try device.json("list").each("next_billing_on") == ["2026-12-20", "2026-12-01"])
                #expect(try device.run("add", "--amount", "20").status == 64)
                #expect(try device.run("add", "--name", "Gym", "--amount", "20", "--currency", "EUR").status == 64)
            }
        }
    }
}

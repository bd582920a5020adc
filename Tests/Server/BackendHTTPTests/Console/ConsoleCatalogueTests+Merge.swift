import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Duplicates, pairs that are none, and merging.
extension ConsoleCatalogueTests {
    @Test func mergesWithTheChosenValues() throws {
        try withBrowser(.editor) { browser, server in
            let draft =
                #"{"name":"Netflixx","slug":"netflixx","category":"video","typical_amount":"9.50","#
                + #""currency":"USD","billing_cycle":"yearly","website":"https://n.example","aliases":["Nx"]}"#
            let made = try server.admin(.owner, "POST", "/api/v1/admin/catalogue", json: draft)
            let other = try #require(try made.json()["id"]?.stringValue)
            let netflix = try id(server, "netflix")
            expect(
                try browser.get(Self.path + "/duplicates?min_score=60").text,
                contains: ["aria-label=\"Compare Netflix", "similar name"])
            let place = "\(Self.path)/duplicates/\(netflix)/\(other)"
            let page = try browser.get(place)
            expect(page.text, contains: ["13.49 EUR", "9.50 USD", "name=\"use_name\" value=\"first\" checked"])
            let fields = [
                ("idempotency_key", try hidden("idempotency_key", page)), ("primary", "first"),
                ("revision_first", try hidden("revision_first", page)),
                ("revision_second", try hidden("revision_second", page)),
                ("use_name", "second"), ("use_slug", "second"), ("use_category", "first"),
                ("use_typical_amount", "second"), ("use_billing_cycle", "first"), ("use_website", "second"),
            ]
            for _ in 0..<2 {
                let done = try browser.post(place, form(fields))
                #expect(done["Location"] == "/console/catalogue/\(netflix)?notice=merged")
            }
            let item = try stored(server, netflix)
            for (name, value) in [
                ("name", "Netflixx"), ("slug", "netflixx"), ("category", "streaming"), ("typical_amount", "9.50"),
                ("currency", "USD"), ("billing_cycle", "monthly"), ("website", "https://n.example"),
            ] {
                #expect(item[name]?.stringValue == value, "\(name)")
            }
            let aliases = item["aliases"]?.arrayValue?.compactMap(\.stringValue) ?? []
            #expect(Set(aliases) == ["Netflix Premium", "Nx", "Netflix"])
            expect(try browser.get("\(Self.path)/\(other)").text, contains: ["merged into another", "/\(netflix)\""])
            // The notice offers to undo it, which brings both back.
            let merged = try browser.get("\(Self.path)/\(netflix)?notice=merged")
            let notice = try #require(merged.text.components(separatedBy: "class=\"notice good\"").dropFirst().first)
            let undo = [
                ("idempotency_key", try hidden("idempotency_key", in: notice)),
                ("sequence", try hidden("sequence", in: notice)), ("revision", try hidden("revision", in: notice)),
            ]
            for _ in 0..<2 {
                let undone = try browser.post("\(Self.path)/\(netflix)/undo", form(undo))
                #expect(undone["Location"] == "/console/catalogue/\(netflix)?notice=unmerged")
            }
            let (first, second) = (try stored(server, netflix), try stored(server, other))
            #expect(first["slug"]?.stringValue == "netflix" && second["slug"]?.stringValue == "netflixx")
            #expect(first["aliases"]?.arrayValue?.compactMap(\.stringValue) == ["Netflix Premium"])
            #expect(second["aliases"]?.arrayValue?.compactMap(\.stringValue) == ["Nx"])
            #expect(first["typical_amount"]?.stringValue == "13.49")
        }
    }

    @Test func dismissesAPairAndListsItAgain() throws {
        try withBrowser(.editor) { browser, server in
            let draft =
                #"{"name":"NETFLIX <&>","slug":"netflix-2","category":"video","typical_amount":"9.50","#
                + #""currency":"USD","billing_cycle":"yearly"}"#
            let made = try server.admin(.owner, "POST", "/api/v1/admin/catalogue", json: draft)
            let other = try #require(try made.json()["id"]?.stringValue)
            let netflix = try id(server, "netflix")
            let list = Self.path + "/duplicates?min_score=90"
            let compare = "aria-label=\"Compare "
            let page = try browser.get(list).text
            expect(page, contains: [compare, "Not a duplicate"])
            let fields = [
                ("list_min_score", "90"), ("action", "dismiss"), ("first", netflix), ("second", other),
            ]
            for _ in 0..<2 {
                let done = try browser.submit(list, form(fields))
                let named = "Netflix and NETFLIX &lt;&amp;&gt; are different services"
                expect(done.text, contains: [named, "value=\"restore\"", "min_score=90"], lacks: [compare])
            }
            let undone = try browser.submit(list, form(fields.map { $0.0 == "action" ? ("action", "restore") : $0 }))
            expect(undone.text, contains: [compare, "are listed again"])
            for (name, value, status) in [("action", "eat", 422), ("first", "x", 422), ("second", netflix, 422)] {
                let answer = try browser.post(list, form(fields.map { $0.0 == name ? (name, value) : $0 }))
                #expect(answer.status == status, "\(name)")
            }
            // Without the right to change it, there is the list alone.
            let reader = ConsoleBrowser(server)
            try reader.signIn(try #require(server.tokens[.moderator]))
            expect(try reader.get(list).text, contains: [compare], lacks: ["Not a duplicate"])
        }
    }

    @Test func findsTheItemToMergeWith() throws {
        try withBrowser(.editor) { browser, server in
            let draft =
                #"{"name":"Netflix <Kids>","slug":"netflix-kids","category":"video","typical_amount":"9.50","#
                + #""currency":"USD","billing_cycle":"yearly","aliases":["Nk"]}"#
            let made = try server.admin(.owner, "POST", "/api/v1/admin/catalogue", json: draft)
            let other = try #require(try made.json()["id"]?.stringValue)
            let netflix = try id(server, "netflix")
            for id in [other, netflix] {
                let event = EventText(
                    id == other ? 1 : 2, "subscription_added", properties: #"{"catalogue_item_id":"\#(id)"}"#)
                try server.post(
                    "/api/v1/analytics", event.text.replacing("{\"id\"", with: "[{\"id\"") + "]")
            }
            let place = "\(Self.path)/\(netflix)/merge"
            expect(try browser.get("\(Self.path)/\(netflix)").text, contains: ["href=\"\(place)\"", "Merge with…"])
            let pair = "\(Self.path)/duplicates/\(netflix)/\(other)"
            expect(
                try browser.get(place).text,
                contains: ["Similar items", "href=\"\(pair)\"", "Merge Netflix with Netflix &lt;Kids&gt;"])
            let found = try browser.get(place + "?item=kids&category=streaming").text
            expect(
                found, contains: ["Items found", "href=\"\(pair)\"", "name=\"category\" value=\"streaming\""],
                lacks: ["duplicates/\(netflix)/\(netflix)"])
            expect(try browser.get(place + "?item=zzzzzz").text, contains: ["No item matches"])
            #expect(try browser.get(place + "?item=" + String(repeating: "x", count: 201)).status == 422)
            #expect(try browser.get("\(Self.path)/\(makeID(404).lowercased)/merge").status == 404)
            expect(try browser.get(pair).text, contains: ["Suggested names", "Additions", "Aliases"])
        }
    }
}

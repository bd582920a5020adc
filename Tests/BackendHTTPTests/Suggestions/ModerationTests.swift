import Backend
import JSONWire
import SubGuardAPI
import SubGuardDomain
import TestKit
import Testing

@Suite struct ModerationTests {
    private static let admin = "/api/v1/admin/suggestions"
    private static let fields =
        #""category":"press","typical_amount":"12.34","currency":"EUR","billing_cycle":"monthly""#

    /// Suggests each name and returns the groups by their name.
    private func suggest(_ names: [String], to server: TestServer) throws -> [String: JSONValue] {
        for (index, name) in names.enumerated() {
            let id = makeID(UInt64(1000 + index)).lowercased
            #expect(try server.post("/api/v1/suggestions", #"{"id":"\#(id)","name":"\#(name)"}"#).status == 202)
        }
        let groups = try server.admin(.moderator, "GET", Self.admin + "?limit=500").items()
        return Dictionary(
            uniqueKeysWithValues: groups.compactMap { group in
                group["name"]?.stringValue.map { ($0, group) }
            })
    }

    private func id(_ name: String, _ groups: [String: JSONValue]) throws -> String {
        try #require(groups[name]?["id"]?.stringValue)
    }

    @Test func groupsNamesAndProposesTheNearestItem() throws {
        let server = try TestServer()
        defer { server.end() }
        let groups = try suggest(["Netfix", "NETFIX", "Nétfix ", "Zzyzx “🍵”", "Netflix France"], to: server)
        #expect(groups["Netfix"]?["count"]?.integerValue == 3)
        #expect(groups["Netfix"]?["nearest_item"]?["name"]?.stringValue == "Netflix")
        #expect(groups["Zzyzx “🍵”"]?["nearest_item"]?.isNull == true)
        #expect(groups["Netflix France"]?["nearest_item"]?["name"]?.stringValue == "Netflix")
        let first = try server.admin(.moderator, "GET", Self.admin + "?limit=1")
        #expect(try first.items().strings("name") == ["Netfix"])
        let cursor = try #require(try first.json()["next_cursor"]?.stringValue)
        #expect(try server.admin(.moderator, "GET", Self.admin + "?limit=5&cursor=\(cursor)").items().count == 2)
        try server.expectInvalid(
            try server.admin(.moderator, "GET", Self.admin + "?status=all&cursor=\(cursor)"),
            [("cursor", "invalid_cursor")])
    }

    @Test func marksNamesThatMixAlphabets() throws {
        let server = try TestServer()
        defer { server.end() }
        let groups = try suggest(["N\u{435}tflix", "Яндекс Go", "楽天TV"], to: server)
        let forged = try #require(groups["N\u{435}tflix"])
        #expect(forged["mixed_scripts"]?.boolValue == true)
        #expect(forged["scripts"]?.arrayValue?.compactMap(\.stringValue) == ["Latin", "Cyrillic"])
        #expect(forged["nearest_item"]?["name"]?.stringValue == "Netflix")
        #expect(forged["nearest_item"]?["score"]?.integerValue == 100)
        #expect(groups["Яндекс Go"]?["mixed_scripts"]?.boolValue == false)
        #expect(groups["楽天TV"]?["mixed_scripts"]?.boolValue == false)
    }

    @Test func makesAnItemOfASuggestion() throws {
        let server = try TestServer()
        defer { server.end() }
        let groups = try suggest(["L'Été “29”"], to: server)
        let target = "\(Self.admin)/\(try id("L'Été “29”", groups))"
        try server.expectInvalid(
            try server.admin(.moderator, "POST", target + "/approve", json: #"{"category":"press"}"#),
            [("#/typical_amount", "required"), ("#/currency", "required"), ("#/billing_cycle", "required")])
        let answer = try server.admin(.moderator, "POST", target + "/approve", json: "{\(Self.fields)}")
        #expect(answer.status == 200)
        let item = try #require(try answer.json()["item"]?["id"]?.stringValue)
        #expect(try server.get("/api/v1/catalogue/\(item)").json()["name"]?.stringValue == "L'Été “29”")
        #expect(try answer.json()["suggestion"]?["item_id"]?.stringValue == item)
        try server.expectProblem(
            try server.admin(.moderator, "POST", target + "/approve", json: "{\(Self.fields)}"), .alreadyDecided)
        try server.expectProblem(try server.admin(.moderator, "POST", target + "/reject"), .alreadyDecided)
        #expect(try server.admin(.moderator, "GET", Self.admin).items().isEmpty)
        #expect(try server.admin(.moderator, "GET", Self.admin + "?status=approved").items().count == 1)
    }

    @Test func makesAnAliasOfASuggestionAndFollowsAMerge() throws {
        let server = try TestServer()
        defer { server.end() }
        let groups = try suggest(["Netfix", "netflix"], to: server)
        let (netflix, disney) = (try server.item("netflix").id.lowercased, try server.item("disney-plus").id.lowercased)
        let alias = try server.admin(
            .moderator, "POST", "\(Self.admin)/\(try id("Netfix", groups))/approve",
            json: #"{"merge_into":"\#(netflix)"}"#)
        #expect(try alias.json()["item"]?["aliases"]?[1]?.stringValue == "Netfix")
        // A name that the item bears already adds nothing.
        let same = try server.admin(
            .moderator, "POST", "\(Self.admin)/\(try id("netflix", groups))/approve",
            json: #"{"merge_into":"\#(netflix)"}"#)
        #expect(try same.json()["item"]?["aliases"]?.arrayValue?.count == 2)
        try server.admin(
            .editor, "POST", "/api/v1/admin/catalogue/\(disney)/merge", json: #"{"duplicate_ids":["\#(netflix)"]}"#)
        let moved = try server.admin(.moderator, "GET", Self.admin + "?status=approved").items()
        #expect(moved.strings("item_id") == [disney, disney])
        try server.expectInvalid(
            try server.admin(
                .moderator, "POST", "\(Self.admin)/\(try id("Netfix", groups))/approve", json: #"{"merge_into":7}"#),
            [("#/merge_into", "invalid_id")])
    }

    @Test func hearsOfANameAgainWhoseItemIsGone() throws {
        let server = try TestServer()
        defer { server.end() }
        func suggest(_ number: UInt64) throws -> [JSONValue] {
            let json = #"{"id":"\#(makeID(number).lowercased)","name":"L'Été “29”"}"#
            #expect(try server.post("/api/v1/suggestions", json).status == 202)
            return try server.admin(.moderator, "GET", Self.admin).items()
        }
        let group = try #require(try suggest(1).first?["id"]?.stringValue)
        let approve = "\(Self.admin)/\(group)/approve"
        let approved = try server.admin(.moderator, "POST", approve, json: "{\(Self.fields)}")
        let item = try #require(try approved.json()["item"]?["id"]?.stringValue)
        #expect(try suggest(2).isEmpty, "its item is there")
        let target = "/api/v1/admin/catalogue/\(item)"
        #expect(try server.admin(.editor, "DELETE", target).status == 204)
        // A device that repeats itself says nothing new.
        #expect(try suggest(2).isEmpty)
        let waiting = try #require(try suggest(3).first)
        #expect(waiting["id"]?.stringValue == group && waiting["count"]?.integerValue == 3)
        #expect(waiting["status"]?.stringValue == "pending" && waiting["item_id"]?.isNull != false)
        #expect(try server.admin(.moderator, "POST", approve, json: "{\(Self.fields)}").status == 200)
    }

    @Test func answersForEachOfMany() throws {
        let server = try TestServer()
        defer { server.end() }
        let groups = try suggest(["A12", "B34", "C56"], to: server)
        let (a, b, c) = (try id("A12", groups), try id("B34", groups), try id("C56", groups))
        try server.admin(.moderator, "POST", "\(Self.admin)/\(c)/approve", json: "{\(Self.fields)}")
        let nobody = makeID(404).lowercased
        let bulk = try server.admin(
            .moderator, "POST", Self.admin + "/bulk",
            json: #"{"ids":["\#(a)","\#(nobody)","\#(c)","\#(b)"],"action":"reject"}"#)
        let results = try #require(try bulk.json()["results"]?.arrayValue)
        #expect(results.strings("id") == [a, nobody, c, b])
        #expect(results.strings("result") == ["rejected", "not_found", "already_decided", "rejected"])
        // A rejected name stays rejected, however often it comes.
        #expect(try suggest(["A12"], to: server).isEmpty)
        let deleted = try server.admin(
            .moderator, "POST", Self.admin + "/bulk", json: #"{"ids":["\#(a)"],"action":"delete"}"#)
        #expect(try deleted.json()["results"]?.arrayValue?.strings("result") == ["deleted"])
        #expect(try suggest(["A12"], to: server)["A12"]?["count"]?.integerValue == 1)
        try server.expectInvalid(
            try server.admin(.moderator, "POST", Self.admin + "/bulk", json: #"{"ids":[],"action":"eat"}"#),
            [("#/ids", "out_of_range"), ("#/action", "unknown_action")])
    }

    @Test func limitsTheNamesOfOneClient() throws {
        let server = try TestServer()
        defer { server.end() }
        var sent = 0
        while sent < 2000 {
            let batch = (0..<100).map { #"{"id":"\#(makeID(UInt64(sent + $0)).lowercased)","name":"n \#(sent + $0)"}"# }
            let body = #"{"suggestions":[\#(batch.joined(separator: ","))]}"#
            #expect(try server.post("/api/v1/suggestions", body).status == 202)
            sent += 100
        }
        let body = #"{"id":"\#(makeID(9999).lowercased)","name":"one more"}"#
        let refused = try server.post("/api/v1/suggestions", body)
        try server.expectProblem(refused, .rateLimited)
        #expect(refused["RateLimit-Policy"] == "\"names\";q=2000;w=3600")
        #expect(refused["Retry-After"] == "2")
    }
}

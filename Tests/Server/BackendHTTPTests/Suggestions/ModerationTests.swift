import JSONWire
import ServerAccess
import SubGuardContract
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

    /// Finding the nearest items of many names takes long, and clients without an account choose the names.
    @Test func findsNearestItemsForFewRequestsAtATime() throws {
        var setup = TestServer.Setup()
        setup.settings = ["rate_limit_enabled": "false"]
        setup.items = (0..<100).map { number in
            var draft = CatalogueDraft.sample("Streaming service \(number)", slug: "service-\(number)")
            draft.aliases = (0..<5).map { "Streaming service number \(number) alias \($0)" }
            return draft
        }
        let server = try TestServer(setup)
        defer { server.end() }
        let suggestions = (0..<100).map { number in
            #"{"id":"\#(makeID(UInt64(number)).lowercased)","name":"Streamin servic \#(number) numbr alia"}"#
        }
        let body = #"{"suggestions":[\#(suggestions.joined(separator: ","))]}"#
        #expect(try server.post("/api/v1/suggestions", body).status == 202)
        // Those that find no slot free are without nearest items, rather than refused.
        let answers = OwnThread.each(of: 20) { _ in try server.admin(.moderator, "GET", Self.admin + "?limit=500") }
        for answer in answers { #expect(try answer.get().items().count == 100) }
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
        // Approving a name that the item already has adds no alias.
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
            [("#/merge_into", "invalid_type")])
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
        // A resent suggestion is a duplicate.
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
        // A rejected name stays rejected, no matter how often it is suggested.
        #expect(try suggest(["A12"], to: server).isEmpty)
        let again = try server.admin(
            .moderator, "POST", Self.admin + "/bulk", json: #"{"ids":["\#(a)"],"action":"reject"}"#)
        #expect(try again.json()["results"]?.arrayValue?.strings("result") == ["already_decided"])
        let deleted = try server.admin(
            .moderator, "POST", Self.admin + "/bulk", json: #"{"ids":["\#(a)"],"action":"delete"}"#)
        #expect(try deleted.json()["results"]?.arrayValue?.strings("result") == ["deleted"])
        #expect(try suggest(["A12"], to: server)["A12"]?["count"]?.integerValue == 1)
        try server.expectInvalid(
            try server.admin(.moderator, "POST", Self.admin + "/bulk", json: #"{"ids":[],"action":"eat"}"#),
            [("#/ids", "out_of_range"), ("#/action", "unknown_value")])
    }

    @Test func reopensWhatWasDecided() throws {
        let server = try TestServer()
        defer { server.end() }
        let groups = try suggest(["L'Été “29”", "Zzyzx 🍵"], to: server)
        let (approved, rejected) = (try id("L'Été “29”", groups), try id("Zzyzx 🍵", groups))
        func post(_ id: String, _ verb: String, _ json: String? = nil) throws -> RawResponse {
            try server.admin(.moderator, "POST", "\(Self.admin)/\(id)/\(verb)", json: json)
        }
        let made = try post(approved, "approve", "{\(Self.fields)}")
        let item = try #require(try made.json()["item"]?["id"]?.stringValue)
        #expect(try post(rejected, "reject").status == 200)
        for id in [approved, rejected, rejected] {
            let reopened = try #require(try post(id, "reopen").json()["suggestion"])
            #expect(reopened["id"]?.stringValue == id)
            #expect(reopened["status"]?.stringValue == "pending")
            #expect(reopened["item_id"]?.isNull == true && reopened["decided_at"]?.isNull == true)
        }
        #expect(try server.admin(.moderator, "GET", Self.admin).items().count == 2)
        #expect(try server.get("/api/v1/catalogue/\(item)").status == 200, "the item stays")
        let audit = try server.admin(.owner, "GET", "/api/v1/admin/audit?action=suggestion.reopen").items()
        #expect(audit.strings("subject_id") == [rejected, approved], "one that was pending leaves no row")
        #expect(audit[1]["before"]?["item_id"]?.stringValue == item)
        #expect(try post(approved, "reject").status == 200)
        try server.expectProblem(try post(makeID(404).lowercased, "reopen"), .notFound)
        // Repeating the request with the same key reopens only once.
        let target = "\(Self.admin)/\(approved)/reopen"
        for isReplayed in [nil, "true"] {
            let answer = try server.admin(.moderator, "POST", target, "Idempotency-Key: again")
            #expect(answer.status == 200 && answer["Idempotency-Replayed"] == isReplayed)
        }
    }

    @Test func decidesOnManyWithAReason() throws {
        let server = try TestServer()
        defer { server.end() }
        let names = ["Netfix", "Spotfy", "Zzyzx 🍵", "C56"]
        let groups = try suggest(names, to: server)
        let ids = try names.map { try id($0, groups) }
        func bulk(_ action: String, _ ids: [String], more: String = "") throws -> [String] {
            let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
            let answer = try server.admin(
                .moderator, "POST", Self.admin + "/bulk", json: "{\"ids\":[\(list)],\"action\":\"\(action)\"\(more)}")
            return (try answer.json()["results"]?.arrayValue ?? []).strings("result")
        }
        #expect(
            try bulk("approve", ids + [makeID(404).lowercased])
                == ["approved", "approved", "no_nearest_item", "no_nearest_item", "not_found"])
        let netflix = try server.item("netflix").id.lowercased
        let item = try server.get("/api/v1/catalogue/\(netflix)").json()
        #expect(item["aliases"]?.arrayValue?.compactMap(\.stringValue) == ["Netflix Premium", "Netfix"])
        let moved = try server.admin(.moderator, "GET", Self.admin + "?status=approved&q=netfix").items()
        #expect(moved.strings("item_id") == [netflix])
        #expect(try bulk("approve", [ids[0]]) == ["already_decided"])
        let reason = #"“spam” \\ 100 % é 🍵"#
        #expect(try bulk("reject", Array(ids[2...]), more: ",\"reason\":\" \(reason) \"") == ["rejected", "rejected"])
        #expect(try bulk("reopen", ids) == ["reopened", "reopened", "reopened", "reopened"])
        #expect(try bulk("delete", [ids[3]], more: ",\"reason\":\"\(reason)\"") == ["deleted"])
        #expect(try bulk("delete", [ids[2]]) == ["deleted"])
        let audit = try server.admin(.owner, "GET", "/api/v1/admin/audit?limit=500").items()
        func after(_ action: String) -> [JSONValue?] {
            audit.filter { $0["action"]?.stringValue == action }.map { $0["after"]?["reason"] }
        }
        let said = JSONValue.string(#"“spam” \ 100 % é 🍵"#)
        #expect(after("suggestion.reject") == [said, said])
        #expect(after("suggestion.delete") == [nil, said])
        #expect(after("suggestion.approve") == [nil, nil])
        for (text, code) in [
            ("\"\"", "required"), ("\" \"", "required"), ("\"\\u0007\"", "invalid_characters"),
            ("7", "invalid_type"),
            ("\"\(String(repeating: "é", count: 501))\"", "out_of_range"),
        ] {
            let json = #"{"ids":["\#(ids[0])"],"action":"reject","reason":\#(text)}"#
            try server.expectInvalid(
                try server.admin(.moderator, "POST", Self.admin + "/bulk", json: json), [("#/reason", code)])
        }
    }

    /// An alias that is there for another reason than the approval stays when the approval is undone.
    @Test(arguments: AliasHistory.allCases) func undoesOnlyWhatTheApprovalMade(_ history: AliasHistory) throws {
        let server = try TestServer()
        defer { server.end() }
        let group = try id("canal sat", try suggest(["canal sat"], to: server))
        let (item, other) = (try server.item("netflix").id.lowercased, try server.item("disney-plus").id.lowercased)
        let catalogue = "/api/v1/admin/catalogue/"
        func setAliases(_ id: String, _ aliases: String...) throws {
            let list = aliases.map { "\"\($0)\"" }.joined(separator: ",")
            #expect(try server.admin(.editor, "PATCH", catalogue + id, json: "{\"aliases\":[\(list)]}").status == 200)
        }
        func post(_ id: String, _ verb: String, _ json: String? = nil) throws {
            #expect(try server.admin(.editor, "POST", catalogue + id + "/" + verb, json: json).status == 200)
        }
        func merge() throws { try post(other, "merge", "{\"duplicate_ids\":[\"\(item)\"]}") }
        if [.wasOfThePrimary, .wasOnceOfThePrimary].contains(history) { try setAliases(other, "Canál Sat", "Zoë") }
        let approval = try server.admin(
            .moderator, "POST", "\(Self.admin)/\(group)/approve", json: "{\"merge_into\":\"\(item)\"}")
        #expect(approval.status == 200)
        switch history {
        case .cameByTheApproval: break
        case .cameByTheMerge, .wasOfThePrimary: try merge()
        case .wasOnceOfThePrimary:
            try setAliases(other, "Zoë")
            try merge()
        case .cameByTheSecondMerge:
            try merge()
            try post(other, "undo")
            try merge()
        case .wasAddedAgain:
            try setAliases(item, "Zoë")
            try setAliases(item, "Zoë", "Canal Sat")
        case .wasAddedAgainToThePrimary:
            try merge()
            try setAliases(other, "Zoë")
            try setAliases(other, "CANAL SAT")
        case .cameBackByAnUndo:
            try setAliases(item, "Zoë")
            try post(item, "undo")
        }
        let isMerged = try server.get("/api/v1/catalogue/\(item)").status != 200
        let present = catalogue + (isMerged ? other : item)
        let before = try server.admin(.editor, "GET", present).json()
        let undone = try server.admin(
            .moderator, "POST", Self.admin + "/bulk", json: "{\"ids\":[\"\(group)\"],\"action\":\"undo\"}")
        let after = try server.admin(.editor, "GET", present).json()
        let results = try undone.json()["results"]?.arrayValue?.strings("result")
        #expect(results == [history.isOfOthers ? "item_changed" : "reopened"])
        #expect((before == after) == history.isOfOthers)
        func folded(_ item: JSONValue) -> [String] {
            item["aliases"]?.arrayValue?.compactMap(\.stringValue).map(TextFolding.fold) ?? []
        }
        #expect(folded(before).contains("canal sat") && folded(after).contains("canal sat") == history.isOfOthers)
    }

    enum AliasHistory: CaseIterable {
        case cameByTheApproval, cameByTheMerge, cameByTheSecondMerge, cameBackByAnUndo, wasOnceOfThePrimary
        case wasOfThePrimary, wasAddedAgain, wasAddedAgainToThePrimary

        var isOfOthers: Bool { [.wasOfThePrimary, .wasAddedAgain, .wasAddedAgainToThePrimary].contains(self) }
    }

    @Test func saysWhenAnItemCanTakeNoMoreAliases() throws {
        let server = try TestServer()
        defer { server.end() }
        let aliases = (0..<CatalogueRules.maximumAliases).map { "\"Alias \($0)\"" }.joined(separator: ",")
        let netflix = try server.item("netflix").id.lowercased
        let full = try server.admin(
            .editor, "PATCH", "/api/v1/admin/catalogue/\(netflix)", json: "{\"aliases\":[\(aliases)]}")
        #expect(full.status == 200)
        let groups = try suggest(["Netfix", "Spotfy"], to: server)
        let json = #"{"ids":["\#(try id("Netfix", groups))","\#(try id("Spotfy", groups))"],"action":"approve"}"#
        let results = try server.admin(.moderator, "POST", Self.admin + "/bulk", json: json).json()["results"]
        #expect(results?.arrayValue?.strings("result") == ["too_many_aliases", "approved"])
        #expect(try server.admin(.moderator, "GET", Self.admin).items().strings("name") == ["Netfix"])
    }

    /// Moderators find the invented names of a flood by a common substring and delete them with two calls.
    @Test func findsSuggestionsByTheirNameAndDeletesThem() throws {
        let server = try TestServer()
        defer { server.end() }
        let flood = (0..<100).map { "Gratis “Geld” \($0)" }
        _ = try suggest(["Café 50% rabais", "Snake_case", #"C:\\Temp"#, "Ciné+"] + flood, to: server)
        func found(_ query: String) throws -> [JSONValue] {
            try server.admin(.moderator, "GET", Self.admin + "?limit=500&q=\(query)").items()
        }
        #expect(try found("cafe%2050%25").count == 1)
        #expect(try found("CAF%C3%89").strings("name") == ["Café 50% rabais"])
        #expect(try found("cine%2B").strings("name") == ["Ciné+"])
        #expect(try found("%25").isEmpty && found("_").isEmpty, "a sign of a pattern is a sign")
        #expect(try found("%E2%80%8B").isEmpty)
        try server.expectProblem(try server.admin(.moderator, "GET", Self.admin + "?q=a%00b"), .malformedQuery)
        let page = try server.admin(.moderator, "GET", Self.admin + "?limit=1&q=gratis%20geld")
        let cursor = try #require(try page.json()["next_cursor"]?.stringValue)
        expect(page["Link"] ?? "", contains: ["q=gratis%20geld"])
        try server.expectInvalid(
            try server.admin(.moderator, "GET", Self.admin + "?limit=1&cursor=\(cursor)"),
            [("cursor", "invalid_cursor")])
        let ids = try found("gratis%20geld").strings("id")
        #expect(ids.count == 100)
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        let deleted = try server.admin(
            .moderator, "POST", Self.admin + "/bulk",
            json: "{\"ids\":[\(list)],\"action\":\"delete\",\"reason\":\"flood\"}")
        #expect(try deleted.json()["results"]?.arrayValue?.count == 100)
        #expect(try found("gratis").isEmpty)
        #expect(try server.admin(.moderator, "GET", Self.admin).items().count == 4)
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

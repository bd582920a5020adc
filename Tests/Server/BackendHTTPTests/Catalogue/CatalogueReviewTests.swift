import BackendHTTP
import Catalogue
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// Duplicates, merging, history and undo.
@Suite struct CatalogueReviewTests {
    private static let admin = "/api/v1/admin/catalogue"

    private func server(_ more: [CatalogueDraft]) throws -> TestServer {
        var setup = TestServer.Setup()
        setup.items += more
        return try TestServer(setup)
    }

    @Test func findsLikelyDuplicates() throws {
        let server = try server([
            .sample("Netfix", slug: "netfix"), .sample("NET-FLIX", slug: "net-flix-2"),
            .sample("Canal 1", slug: "canal-1"), .sample("Canal 2", slug: "canal-2"),
        ])
        defer { server.end() }
        let pairs = try server.admin(.moderator, "GET", Self.admin + "/duplicates").items()
        let names = pairs.map { Set(($0["items"]?.arrayValue ?? []).strings("slug")) }
        #expect(names.first == ["netflix", "net-flix-2"])
        #expect(pairs.first?["score"]?.integerValue == 100)
        #expect(names.contains(["netflix", "netfix"]))
        #expect(!names.contains(["canal-1", "canal-2"]), "they differ on purpose")
        #expect(try server.admin(.moderator, "GET", Self.admin + "/duplicates?min_score=100").items().count == 1)
        var seen = 0
        var target: String? = Self.admin + "/duplicates?limit=1&min_score=60"
        while let next = target {
            let page = try server.admin(.moderator, "GET", next)
            seen += try page.items().count
            target = page["Link"].map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        #expect(seen == (try server.admin(.moderator, "GET", Self.admin + "/duplicates?min_score=60").items().count))
    }

    /// Comparing names takes long, so waiting requests would leave no worker for devices.
    @Test func comparesNamesForOneRequestAtATime() throws {
        let server = try server(
            (0..<200).map { number in
                var draft = CatalogueDraft.sample("Streaming service \(number)", slug: "service-\(number)")
                draft.aliases = (0..<8).map { "Streaming service number \(number) alias \($0)" }
                return draft
            })
        defer { server.end() }
        let calls = (0..<20).map { _ in
            OwnThread { try server.admin(.moderator, "GET", Self.admin + "/duplicates?limit=1") }
        }
        #expect(eventually { calls.contains { $0.hasEnded } })
        #expect(try server.get("/api/v1/catalogue?limit=1").status == 200)
        let answers = try calls.map { try $0.value(timeoutSeconds: 60) }
        #expect(answers.contains { $0.status == 200 })
        // Those that found no slot free.
        for answer in answers where answer.status != 200 {
            try server.expectProblem(answer, .overloaded)
            #expect(answer["Retry-After"] == "2")
        }
        // Afterwards the result is there for all.
        #expect(try server.admin(.moderator, "GET", Self.admin + "/duplicates?limit=1").status == 200)
    }

    @Test func forgetsPairsThatAreNoDuplicates() throws {
        let server = try server([.sample("Netfix", slug: "netfix"), .sample("NET-FLIX", slug: "net-flix-2")])
        defer { server.end() }
        let (first, second) = (
            try server.item("netflix").id.lowercased, try server.item("net-flix-2").id.lowercased
        )
        func listed() throws -> [Set<String>] {
            try server.admin(.moderator, "GET", Self.admin + "/duplicates").items()
                .map { Set(($0["items"]?.arrayValue ?? []).strings("id")) }
        }
        let before = try listed()
        #expect(before.first == [first, second])
        // In the other order, twice.
        for _ in 0..<2 {
            let body = #"{"first":"\#(second)","second":"\#(first)"}"#
            #expect(try server.admin(.editor, "POST", Self.admin + "/duplicates/dismiss", json: body).status == 204)
        }
        #expect(try listed() == Array(before.dropFirst()))
        let page = try server.admin(.moderator, "GET", Self.admin + "/duplicates?limit=1")
        #expect(try page.items().count == 1)
        let log = try server.admin(.owner, "GET", "/api/v1/admin/audit?action=duplicate.dismiss").items()
        #expect(log.count == 1 && log[0]["subject_id"]?.stringValue == second)
        let pair = #"{"first":"\#(first)","second":"\#(second)"}"#
        #expect(try server.admin(.editor, "POST", Self.admin + "/duplicates/restore", json: pair).status == 204)
        #expect(try listed() == before)
        for path in ["dismiss", "restore"] {
            let target = Self.admin + "/duplicates/" + path
            #expect(try server.admin(.moderator, "POST", target, json: pair).status == 403)
            try server.expectInvalid(
                try server.admin(
                    .editor, "POST", target, json: #"{"first":"\#(first)","second":"\#(makeID(404).lowercased)"}"#),
                [("#/second", "not_found")])
            try server.expectInvalid(
                try server.admin(.editor, "POST", target, json: #"{"first":"\#(first)","second":"\#(first)"}"#),
                [("#/second", "same_item")])
            try server.expectInvalid(
                try server.admin(.editor, "POST", target, json: #"{"first":"x"}"#),
                [("#/first", "invalid_id"), ("#/second", "required")])
        }
    }

    @Test func mergesEverythingThatNamesADuplicate() throws {
        let server = try server([
            .sample("Netfix", slug: "netfix", aliases: ["Nét fix “12.34”"]), .sample("Netflx", slug: "netflx"),
        ])
        defer { server.end() }
        let (primary, first, second) = (
            try server.item("netflix").id.lowercased, try server.item("netfix").id.lowercased,
            try server.item("netflx").id.lowercased
        )
        // An earlier merge, whose old id must redirect to the new primary.
        let early = try server.admin(
            .editor, "POST", "\(Self.admin)/\(first)/merge", json: #"{"duplicate_ids":["\#(second)"]}"#)
        #expect(early.status == 200)
        for (number, id) in [(1, first), (2, second), (3, primary)] {
            try server.post(
                "/api/v1/analytics",
                EventText(
                    UInt64(number), "subscription_added", properties: #"{"catalogue_item_id":"\#(id)"}"#
                ).text.replacing("{\"id\"", with: "[{\"id\"") + "]")
        }
        let token = try server.get("/api/v1/catalogue?limit=500").json()["sync_token"]?.stringValue ?? ""
        let merged = try server.admin(
            .editor, "POST", "\(Self.admin)/\(primary)/merge", json: #"{"duplicate_ids":["\#(first)"]}"#)
        #expect(merged.status == 200)
        let aliases = try merged.json()["aliases"]?.arrayValue?.compactMap(\.stringValue)
        #expect(aliases == ["Netflix Premium", "Netfix", "Nét fix “12.34”", "Netflx"])
        for id in [first, second] {
            let moved = try server.get("/api/v1/catalogue/\(id)")
            #expect(moved.status == 301)
            #expect(moved["Location"] == "/api/v1/catalogue/\(primary)")
            #expect(try server.admin(.editor, "GET", "\(Self.admin)/\(id)")["Location"] == "\(Self.admin)/\(primary)")
        }
        let delta = try server.get("/api/v1/catalogue?since=\(token)").json()
        let deleted = delta["deleted"]?.arrayValue ?? []
        #expect(Set(deleted.strings("id")) == [first, second])
        #expect(Set(deleted.strings("merged_into")) == [primary])
        let ranking = try server.admin(.analyst, "GET", "/api/v1/admin/ranking").items()
        #expect(ranking.first?["id"]?.stringValue == primary)
        #expect(ranking.first?["count"]?.integerValue == 3)
        #expect(try FigureVerifier(context: server.outside.context).verify().agrees)
        // Old ids redirect permanently.
        server.clock.advance(by: .seconds(400 * 86_400))
        try CatalogueStore(context: server.outside.context).purgeTombstones(
            olderThan: UTCInstant(millisecondsSinceEpoch: server.clock.now))
        #expect(try server.get("/api/v1/catalogue/\(second)").status == 301)
        let audit = try server.admin(.owner, "GET", "/api/v1/admin/audit?action=catalogue.merged").items()
        #expect(audit.compactMap { $0["after"]?["merged_into"]?.stringValue } == [primary, first])
    }

    @Test func refusesAMergeWholeWhenAPartIsWrong() throws {
        let server = try TestServer()
        defer { server.end() }
        let (netflix, disney) = (try server.item("netflix").id.lowercased, try server.item("disney-plus").id.lowercased)
        let nobody = makeID(404).lowercased
        let target = "\(Self.admin)/\(netflix)/merge"
        try server.expectInvalid(
            try server.admin(
                .editor, "POST", target, json: #"{"duplicate_ids":["\#(disney)","\#(netflix)","\#(nobody)"]}"#),
            [("#/duplicate_ids/1", "same_item"), ("#/duplicate_ids/2", "not_found")])
        try server.expectInvalid(
            try server.admin(
                .editor, "POST", target, json: #"{"duplicate_ids":["\#(disney)","\#(disney)",7,null,"x"]}"#),
            [
                ("#/duplicate_ids/1", "duplicate"), ("#/duplicate_ids/2", "invalid_type"),
                ("#/duplicate_ids/3", "required"), ("#/duplicate_ids/4", "invalid_id"),
            ])
        try server.expectInvalid(
            try server.admin(.editor, "POST", target, json: #"{"duplicate_ids":[]}"#),
            [("#/duplicate_ids", "out_of_range")])
        try server.expectProblem(
            try server.admin(
                .editor, "POST", target, json: #"{"duplicate_ids":["\#(disney)"]}"#, "If-Match: \"r999\""),
            .preconditionFailed)
        #expect(try server.get("/api/v1/catalogue/\(disney)").status == 200)
    }

    @Test func undoesAnythingAndTheUndoing() throws {
        let server = try TestServer()
        defer { server.end() }
        let (netflix, disney) = (try server.item("netflix").id.lowercased, try server.item("disney-plus").id.lowercased)
        let undo = "\(Self.admin)/\(netflix)/undo"
        try server.admin(.editor, "PATCH", "\(Self.admin)/\(netflix)", json: #"{"typical_amount":"12.34"}"#)
        #expect(try server.admin(.editor, "POST", undo).json()["typical_amount"]?.stringValue == "13.49")
        #expect(try server.admin(.editor, "POST", undo).json()["typical_amount"]?.stringValue == "12.34")
        // Undo of a deletion, and of a merge through the duplicate's id, which restores both.
        #expect(try server.admin(.editor, "DELETE", "\(Self.admin)/\(netflix)").status == 204)
        #expect(try server.admin(.editor, "POST", undo).json()["name"]?.stringValue == "Netflix")
        #expect(try server.get("/api/v1/catalogue/\(netflix)").status == 200)
        try server.admin(
            .editor, "POST", "\(Self.admin)/\(netflix)/merge", json: #"{"duplicate_ids":["\#(disney)"]}"#)
        let back = try server.admin(.editor, "POST", "\(Self.admin)/\(disney)/undo")
        #expect(try back.json()["slug"]?.stringValue == "disney-plus")
        #expect(try server.get("/api/v1/catalogue/\(disney)").status == 200)
        // Any version can be restored, by its number in the history.
        let history = try server.admin(.moderator, "GET", "\(Self.admin)/\(netflix)/history").items()
        #expect(history.strings("action").prefix(2) == ["catalogue.undo", "catalogue.merge"])
        #expect(history.strings("action").last == "catalogue.insert")
        // The author is only visible with permission to read the audit log.
        #expect(
            history.allSatisfy { row in
                ["actor", "token_id", "request_id"].allSatisfy { row[$0]?.isNull == true }
            })
        let full = try server.admin(.owner, "GET", "\(Self.admin)/\(netflix)/history").items()
        #expect(full.first?["actor"]?.stringValue == "Zoë, editor")
        #expect(full.first?["token_id"]?.isNull == false)
        let update = try #require(history.first { $0["action"]?.stringValue == "catalogue.update" })
        let sequence = try #require(update["sequence"]?.integerValue)
        let older = try server.admin(.editor, "POST", undo, json: #"{"sequence":\#(sequence)}"#).json()
        #expect(older["typical_amount"]?.stringValue == "13.49")
        #expect(older["aliases"]?.arrayValue?.count == 1)
        try server.expectProblem(try server.admin(.editor, "POST", undo, json: #"{"sequence":1}"#), .notFound)
        let insert = try #require(history.last?["sequence"]?.integerValue)
        #expect(try server.admin(.editor, "POST", undo, json: #"{"sequence":\#(insert)}"#).status == 204)
        #expect(try server.get("/api/v1/catalogue/\(netflix)").status == 404)
    }

    /// Whichever item it is undone from, all of them are as before, with what referred to them.
    @Test(arguments: [true, false])
    func undoingAMergeRestoresAllItsItems(isFromPrimary: Bool) throws {
        let server = try server([.sample("Older", slug: "older"), .sample("Double", slug: "double", aliases: ["Dbl"])])
        defer { server.end() }
        let (primary, double, older) = (
            try server.item("netflix").id.lowercased, try server.item("double").id.lowercased,
            try server.item("older").id.lowercased
        )
        func names(_ id: String) throws -> [String] {
            try server.get("/api/v1/catalogue/\(id)").json()["aliases"]?.arrayValue?.compactMap(\.stringValue) ?? []
        }
        func merge(_ id: String, into other: String) throws {
            let merged = try server.admin(
                .editor, "POST", "\(Self.admin)/\(other)/merge", json: #"{"duplicate_ids":["\#(id)"]}"#)
            #expect(merged.status == 200)
        }
        func itemOfSuggestion() throws -> [String] {
            try server.admin(.moderator, "GET", "/api/v1/admin/suggestions?status=approved").items().strings("item_id")
        }
        #expect(
            try server.post("/api/v1/suggestions", #"{"id":"\#(makeID(1).lowercased)","name":"Duoble"}"#).status < 300)
        let group = try #require(
            try server.admin(.moderator, "GET", "/api/v1/admin/suggestions").items().first?["id"]?.stringValue)
        let approved = try server.admin(
            .moderator, "POST", "/api/v1/admin/suggestions/\(group)/approve", json: #"{"merge_into":"\#(double)"}"#)
        #expect(approved.status == 200)
        try merge(older, into: double)
        let before = (try names(primary), try names(double))
        try merge(double, into: primary)
        #expect(try names(primary).contains("Dbl"))
        #expect(try itemOfSuggestion() == [primary])
        let undo = "\(Self.admin)/\(isFromPrimary ? primary : double)/undo"
        #expect(try server.admin(.editor, "POST", undo).status == 200)
        #expect(try names(primary) == before.0)
        #expect(try names(double) == before.1)
        #expect(try itemOfSuggestion() == [double])
        let moved = try server.get("/api/v1/catalogue/\(older)")
        #expect(moved.status == 301 || moved.status == 308)
        expect(moved["Location"] ?? "", contains: [double])
        // The undo can be undone: they are merged again.
        _ = try server.admin(.editor, "POST", undo)
        #expect(try names(primary).contains("Dbl"))
        #expect(try server.get("/api/v1/catalogue/\(double)")["Location"]?.contains(primary) == true)
        #expect(try itemOfSuggestion() == [primary])
    }

    @Test func refusesAnUndoWhoseSlugIsTaken() throws {
        let server = try TestServer()
        defer { server.end() }
        let netflix = try server.item("netflix").id.lowercased
        try server.admin(.editor, "PATCH", "\(Self.admin)/\(netflix)", json: #"{"slug":"netflix-2"}"#)
        try server.admin(
            .editor, "PATCH", "\(Self.admin)/\(try server.item("spotify").id.lowercased)", json: #"{"slug":"netflix"}"#)
        try server.expectProblem(try server.admin(.editor, "POST", "\(Self.admin)/\(netflix)/undo"), .slugTaken)
    }

    @Test func filtersAndTiesACursorToItsFilters() throws {
        let server = try TestServer()
        defer { server.end() }
        #expect(
            try server.admin(.editor, "GET", Self.admin + "?currency=JPY").items().strings("slug") == ["cafe-gourmand"])
        #expect(
            try server.admin(.editor, "GET", Self.admin + "?billing_cycle=yearly&q=EQUIPE").items().count == 1)
        #expect(try server.admin(.editor, "GET", Self.admin + "?has_logo=true").items().isEmpty)
        #expect(try server.admin(.editor, "GET", Self.admin + "?category=no_such").items().isEmpty)
        try server.expectInvalid(
            try server.admin(.editor, "GET", Self.admin + "?currency=jpy&billing_cycle=every:0m"),
            [("currency", "unknown_currency"), ("billing_cycle", "unknown_cycle")])
        let page = try server.admin(.editor, "GET", Self.admin + "?limit=1&category=press")
        let cursor = try #require(try page.json()["next_cursor"]?.stringValue)
        try server.expectInvalid(
            try server.admin(.editor, "GET", Self.admin + "?limit=1&category=music&cursor=\(cursor)"),
            [("cursor", "invalid_cursor")])
        let device = try server.get("/api/v1/catalogue?limit=1&category=press").json()["next_cursor"]?.stringValue
        try server.expectInvalid(
            try server.get("/api/v1/catalogue?limit=1&cursor=\(try #require(device))"), [("cursor", "invalid_cursor")])
    }

    /// RFC 9110 section 13.1.1 has no exception for GET.
    @Test func heedsIfMatchOnGET() throws {
        let server = try TestServer()
        defer { server.end() }
        let target = "\(Self.admin)/\(try server.item("netflix").id.lowercased)"
        let tag = try server.admin(.editor, "GET", target).etag()
        #expect(try server.admin(.editor, "GET", target, "If-Match: \(tag)").status == 200)
        try server.expectProblem(
            try server.admin(.editor, "GET", target, "If-Match: \"r0\""), .preconditionFailed)
        #expect(try server.get("/api/v1/catalogue").status == 200)
        try server.expectProblem(try server.get("/api/v1/catalogue", "If-Match: \"x\""), .preconditionFailed)
    }
}

import Catalogue
import Foundation
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@testable import BackendHTTP

@Suite struct CatalogueSyncTests {
    private static let list = "/api/v1/catalogue"

    /// Reads all pages; returns the slugs in order, and the token of the last page.
    private func walk(_ server: TestServer, limit: Int, _ query: String = "") throws -> (slugs: [String], token: String)
    {
        var slugs: [String] = []
        var cursor = ""
        while true {
            let page = try server.get("\(Self.list)?limit=\(limit)\(query)\(cursor)").json()
            slugs += (page["items"]?.arrayValue ?? []).strings("slug")
            guard let next = page["next_cursor"]?.stringValue else {
                return (slugs, try #require(page["sync_token"]?.stringValue))
            }
            #expect(page["sync_token"] == nil, "only the last page carries the token")
            cursor = "&cursor=\(next)"
        }
    }

    @Test(arguments: [1, 3, 500]) func visitsEachItemOnceWhateverThePageSize(limit: Int) throws {
        let server = try TestServer()
        defer { server.end() }
        #expect(try walk(server, limit: limit).slugs == CatalogueDraft.starter.map(\.slug).sorted())
    }

    @Test func tellsWhatChangedInTheOrderOfTheChanges() throws {
        let server = try TestServer()
        defer { server.end() }
        let token = try walk(server, limit: 500).token
        let quiet = try server.get("\(Self.list)?since=\(token)").json()
        #expect(quiet["items"]?.arrayValue == [] && quiet["deleted"]?.arrayValue == [])
        #expect(quiet["sync_token"]?.stringValue == token)

        let spotify = try server.item("spotify").id.lowercased
        let netflix = try server.item("netflix").id.lowercased
        let created = try server.admin(
            .editor, "POST", "/api/v1/admin/catalogue",
            json:
                #"""
                {"name":"Qobuz","category":"music","typical_amount":"12.34","currency":"EUR","billing_cycle":"monthly"}
                """#
        )
        #expect(created.status == 201)
        #expect(try server.admin(.editor, "DELETE", "/api/v1/admin/catalogue/\(spotify)").status == 204)
        #expect(
            try server.admin(.editor, "PATCH", "/api/v1/admin/catalogue/\(netflix)", json: #"{"notice_days":29}"#)
                .status
                == 200)

        let delta = try server.get("\(Self.list)?since=\(token)").json()
        #expect((delta["items"]?.arrayValue ?? []).strings("slug") == ["qobuz", "netflix"])
        #expect((delta["deleted"]?.arrayValue ?? []).strings("id") == [spotify])
        #expect(delta["deleted"]?[0]?["merged_into"]?.isNull == true)

        let first = try server.get("\(Self.list)?since=\(token)&limit=2").json()
        #expect((first["items"]?.arrayValue ?? []).strings("slug") == ["qobuz"])
        #expect(first["sync_token"] == nil)
        let cursor = try #require(first["next_cursor"]?.stringValue)
        let second = try server.get("\(Self.list)?since=\(token)&limit=2&cursor=\(cursor)").json()
        #expect((second["items"]?.arrayValue ?? []).strings("slug") == ["netflix"])
        #expect(second["sync_token"] == delta["sync_token"])
    }

    @Test func findsAChangeDuringThePagingWithTheTokenOfItsEnd() throws {
        let server = try TestServer()
        defer { server.end() }
        let first = try server.get("\(Self.list)?limit=3").json()
        let cafe = try server.item("cafe-gourmand").id.lowercased
        #expect(
            try server.admin(.owner, "PATCH", "/api/v1/admin/catalogue/\(cafe)", json: #"{"category":"press"}"#).status
                == 200)
        let cursor = try #require(first["next_cursor"]?.stringValue)
        let last = try server.get("\(Self.list)?limit=500&cursor=\(cursor)").json()
        let token = try #require(last["sync_token"]?.stringValue)
        let delta = try server.get("\(Self.list)?since=\(token)").json()
        #expect((delta["items"]?.arrayValue ?? []).strings("slug") == ["cafe-gourmand"])
    }

    @Test func tellsACopyOfAFilterWhatLeftIt() throws {
        let server = try TestServer()
        defer { server.end() }
        let (slugs, token) = try walk(server, limit: 1, "&category=press")
        #expect(slugs == ["l-equipe", "le-monde"])
        let monde = try server.item("le-monde").id.lowercased
        _ = try server.admin(.owner, "PATCH", "/api/v1/admin/catalogue/\(monde)", json: #"{"category":"books"}"#)
        let delta = try server.get("\(Self.list)?category=press&since=\(token)").json()
        #expect(delta["items"]?.arrayValue == [])
        #expect((delta["deleted"]?.arrayValue ?? []).strings("id") == [monde])
    }

    /// Another server of the same database has made a change, and given its token, before this one has seen it.
    @Test func knowsATokenThatAnotherServerGave() throws {
        let server = try TestServer()
        defer { server.end() }
        _ = try walk(server, limit: 500)
        let context = server.outside.context
        try CatalogueStore(context: context).delete(try server.item("netflix").id, ifRevision: nil, by: .setup)
        let view = try CataloguePublisher(store: CatalogueStore(context: context)).view
        let token = SyncToken(epoch: view.epoch, revision: view.revision).text
        let delta = try server.get("\(Self.list)?since=\(token)")
        #expect(delta.status == 200)
        #expect(try delta.json()["items"]?.arrayValue == [])
        let future = SyncToken(epoch: view.epoch, revision: view.revision + 1).text
        try server.expectProblem(try server.get("\(Self.list)?since=\(future)"), .syncTokenExpired)
    }

    @Test func sendsDevicesBackToTheStartWhenATokenIsTooOldOrForeign() throws {
        let server = try TestServer()
        let other = try TestServer()
        defer {
            other.end()
            server.end()
        }
        let token = try walk(server, limit: 500).token
        try server.expectProblem(
            try server.get("\(Self.list)?since=\(try walk(other, limit: 500).token)"), .syncTokenExpired)

        // A purged deletion can no longer be reported.
        let store = CatalogueStore(context: server.outside.context)
        try store.delete(try server.item("netflix").id, ifRevision: nil, by: .setup)
        server.clock.advance(by: .seconds(1))
        try store.purgeTombstones(olderThan: server.outside.context.now())
        #expect(
            try eventually { try server.get("\(Self.list)?since=\(token)").status == 410 }, "seen within seconds")
        try server.expectProblem(try server.get("\(Self.list)?since=\(token)"), .syncTokenExpired)
    }

    /// An unreadable token is handled like an expired one, because the device must drop both.
    @Test func sendsDevicesBackToTheStartWhenATokenCannotBeRead() throws {
        let server = try TestServer()
        defer { server.end() }
        let token = try walk(server, limit: 500).token
        for unreadable in [
            "never", "", "bm8", "\(token)A", String(token.dropLast()), token.uppercased(), "%F0%9F%A6%8A",
            "12", String(repeating: "A", count: 4000),
        ] {
            let refused = try server.get("\(Self.list)?since=\(unreadable)")
            try server.expectProblem(refused, .syncTokenExpired)
            #expect(refused["ETag"] == nil)
        }
        // Any other fault of the request is reported, because starting over would not fix it.
        try server.expectInvalid(try server.get("\(Self.list)?since=never&limit=0"), [("limit", "out_of_range")])
        #expect(try server.get("\(Self.list)?since=\(token)").status == 200)
    }

    @Test func refusesCursorsAndBoundsThatMakeNoSense() throws {
        let server = try TestServer()
        defer { server.end() }
        try server.expectInvalid(try server.get("\(Self.list)?cursor=bm8"), [("cursor", "invalid_cursor")])
        for limit in ["0", "501", "-1", "1.5", "ten", ""] {
            try server.expectInvalid(try server.get("\(Self.list)?limit=\(limit)"), [("limit", "out_of_range")])
        }
        try server.expectInvalid(
            try server.get("\(Self.list)?page=2&limit=1&limit=2"),
            [("limit", "duplicate"), ("page", "unknown_parameter")])
    }

    @Test func redirectsAMergedItemToItsPrimary() throws {
        let server = try TestServer()
        defer { server.end() }
        let (duplicate, primary) = (try server.item("spotify").id, try server.item("netflix").id)
        try CatalogueStore(context: server.outside.context)
            .merge([duplicate], into: primary, ifRevision: nil, by: .setup)
        let target = "\(Self.list)/\(duplicate.lowercased)"
        #expect(try eventually { try server.get(target).status == 301 })
        #expect(try server.get(target)["Location"] == "\(Self.list)/\(primary.lowercased)")
    }

    @Test func searchesWithTyposAccentsAndAliases() throws {
        let server = try TestServer()
        defer { server.end() }
        for (query, slug) in [
            ("netflx", "netflix"), ("ENTFLIX", "netflix"), ("equipe", "l-equipe"), ("nuage", "icloud-plus"),
            ("disn", "disney-plus"), ("cin%C3%A9", "cine-ocs"),
        ] {
            let found = try server.get("\(Self.list)/search?q=\(query)&limit=1").items()
            #expect(found.strings("slug") == [slug], "\(query)")
            #expect(found.first?["score"]?.integerValue ?? 0 > 0)
        }
        try server.expectInvalid(try server.get("\(Self.list)/search"), [("q", "required")])
    }
}

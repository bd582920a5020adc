import BackendHTTP
import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct CatalogueEditingTests {
    private static let admin = "/api/v1/admin/catalogue"
    private static let deezer = #"""
        {"name":"Deezer “Été” 🎧","category":"music","typical_amount":"11.99","currency":"EUR","billing_cycle":"monthly"}
        """#

    /// Oldest first.
    private func audit(_ server: TestServer) throws -> [AuditEntry] {
        try AuditLog(context: server.outside.context).list(after: nil, limit: 500).sorted { $0.sequence < $1.sequence }
    }

    @Test func recordsEachChangeWithItsRequest() throws {
        let server = try TestServer()
        defer { server.end() }
        let before = try audit(server).count
        let created = try server.admin(.editor, "POST", Self.admin, json: Self.deezer, "X-Request-Id: leap-29-02")
        #expect(created.status == 201)
        let item = try created.json()
        let id = try #require(item["id"]?.stringValue)
        #expect(created["Location"] == "\(Self.admin)/\(id)")
        #expect(item["slug"]?.stringValue == "deezer-ete")
        #expect(try server.get("/api/v1/catalogue/\(id)").status == 200, "devices see it at once")
        let changed = try server.admin(.editor, "PATCH", "\(Self.admin)/\(id)", json: #"{"typical_amount":"12.34"}"#)
        #expect(try changed.json()["typical_amount"]?.stringValue == "12.34")
        #expect(try server.admin(.editor, "DELETE", "\(Self.admin)/\(id)").status == 204)
        try server.expectProblem(try server.admin(.editor, "GET", "\(Self.admin)/\(id)"), .notFound)

        let entries = try audit(server).dropFirst(before)
        #expect(entries.map(\.change.action) == ["catalogue.insert", "catalogue.update", "catalogue.delete"])
        #expect(entries.first?.change.actor.requestID == "leap-29-02")
        #expect(entries.allSatisfy { $0.change.actor.name == "Zoë, editor" })
        #expect(entries.last?.change.before?.contains("12.34") == true)
    }

    @Test func refusesWhatBreaksARuleWithoutATrace() throws {
        let server = try TestServer()
        defer { server.end() }
        let before = try audit(server).count
        try server.expectInvalid(
            try server.admin(.owner, "POST", Self.admin, json: #"{"name":7,"colour~/é":1,"typical_amount":"1.234"}"#),
            [
                ("#/colour~0~1%C3%A9", "unknown_field"), ("#/name", "invalid_type"), ("#/category", "required"),
                ("#/currency", "required"), ("#/billing_cycle", "required"),
            ])
        try server.expectProblem(
            try server.admin(
                .owner, "POST", Self.admin, json: Self.deezer.replacing("{", with: #"{"slug":"netflix","#)), .slugTaken)
        let amounts = Self.deezer.replacing("EUR", with: "E").replacing("11.99", with: "1,2")
        try server.expectInvalid(
            try server.admin(.owner, "POST", Self.admin, json: amounts),
            [("#/currency", "unknown_currency"), ("#/typical_amount", "invalid_amount")])
        let netflix = try server.item("netflix").id.lowercased
        try server.expectInvalid(
            try server.admin(.owner, "PATCH", "\(Self.admin)/\(netflix)", json: #"{"currency":"JPY"}"#),
            [("#/typical_amount", "too_many_decimals")])
        try server.expectInvalid(
            try server.admin(.owner, "PATCH", "\(Self.admin)/\(netflix)", json: "{}"), [("#", "required")])
        let nulls = ["name", "slug", "category", "typical_amount", "currency", "billing_cycle", "aliases"]
        let json = "{\(nulls.map { "\"\($0)\":null" }.joined(separator: ","))}"
        try server.expectInvalid(
            try server.admin(.owner, "PATCH", "\(Self.admin)/\(netflix)", json: json),
            nulls.map { ("#/\($0)", "required") })
        let long = String(repeating: "é", count: 121)
        try server.expectInvalid(
            try server.admin(
                .owner, "PATCH", "\(Self.admin)/\(netflix)", json: #"{"name":"\#(long)","aliases":["\#(long)"]}"#),
            [("#/name", "out_of_range"), ("#/aliases/0", "out_of_range")])
        #expect(try audit(server).count == before)
    }

    @Test func letsOneOfTwoRacingEditorsWin() throws {
        let server = try TestServer()
        defer { server.end() }
        let target = "\(Self.admin)/\(try server.item("netflix").id.lowercased)"
        let tag = try server.admin(.editor, "GET", target).etag()
        let won = try server.admin(.editor, "PATCH", target, json: #"{"notice_days":7}"#, "If-Match: \(tag)")
        #expect(won.status == 200)
        #expect(try won.etag() != tag)
        try server.expectProblem(
            try server.admin(.editor, "PATCH", target, json: #"{"notice_days":8}"#, "If-Match: \(tag)"),
            .preconditionFailed)
        try server.expectProblem(try server.admin(.editor, "DELETE", target, "If-Match: W/\(tag)"), .preconditionFailed)
        // The tag of the other coding identifies the same revision.
        let gzip = try won.etag().replacing("\"", with: "").appending("-gzip")
        #expect(
            try server.admin(.editor, "PATCH", target, json: #"{"notice_days":null}"#, "If-Match: \"x\", \"\(gzip)\"")
                .json()["notice_days"]?.isNull == true)
    }

    @Test func heedsIfNoneMatchWhereSomethingIsThere() throws {
        let server = try TestServer()
        defer { server.end() }
        let created = try server.admin(.owner, "POST", Self.admin, json: Self.deezer, "If-None-Match: *")
        #expect(created.status == 201 && !created.body.isEmpty)
        // RFC 9110 section 13.1.2: `If-None-Match: *` prevents a change to an existing item.
        let target = "\(Self.admin)/\(try server.item("netflix").id.lowercased)"
        try server.expectProblem(
            try server.admin(.owner, "PATCH", target, json: #"{"notice_days":3}"#, "If-None-Match: *"),
            .preconditionFailed)
    }

    @Test func pagesInEveryOrder() throws {
        let server = try TestServer()
        defer { server.end() }
        for (sort, slugs) in [
            ("slug", CatalogueDraft.starter.map(\.slug).sorted()),
            ("-slug", CatalogueDraft.starter.map(\.slug).sorted(by: >)),
        ] {
            var seen: [String] = []
            var cursor = ""
            repeat {
                let page = try server.admin(.moderator, "GET", "\(Self.admin)?sort=\(sort)&limit=3\(cursor)").json()
                seen += (page["items"]?.arrayValue ?? []).strings("slug")
                cursor = page["next_cursor"]?.stringValue.map { "&cursor=\($0)" } ?? ""
            } while !cursor.isEmpty
            #expect(seen == slugs)
        }
        try server.expectInvalid(
            try server.admin(.owner, "GET", "\(Self.admin)?sort=price"), [("sort", "unknown_value")])
    }
}

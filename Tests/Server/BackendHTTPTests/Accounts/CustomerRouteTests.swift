import BackendHTTP
import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Accounts for operators, and premium that they give.
@Suite struct CustomerRouteTests {
    private static let list = "/api/v1/admin/accounts"

    @Test func givesPremiumThatTheClientSees() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let access = try world.signIn("001.zoé-🦊", nonce: "n-1").access
        let before = try world.call("GET", "/api/v1/premium", access).json()
        let id = try #require(before["account_id"]?.stringValue)
        let listed = try world.server.admin(.owner, "GET", Self.list)
        #expect(listed.status == 200 && !listed.text.contains("001.zo"))
        let row = try #require(try listed.items().first)
        #expect(row.names == ["id", "created_on", "sign_in_hash", "premium", "granted"])
        #expect(row["id"]?.stringValue == id && row["created_on"]?.stringValue == "2026-11-20")
        #expect(row["sign_in_hash"]?.stringValue?.count == 64 && row["granted"]?.isNull == true)
        #expect(row["premium"]?["status"]?.stringValue == "none")

        let target = "\(Self.list)/\(id)/premium"
        let body = #"{"until":"2027-02-28","note":"  Élodie’s 💐 "}"#
        let key = "Idempotency-Key: g1"
        let given = try world.server.admin(.owner, "POST", target, json: body, key)
        #expect(given.status == 200)
        let granted = try #require(try given.json()["granted"])
        #expect(granted["until"]?.stringValue == "2027-02-28" && granted["note"]?.stringValue == "Élodie’s 💐")
        #expect(try world.server.admin(.owner, "POST", target, json: body, key)["Idempotency-Replayed"] == "true")
        let seen = try world.call("GET", "/api/v1/premium", access)
        let token = try #require(before["app_account_token"]?.stringValue)
        #expect(
            seen.text
                == #"""
                {"status":"active","product_id":null,"expires_at":"2027-03-01T00:00:00Z","environment":null,\#
                "source":"granted","account_id":"\#(id)","app_account_token":"\#(token)"}
                """#
        )
        let one = try world.server.admin(.owner, "GET", "\(Self.list)/\(id)")
        #expect(try one.json()["premium"]?["source"]?.stringValue == "granted" && one["ETag"] != nil)
        let audit = try world.server.admin(.owner, "GET", "/api/v1/admin/audit?subject_id=\(id)")
        #expect(try audit.items().map { $0["action"]?.stringValue } == ["premium.grant"])
        #expect(!audit.text.contains("lodie"))

        for _ in 0..<2 { #expect(try world.server.admin(.owner, "DELETE", target).status == 204) }
        #expect(try world.call("GET", "/api/v1/premium", access).json()["status"]?.stringValue == "none")
    }

    @Test func namesEachFault() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let access = try world.signIn(nonce: "n-1").access
        let id = try #require(try world.call("GET", "/api/v1/premium", access).json()["account_id"]?.stringValue)
        let target = "\(Self.list)/\(id)/premium"
        for (body, faults) in [
            (#"{"until":"2026-11-19"}"#, [("#/until", "out_of_range")]),
            (#"{"until":"2027-02-29","note":" "}"#, [("#/until", "invalid_day"), ("#/note", "required")]),
            (
                #"{"note":"a\u0000","forever":true}"#,
                [
                    ("#/forever", "unknown_field"), ("#/until", "required"), ("#/note", "invalid_characters"),
                ]
            ),
        ] {
            try world.server.expectInvalid(try world.server.admin(.owner, "POST", target, json: body), faults)
        }
        let nobody = "\(Self.list)/\(makeID(9).lowercased)"
        try world.server.expectProblem(
            try world.server.admin(.owner, "POST", nobody + "/premium", json: #"{"until":"2026-11-20"}"#), .notFound)
        try world.server.expectProblem(try world.server.admin(.owner, "DELETE", nobody + "/premium"), .notFound)
        try world.server.expectProblem(try world.server.admin(.owner, "GET", nobody), .notFound)
        #expect(try world.server.admin(.owner, "GET", "\(Self.list)?id=\(makeID(9).lowercased)").items().isEmpty)
        for role in [Role.editor, .moderator, .analyst] {
            try world.server.expectProblem(try world.server.admin(role, "GET", Self.list), .forbidden)
        }
    }

    @Test func pagesWithoutGaps() throws {
        let world = try AppleWorld()
        defer { world.end() }
        for number in 0..<5 { _ = try world.signIn("s\(number)", nonce: "n\(number)") }
        var seen: [String] = []
        var cursor = ""
        repeat {
            let page = try world.server.admin(.owner, "GET", "\(Self.list)?limit=2\(cursor)")
            seen += try page.items().compactMap { $0["id"]?.stringValue }
            let next = try page.json()["next_cursor"]?.stringValue
            cursor = next.map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        #expect(seen.count == 5 && Set(seen).count == 5)
    }
}

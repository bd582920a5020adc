import BackendHTTP
import EventLog
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct AnalyticsErasureTests {
    private static let target = "/api/v1/analytics/erasure"

    @Test func makesEventsAnonymousWithinSeconds() throws {
        let server = try TestServer()
        defer { server.end() }
        #expect(
            try server.post("/api/v1/analytics", [EventText(1, user: 1), EventText(2, user: 2)].text).status == 202)
        let body = #"{"user_id":"\#(EventText.user(1))"}"#
        for _ in 0..<2 { #expect(try server.post(Self.target, body).status == 202) }
        func users() throws -> Set<UserHash> {
            var users: Set<UserHash> = []
            try server.outside.context.store.read { session in
                try EventLogReader.forEach(in: session) { users.insert($0.userID) }
            }
            return users
        }
        let digits = Array(EventText.user(1).utf8)
        let old = try #require(digits.withUnsafeBytes { UserHash(hexadecimal: $0) })
        #expect(try eventually { try !users().contains(old) })
        #expect(try users().count == 2)
    }

    @Test func takesNothingButAHash() throws {
        let server = try TestServer()
        defer { server.end() }
        for bad in ["", "A5", EventText.user(1).uppercased(), EventText.user(1) + "0", "é"] {
            let code = bad.isEmpty ? "required" : "invalid_user_id"
            try server.expectInvalid(
                try server.post(Self.target, #"{"user_id":"\#(bad)"}"#), [("#/user_id", code)])
        }
        try server.expectInvalid(
            try server.post(Self.target, #"{"user_id":null,"name":"x"}"#),
            [("#/name", "unknown_field"), ("#/user_id", "required")])
    }
}

import EventLog
import HTTPServer
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Telemetry
import TestKit
import Testing

@testable import BackendHTTP

/// Limits on the disk space of a batch, and on the number of new users.
@Suite struct IngestAllowanceTests {
    private static let target = "/api/v1/analytics"
    /// The minimum values of the settings.
    private static let settings = [
        "new_users_per_hour": "37500", "event_units_per_minute": "50000",
        "ingest_posthog_key": "phc_key", "trusted_proxies": "127.0.0.1",
    ]

    /// One event for each of `count` users, starting at a number.
    private func newcomers(_ first: Int, count: Int) -> String {
        (first..<first + count).map { EventText(UInt64(1_000_000 + $0), user: $0) }.text
    }

    private func events(_ first: UInt64, count: Int, user: Int = 1) -> String {
        (0..<UInt64(count)).map { EventText(first + $0, user: user) }.text
    }

    private func stored(_ server: TestServer) throws -> Int {
        var count = 0
        try server.outside.context.store.read { try EventLogReader.forEach(in: $0) { _ in count += 1 } }
        return count
    }

    @Test func limitsTheUsersThatAClientMakesUp() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        for batch in 0..<5 {
            #expect(try server.post(Self.target, newcomers(1000 * batch, count: 1000)).status == 202)
        }
        let refused = try server.post(Self.target, newcomers(4_999, count: 2))
        try server.expectProblem(refused, .rateLimited)
        #expect(refused["RateLimit-Policy"] == #""new_users";q=5000;w=3600"#)
        #expect(refused["RateLimit"] == #""new_users";r=0;t=1"#)
        #expect(refused["Retry-After"] == "1")
        #expect(try stored(server) == 5000, "nothing of a refused batch is stored")
        #expect(try server.post(Self.target, events(1, count: 3, user: 4_999)).status == 202, "known users go on")
        let others = try server.post(Self.target, newcomers(9_000, count: 1), "X-Forwarded-For: 203.0.113.9")
        #expect(others.status == 202, "other clients have allowances of their own")
        server.clock.advance(by: .seconds(3600))
        #expect(try server.post(Self.target, newcomers(4_999, count: 2)).status == 202)
    }

    /// Those of one millisecond are counted together when it has come, so a client may not collect millions.
    @Test func limitsEventsDatedAhead() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        func ahead(_ first: UInt64, count: Int, at moment: String = "2026-11-21T09:59:00Z") -> String {
            (0..<UInt64(count)).map { EventText(first + $0, at: moment) }.text
        }
        for batch in 0..<2 {
            #expect(try server.post(Self.target, ahead(UInt64(10_000 * (batch + 1)), count: 1000)).status == 202)
        }
        let refused = try server.post(Self.target, ahead(1, count: 3))
        try server.expectProblem(refused, .rateLimited)
        #expect(refused["RateLimit-Policy"] == #""events_ahead";q=2000;w=3600"#)
        #expect(try stored(server) == 2000)
        // A clock that is some minutes ahead is none of these.
        #expect(try server.post(Self.target, ahead(1, count: 3, at: "2026-11-20T10:09:59Z")).status == 202)
        let others = try server.post(Self.target, ahead(50_000, count: 1), "X-Forwarded-For: 203.0.113.9")
        #expect(others.status == 202)
        server.clock.advance(by: .seconds(3600))
        #expect(try server.post(Self.target, ahead(60_000, count: 3)).status == 202)
    }

    @Test func knowsTheUsersOfTheStore() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        let log = EventLog(context: server.outside.context)
        let batch = try EventParser.parse(
            Array(newcomers(20_000, count: 700).utf8), receivedAt: server.outside.context.now())
        _ = try log.append([batch])
        try log.settle()
        for batch in 0..<5 {
            #expect(try server.post(Self.target, newcomers(1000 * batch, count: 1000)).status == 202)
        }
        let known = (0..<700).map { EventText(UInt64(7_000_000 + $0), user: 20_000 + $0) }.text
        #expect(try server.post(Self.target, known).status == 202, "another process has stored them")
    }

    @Test func limitsWhatEventsTakeOnDiskAtEveryDoor() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        // One user without properties: every event takes one unit, including the first of a batch.
        for batch in 0..<40 {
            #expect(try server.post(Self.target, events(UInt64(10_000 * (batch + 1)), count: 1000)).status == 202)
        }
        let refused = try server.post(Self.target, events(1, count: 400))
        try server.expectProblem(refused, .rateLimited)
        #expect(refused["RateLimit-Policy"] == #""events";q=40000;w=60"#)
        let items = (1...400).map { number in
            #"{"event":"app_opened","uuid":"\#(makeID(UInt64(number)).lowercased)","distinct_id":"d1","#
                + #""timestamp":"2026-11-20T09:59:00Z"}"#
        }
        let batch = #"{"api_key":"phc_key","batch":[\#(items.joined(separator: ","))]}"#
        try server.expectProblem(try server.post("/batch/", batch), .rateLimited)
        #expect(try stored(server) == 40_000)
        server.clock.advance(by: .seconds(60))
        #expect(try server.post(Self.target, events(1, count: 1000)).status == 202)
        #expect(try server.post("/batch/", batch).status == 200)
    }

    /// A unit is 128 bytes; repeated values in a batch are stored once.
    @Test func countsWhatEventsTakeOnDisk() throws {
        func units(_ events: [EventText]) throws -> Int {
            try EventParser.parse(Array(events.text.utf8), receivedAt: try instant("2026-11-20T10:00:00Z")).storedUnits
        }
        let long = String(repeating: "v", count: 62)
        let full = #"{"app_version":"\#(long)","os_version":"\#(long)","platform":"\#(long)","locale":"fr-FR"}"#
        #expect(try units([EventText(1)]) == 1)
        #expect(try units([EventText(1), EventText(2), EventText(3)]) == 3)
        // Until its moment has come, an event dated ahead has a row of its own.
        #expect(try units([EventText(1, at: "2026-11-20T10:00:00Z")]) == 1)
        #expect(try units([EventText(1, at: "2026-11-20T10:00:00.001Z")]) == 4)
        #expect(try units([EventText(1, properties: full)]) == 4)
        #expect(try units([EventText(1, properties: full), EventText(2, properties: full)]) == 5)
        #expect(try units([EventText(1, "retention_d7", properties: full)]) == 3)
    }

    @Test func nothingIsLimitedWithoutLimits() throws {
        let server = try TestServer(settings: Self.settings.merging(["rate_limit_enabled": "false"]) { $1 })
        defer { server.end() }
        for batch in 0..<6 {
            #expect(try server.post(Self.target, newcomers(1000 * batch, count: 1000)).status == 202)
        }
    }

    @Test func inflatedBytesCountForTheirClient() throws {
        var setup = TestServer.Setup()
        setup.tune = { _, quotas in quotas.inflatedBytes = 1 << 20 }
        let server = try TestServer(setup)
        defer { server.end() }
        // 250 KB without a valid suggestion, which gzip compresses by less than a factor of 100.
        var random = SeededRandom(seed: 29)
        let blanks = random.bytes(250_000).map { UInt8(ascii: $0 < 16 ? "\n" : " ") }
        let call = HTTPCall(
            "POST", "/api/v1/suggestions", json: "[" + String(decoding: blanks, as: UTF8.self) + "]")
        for _ in 0..<5 { #expect(try server.exchange(call.gzipped()).status == 422) }
        let refused = try server.exchange(call.gzipped())
        try server.expectProblem(refused, .rateLimited)
        #expect(refused["RateLimit-Policy"] == #""inflated_bytes";q=1048576;w=60"#)
        #expect(try server.exchange(call).status == 422, "without a coding nothing is inflated")
        server.clock.advance(by: .seconds(60))
        #expect(try server.exchange(call.gzipped()).status == 422)
    }

    @Test func limitsTheDecisionsOfBulkCalls() throws {
        let server = try TestServer()
        defer { server.end() }
        // The ids are unknown, but each call gets a response, which is stored under its idempotency key.
        let ids = (0..<500).map { #""\#(makeID(UInt64($0)).lowercased)""# }.joined(separator: ",")
        let body = #"{"ids":[\#(ids)],"action":"reject"}"#
        var statuses: [Int] = []
        for _ in 0..<121 {
            statuses.append(
                try server.admin(.moderator, "POST", "/api/v1/admin/suggestions/bulk", json: body).status)
        }
        #expect(statuses.prefix(120).allSatisfy { $0 == 200 })
        #expect(statuses.last == 429)
        let refused = try server.admin(
            .owner, "POST", "/api/v1/admin/crashes/bulk", json: #"{"ids":[\#(ids)],"action":"delete"}"#)
        #expect(refused.status == 429, "the same allowance")
        #expect(refused["RateLimit-Policy"] == #""decisions";q=60000;w=3600"#)
        let one = #"{"ids":["\#(makeID(1).lowercased)"],"action":"reject"}"#
        server.clock.advance(by: .seconds(60))
        #expect(try server.admin(.moderator, "POST", "/api/v1/admin/suggestions/bulk", json: one).status == 200)
    }

    @Test func limitsSuggestionsCrashesAndErasuresToo() throws {
        let server = try TestServer()
        defer { server.end() }
        func status(_ target: String, _ json: String) throws -> (Int, String?) {
            let answer = try server.post(target, json)
            return (answer.status, answer["RateLimit-Policy"])
        }
        let sessions = (0..<100).map { number in
            #"""
            {"id":"\#(makeID(UInt64(number)).lowercased)","started_at":"2026-11-20T09:00:00Z","app_version":"1",\#
            "total":1,"crashed":0}
            """#
        }.joined(separator: ",")
        for _ in 0..<100 { #expect(try status("/api/v1/crashes", #"{"sessions":[\#(sessions)]}"#).0 == 202) }
        let crashes = try status("/api/v1/crashes", #"{"sessions":[\#(sessions)]}"#)
        #expect(crashes == (429, #""report_items";q=10000;w=3600"#))
    }
}

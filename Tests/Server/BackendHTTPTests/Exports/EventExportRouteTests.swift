import BackendHTTP
import EventLog
import Foundation
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Telemetry
import TestKit
import Testing

@Suite struct EventExportRouteTests {
    private static let target = "/api/v1/admin/events/export"

    private func send(_ events: [EventText], to server: TestServer) throws {
        let answer = try server.post("/api/v1/analytics", events.text)
        #expect(try answer.json()["rejected"]?.arrayValue?.isEmpty == true)
    }

    private func lines(_ response: RawResponse) throws -> [JSONValue] {
        #expect(response.status == 200, "\(response.text)")
        return try response.body.split(separator: UInt8(ascii: "\n")).map { try JSONValue.parse(Array($0)) }
    }

    private func audits(_ server: TestServer) throws -> [AuditEntry] {
        try AuditLog(context: server.outside.context).list(
            matching: AuditFilter(action: .eventsExport), after: nil, limit: 100)
    }

    @Test func streamsWhatDevicesSent() throws {
        let server = try TestServer()
        defer { server.end() }
        try send(
            [
                EventText(1, user: 1, at: "2026-11-19T23:59:59.999Z", properties: #"{"platform":"ios \"7\""}"#),
                EventText(2, "app_downloaded", user: 2, at: "2026-11-20T00:00:00Z"),
                EventText(3, user: 1, at: "2026-11-20T00:00:00+01:00"),
            ], to: server)
        let response = try server.admin(.owner, "GET", Self.target)
        let events = try lines(response)
        #expect(events.strings("id") == (1...3).map { makeID($0).lowercased })
        #expect(events.strings("name") == ["app_opened", "app_downloaded", "app_opened"])
        #expect(events.strings("timestamp")[2] == "2026-11-19T23:00:00Z")
        #expect(events[0]["properties"]?["platform"]?.stringValue == #"ios "7""#)
        #expect(events[0]["user"] == events[2]["user"] && events[0]["user"] != events[1]["user"])
        #expect(!response.text.contains(EventText.user(1)))
        #expect(response["Content-Type"] == "application/x-ndjson")
        #expect(response["Content-Disposition"] == #"attachment; filename="events.ndjson""#)
        #expect(response["Cache-Control"] == "no-store" && response["ETag"] == nil)
        guard case .chunked = response.framing else { return #expect(Bool(false), "\(response.framing)") }
        let day = try lines(try server.admin(.owner, "GET", Self.target + "?from=2026-11-20&to=2026-11-21"))
        #expect(day.strings("id") == [makeID(2).lowercased])
        let block = try #require(events[0]["block"]?.integerValue)
        let rest = try server.admin(.owner, "GET", Self.target + "?limit=1&after=\(block),\(makeID(1).lowercased)")
        #expect(try lines(rest).strings("id") == [makeID(2).lowercased])
        let entries = try audits(server)
        #expect(entries.count == 3)
        #expect(entries.first?.change.actor.requestID == rest["X-Request-Id"])
        #expect(
            entries[1].change.after
                == #"""
                {"format":"ndjson","from":"2026-11-20T00:00:00Z","to":"2026-11-21T00:00:00Z","after":null,\#
                "limit":null}
                """#
        )
    }

    @Test func comesAsATable() throws {
        let server = try TestServer()
        defer { server.end() }
        try send([EventText(1, properties: #"{"app_version":"=1+1"}"#), EventText(2)], to: server)
        let whole = try server.admin(.owner, "GET", Self.target + "?format=csv")
        #expect(whole["Content-Type"] == "text/csv; charset=utf-8; header=present")
        #expect(whole["Content-Disposition"] == #"attachment; filename="events.csv""#)
        let rows = whole.text.split(separator: "\r\n")
        #expect(rows.count == 3 && rows[0].hasPrefix("block,id,name,user,") && rows[1].contains(",'=1+1,"))
        let position = rows[1].split(separator: ",").prefix(2).joined(separator: ",")
        let rest = try server.admin(.owner, "GET", Self.target + "?format=csv&after=\(position)")
        #expect(rest["Content-Type"] == "text/csv; charset=utf-8; header=absent")
        #expect(rest.text == rows[2] + "\r\n")
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let marked = try server.admin(.owner, "GET", Self.target + "?format=csv&bom=true")
        #expect(marked.body.starts(with: mark) && marked.body.count == whole.body.count + 3)
        let continued = try server.admin(.owner, "GET", Self.target + "?format=csv&bom=true&after=\(position)")
        #expect(continued.body == rest.body, "appended, a mark would stand in the middle")
    }

    @Test func isOnlyForThosePermitted() throws {
        let server = try TestServer()
        defer { server.end() }
        try send([EventText(1)], to: server)
        for role in [Role.editor, .moderator, .analyst] {
            try server.expectProblem(try server.admin(role, "GET", Self.target), .forbidden)
        }
        try server.expectProblem(try server.get(Self.target), .unauthorized)
        #expect(try audits(server).isEmpty)
        let roles = #"{"items":[{"name":"scientist","permissions":["events.export"]}]}"#
        #expect(try server.admin(.owner, "PUT", "/api/v1/admin/roles", json: roles).status == 200)
        let token = try AccessTokenStore(context: server.outside.context)
            .create(role: "scientist", name: "Ada", expiresAt: nil, by: .setup).token
        let response = try server.get(Self.target, "Authorization: Bearer \(token)")
        #expect(try lines(response).count == 1)
        #expect(try audits(server).map(\.change.actor.name) == ["Ada"])
        try server.expectProblem(
            try server.get("/api/v1/admin/dashboard", "Authorization: Bearer \(token)"), .forbidden)
    }

    @Test func answersHeadWithoutAnEventAndOldClientsUntilTheEnd() throws {
        let server = try TestServer()
        defer { server.end() }
        try send([EventText(1), EventText(2)], to: server)
        let client = try server.connect()
        let call = HTTPCall("HEAD", Self.target, [try server.authorization(.owner)])
        try client.send(call.bytes)
        let head = try client.readResponse(to: "HEAD")
        #expect(head.status == 200 && head["Transfer-Encoding"] == "chunked" && head["Content-Length"] == nil)
        #expect(try audits(server).isEmpty, "no event was shown")
        try client.send("GET \(Self.target) HTTP/1.0\r\n\(try server.authorization(.owner))\r\n\r\n")
        let old = try client.readResponse()
        #expect(old.framing == .untilClose)
        #expect(try lines(old).count == 2)
        #expect(try audits(server).count == 1)
    }

    @Test(arguments: [
        ("from=2026-02-29", "from", "invalid_timestamp"), ("to=yesterday", "to", "invalid_timestamp"),
        ("from=2026-11-20T10:00:00", "from", "invalid_timestamp"),
        ("from=2026-11-20&to=2026-11-20", "to", "out_of_range"),
        ("format=parquet", "format", "unknown_value"), ("limit=0", "limit", "out_of_range"),
        ("after=1", "after", "out_of_range"), ("cursor=1", "cursor", "unknown_parameter"),
        ("after=1,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0g", "after", "invalid_cursor"),
        ("after=1,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b", "after", "invalid_cursor"),
    ])
    func namesTheParameterThatIsWrong(query: String, pointer: String, code: String) throws {
        let server = try TestServer()
        defer { server.end() }
        try send([EventText(1)], to: server)
        try server.expectInvalid(try server.admin(.owner, "GET", "\(Self.target)?\(query)"), [(pointer, code)])
        #expect(try audits(server).isEmpty)
    }

    /// More than the buffers between server and client take.
    private func fill(_ server: TestServer) throws {
        let log = EventLog(context: server.outside.context)
        let definition = try #require(EventRegistry.definition(named: "app_opened"))
        let hash = try #require(UserHash(bytes: [UInt8](repeating: 7, count: UserHash.byteCount)))
        let nines = String(repeating: "9", count: 64)
        let properties = Array(#"{"app_version":"\#(nines)","os_version":"\#(nines)"}"#.utf8)
        for block in 0..<40 {
            let events = try (0..<2_000).map {
                AnalyticsEvent(
                    id: makeID(UInt64(block * 2_000 + $0)), definition: definition, userID: hash,
                    timestamp: try instant("2026-11-20T09:00:00Z"), properties: properties)
            }
            _ = try log.append([
                EventBatch(
                    events: events, rejected: [], receivedAt: try instant("2026-11-20T10:00:00Z"), byteCount: 0)
            ])
        }
    }

    @Test func endsWhenTheTokenIsRevoked() throws {
        let server = try TestServer()
        defer { server.end() }
        try fill(server)
        let tokens = AccessTokenStore(context: server.outside.context)
        let made = try tokens.create(role: "owner", name: "Ada", expiresAt: nil, by: .setup)
        let client = try server.connect()
        try client.send(HTTPCall("GET", Self.target, ["Authorization: Bearer \(made.token)"]).bytes)
        #expect(try eventually { try audits(server).count == 1 })
        _ = try tokens.revoke(made.record.id, by: .setup)
        #expect(throws: RawClientError.self) { try client.readResponse() }
        #expect(try server.logs { $0["message"]?.stringValue?.contains("is not valid any more") == true })
    }

    @Test func breaksOffAtADamagedBlockSoThatTheClientSeesIt() throws {
        var setup = TestServer.Setup()
        setup.logsErrors = true
        let server = try TestServer(setup)
        defer { server.end() }
        try fill(server)
        try server.outside.context.store.write {
            try $0.execute("UPDATE event_blocks SET event_count = 1 WHERE id = 30")
        }
        let client = try server.connect()
        try client.send(HTTPCall("GET", Self.target, [try server.authorization(.owner)]).bytes)
        #expect(throws: RawClientError.self) { try client.readResponse() }
        #expect(try server.logs { $0["message"]?.stringValue == "an export of events broke off" })
    }
}

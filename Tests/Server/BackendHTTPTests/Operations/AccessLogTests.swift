import Foundation
import JSONWire
import SubGuardDomain
import TestKit
import Testing

/// The log line of a request, in both formats.
@Suite struct AccessLogTests {
    private static func lines(of server: TestServer) throws -> [Substring] {
        try String(contentsOfFile: "\(server.path)/log", encoding: .utf8).split(separator: "\n")
    }

    @Test func writesTheSameFieldsAsText() throws {
        var setup = TestServer.Setup()
        setup.settings = ["log_format": "text"]
        setup.now = "2026-11-20T10:00:00.050Z"
        let server = try TestServer(setup)
        let id = try server.item("netflix").id.lowercased
        _ = try server.get("/api/v1/catalogue/\(id)?secret=12.34", "X-Request-Id: plain-1")
        server.clock.advance(by: .milliseconds(950))
        _ = try server.get("/nowhere/12.34", "X-Request-Id: a\"b=c;d,e\\f")
        _ = try server.exchange(HTTPCall("BREW", "/healthz"))
        server.clock.advance(by: .seconds(59))
        _ = try server.get("/healthz")
        server.stop()
        let requests = try Self.lines(of: server).filter { $0.contains(" info request ") }
        let patterns: [String] = [
            #"2026-11-20T10:00:00\.050Z info request request_id=plain-1 method=GET route=/api/v1/catalogue/\{id\} "#
                + #"status=422 duration_us=\d+ body_bytes_in=0 body_bytes_out=\d{3,}"#,
            #"2026-11-20T10:00:01Z info request request_id="a'b=c;d,e\\f" method=GET route=none "#
                + #"status=404 duration_us=\d+ body_bytes_in=0 body_bytes_out=\d+"#,
            #"2026-11-20T10:00:01Z info request request_id=[0-9a-f]{32} method=- route=none "#
                + #"status=501 duration_us=\d+ body_bytes_in=0 body_bytes_out=\d+"#,
            #"2026-11-20T10:01:00Z info request request_id=[0-9a-f]{32} method=GET route=/healthz "#
                + #"status=200 duration_us=\d+ body_bytes_in=0 body_bytes_out=15"#,
        ]
        #expect(requests.count == patterns.count)
        for (line, pattern) in zip(requests, patterns) {
            #expect(try Regex(pattern).wholeMatch(in: line) != nil, "\(line)")
        }
    }

    @Test func writesJSONThatEveryReaderTakes() throws {
        let server = try TestServer()
        defer { server.end() }
        let id = #"a"b\c{}'"#
        _ = try server.get("/healthz", "X-Request-Id: \(id)")
        _ = try server.post("/api/v1/analytics", "[]")
        #expect(try server.logs { $0["request_id"]?.stringValue == id })
        #expect(try server.logs { $0["route"]?.stringValue == "/api/v1/analytics" })
        let line = try #require(try server.logLines().first { $0["request_id"]?.stringValue == id })
        #expect(
            line.names == [
                "time", "level", "message", "request_id", "trace_parent", "method", "route", "status", "duration_us",
                "body_bytes_in", "body_bytes_out",
            ])
        #expect(line["time"]?.stringValue == "2026-11-20T10:00:00Z")
        #expect(line["route"]?.stringValue == "/healthz")
        #expect(line["status"]?.integerValue == 200)
        #expect(line["body_bytes_out"]?.integerValue == 15)
        let batch = try #require(try server.logLines().first { $0["route"]?.stringValue == "/api/v1/analytics" })
        #expect(batch["body_bytes_in"]?.integerValue == 2)
    }

    /// More lines than the buffer holds, from many connections: none is lost, truncated or duplicated.
    @Test func losesNoLineUnderLoad() throws {
        let server = try TestServer(settings: ["rate_limit_enabled": "false"])
        defer { server.end() }
        let port = server.port
        let outcomes = OwnThread.each(of: 8) { number in
            let client = try RawClient(port: port, timeoutSeconds: 20)
            for round in 0..<300 {
                let call = HTTPCall("GET", "/healthz", ["X-Request-Id: load-\(number)-\(round)"])
                guard try client.exchange(call.bytes).status == 200 else { return false }
            }
            return true
        }
        for outcome in outcomes { #expect(try outcome.get()) }
        server.stop()
        let ids = try server.logLines().compactMap { $0["request_id"]?.stringValue }.filter { $0.hasPrefix("load-") }
        #expect(ids.count == 2400)
        #expect(Set(ids).count == 2400)
    }
}

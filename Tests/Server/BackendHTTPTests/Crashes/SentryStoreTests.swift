import Foundation
import HTTPServer
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing
import ZlibCoding

/// Single events, as sent by old SDKs without envelopes.
@Suite struct SentryStoreTests {
    private static let target = "/ingest/api/7/store/"
    private static let auth = "X-Sentry-Auth: Sentry sentry_version=5, sentry_client=raven-ruby/3.1.2, sentry_key=k1"
    private static let id = "9ec79c33ec9942ab8353589fcb2e04dc"
    private static let event =
        #"{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","timestamp":"2026-11-20T09:59:59","level":"error","#
        + #""platform":"ruby","release":"1.0","user":{"email":"zoe@example.org"},"exception":{"values":[{"type":"E","#
        + #""value":"for zoe@example.org","stacktrace":{"frames":[{"function":"f","filename":"/home/zoeplantee/f.rb","#
        + #""vars":{"v":"variable"}}]}}]}}"#

    private func server() throws -> TestServer {
        try TestServer(settings: ["ingest_sentry_key": "k1", "ingest_project_id": "7"])
    }

    private func call(_ body: [UInt8], _ fields: String..., target: String = target) -> HTTPCall {
        HTTPCall("POST", target, fields, body: body)
    }

    @Test func takesAnEventOnceHoweverItIsWritten() throws {
        let server = try server()
        defer { server.end() }
        let json = Array(Self.event.utf8)
        let plain = call(json, Self.auth, "Content-Type: application/json")
        let base64 = Array(Data(StoredDeflate.zlib(json)).base64EncodedData())
        for call in [
            plain, plain.gzipped(), plain.coded(as: "deflate") { StoredDeflate.zlib($0) },
            call(base64, Self.auth, "Content-Type: application/octet-stream"),
            call(json, target: Self.target + "?sentry_key=k1&sentry_version=7"),
        ] {
            let response = try server.exchange(call)
            #expect(response.status == 200)
            #expect(response.text == #"{"id":"\#(Self.id)"}"#)
        }
        // The same event in an envelope is a duplicate.
        let envelope = "{}\n{\"type\":\"event\"}\n\(Self.event)\n"
        let target = "/ingest/api/7/envelope/"
        #expect(try server.exchange(call(Array(envelope.utf8), Self.auth, target: target)).status == 200)
        let groups = try server.admin(.analyst, "GET", "/api/v1/admin/crashes").items()
        #expect(groups.count == 1)
        #expect(groups.first?["title"]?.stringValue == "E: for [email]")
        #expect(groups.first?["count"]?.integerValue == 1)
        let group = try #require(groups.first?["id"]?.stringValue)
        let detail = try server.admin(.analyst, "GET", "/api/v1/admin/crashes/\(group)").json()
        expect(
            String(decoding: detail.serialized(), as: UTF8.self), contains: ["/home/[user]/f.rb"],
            lacks: ["zoe", "variable"])
        expect(
            try server.get("/metrics").text,
            contains: [
                #"subguard_envelope_items_total{type="event",outcome="accepted"} 6"#,
                #"subguard_crash_reports_total{outcome="duplicate"} 5"#,
            ])
    }

    @Test func readsTheLevelsOfOldSDKs() throws {
        let server = try server()
        defer { server.end() }
        let levels = [
            "10": "debug", "20": "info", "30": "warning", #""40""#: "error", "50": "fatal", #""WARN""#: "warning",
            #""Error""#: "error", #""log""#: "info", #""critical""#: "fatal", "15": "info", #""?""#: "info",
        ]
        for (sent, level) in levels {
            let event = #"{"message":"of \#(level)","fingerprint":[\#(sent.first == "\"" ? sent : "\"\(sent)\"")],"#
            let body = Array(#"\#(event)"level":\#(sent)}"#.utf8)
            #expect(try server.exchange(call(body, Self.auth)).status == 200)
        }
        let groups = try server.admin(.analyst, "GET", "/api/v1/admin/crashes").items()
        #expect(groups.count == levels.count)
        for group in groups {
            #expect(group["title"]?.stringValue == "of \(group["level"]?.stringValue ?? "")")
        }
    }

    @Test func refusesWhatIsNoEventInTheProtocolsOwnWords() throws {
        let server = try server()
        defer { server.end() }
        let bomb = StoredDeflate.raw([])
        for body in [
            Array("[]".utf8), Array("nonsense".utf8), Array("{".utf8), Array("e30=".utf8), [],
            Array(Data(bomb).base64EncodedData()), Array(#"{"level":"error","level":"fatal"}"#.utf8),
        ] {
            let response = try server.exchange(call(body, Self.auth))
            #expect(response.status == 400, "\(String(decoding: body, as: UTF8.self))")
            #expect(try response.json()["causes"]?.arrayValue?.isEmpty == false)
            #expect(response["X-Sentry-Error"] != nil)
        }
        // These are also base64, but not of anything compressed.
        for word in ["null", "true", "1234", "nonsense"] {
            let response = try server.exchange(call(Array(word.utf8), Self.auth))
            expect(try response.json()["detail"]?.stringValue ?? "", contains: ["must be a JSON object"])
        }
        #expect(try server.exchange(call(Array("{}".utf8))).status == 403)
        #expect(try server.exchange(call(Array("{}".utf8), Self.auth, target: "/ingest/api/8/store/")).status == 403)
        #expect(try server.exchange(call(Array("{}".utf8), Self.auth, "Content-Encoding: zstd")).status == 415)
        let zeros = [UInt8](repeating: UInt8(ascii: " "), count: 3 << 20)
        let coded = try #require(Gzip.compress(zeros)).dropFirst(10).dropLast(8)
        let hidden = Array(Data(coded).base64EncodedData())
        #expect(try server.exchange(call(hidden, Self.auth)).status == 413)
        #expect(try server.admin(.analyst, "GET", "/api/v1/admin/crashes").items().isEmpty)
    }

    /// The body may have 2 MiB as sent, because base64 takes more room; the event may not.
    @Test func refusesAnEventOfMoreThanAMebibyte() throws {
        let server = try server()
        defer { server.end() }
        let event = #"{"message":"\#(String(repeating: "m", count: 1 << 20))"}"#
        #expect(try server.exchange(call(Array(event.utf8), Self.auth)).status == 400)
        #expect(try server.admin(.analyst, "GET", "/api/v1/admin/crashes").items().isEmpty)
    }

    @Test func isOffWithoutAKey() throws {
        let server = try TestServer()
        defer { server.end() }
        let response = try server.exchange(call(Array("{}".utf8), Self.auth, target: "/ingest/api/1/store/"))
        #expect(response.status == 404)
        expect(response.text, contains: ["ingest_sentry_key"])
    }

    @Test func countsWhatSDKsSendToAddressesThatAreNotHere() throws {
        let server = try server()
        defer { server.end() }
        for path in [
            "/ingest/api/7/minidump/", "/ingest/api/7/minidump?sentry_key=k1", "/ingest/api/7/security/",
            "/ingest/api/7/unreal/k1/", "/ingest/nonsense", "/ingest/api/7/\(String(repeating: "x", count: 500))/",
            "/api/7/envelope/", "/capture/", "/i/v0/e/", "/decide/?v=3", "/flags/", "/e/", "/s/", "/nothing",
            "/api/v1/x",
        ] {
            let response = try server.exchange(call(Array("{}".utf8), target: path))
            try server.expectProblem(response, .notFound)
        }
        let name = "subguard_ingest_unknown_requests_total"
        let lines = try server.get("/metrics").text.split(separator: "\n").filter { $0.hasPrefix(name + "{") }
        let counts = lines.map { String($0.dropFirst(name.count)) }
        let wanted = [
            "minidump": 2, "security": 1, "unreal": 1, "other": 2, "misplaced": 1, "capture": 3, "decide": 1,
            "flags": 1,
            "replay": 1, "asset": 0, "playstation": 0, "attachment": 0, "feedback": 0,
        ]
        #expect(Set(counts) == Set(wanted.map { "{endpoint=\"\($0)\"} \($1)" }))
    }
}

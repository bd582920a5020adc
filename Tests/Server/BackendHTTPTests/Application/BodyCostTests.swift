import Foundation
import HTTPServer
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing
import ZlibCoding

/// Limits on the work that a body causes before its sender is authenticated, relative to its size.
@Suite struct BodyCostTests {
    private static let settings = [
        "ingest_sentry_key": "k1", "ingest_project_id": "7", "ingest_posthog_key": "phc_k",
    ]

    @Test(arguments: [
        ("/api/v1/analytics", #"{"events":[1],"x":[%]}"#), ("/api/v1/crashes", #"{"crashes":[],"x":[%]}"#),
        ("/api/v1/suggestions", #"{"name":"x","y":[%]}"#), ("/batch/", #"{"api_key":"phc_k","batch":[],"x":[%]}"#),
        ("/ingest/api/7/envelope/?sentry_key=k1", "{}\n{\"type\":\"event\"}\n{\"x\":[%]}"),
        ("/ingest/api/7/store/?sentry_key=k1", #"{"message":"x","y":[%]}"#),
        ("/api/v1/admin/catalogue/import", "[%]"),
    ])
    func refusesWhatInflatesToAHundredTimesItsSize(target: String, frame: String) throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        let zeros = String(repeating: "0,", count: 80_000) + "0"
        let fields = [try server.authorization(.owner)]
        let call = HTTPCall("POST", target, fields, json: frame.replacing("%", with: zeros))
        let coded = call.gzipped()
        #expect((coded.body?.count ?? .max) < 1000)
        let response = try server.exchange(coded)
        #expect(response.status == 413, "\(response.text)")
        expect(try response.json()["detail"]?.stringValue ?? "", contains: ["100 times"])
        // Small bodies may inflate by any factor.
        let small = HTTPCall(
            "POST", target, fields, json: frame.replacing("%", with: String(repeating: "0,", count: 7000) + "0"))
        #expect(try server.exchange(small.gzipped()).status != 413)
    }

    // MARK: Keys before bodies

    /// A body that would be malformed if it were decompressed.
    private static let broken = Array(repeating: UInt8(0xFF), count: 1000)

    @Test(arguments: ["envelope", "store"])
    func looksAtTheSentryKeyOfTheHeadBeforeTheBodyComes(_ kind: String) throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        let target = "/ingest/api/7/\(kind)/"
        for (query, field) in [("?sentry_key=k2", ""), ("", "X-Sentry-Auth: Sentry sentry_key=k2\r\n")] {
            let client = try server.connect()
            let response = try client.exchange(
                "POST \(target)\(query) HTTP/1.1\r\nHost: h\r\n\(field)Content-Length: 2000000\r\n"
                    + "Expect: 100-continue\r\n\r\n")
            #expect(response.status == 403)
            #expect(response["X-Sentry-Error"] != nil)
        }
        let call = HTTPCall(
            "POST", target, ["Content-Encoding: gzip", "X-Sentry-Auth: Sentry sentry_key=k1"], body: Self.broken)
        #expect(try server.exchange(call).status == 400, "with the key the body is looked at")
    }

    @Test func readsNoMoreThanTheFirstLineForTheKey() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        var random = SeededRandom(seed: 15)
        let rest = random.bytes(200_000)
        func send(_ line: String, cut: Bool) throws -> RawResponse {
            var coded = try #require(Gzip.compress(Array(line.utf8) + rest))
            if cut { coded = Array(coded.prefix(coded.count / 2)) }
            return try server.exchange(
                HTTPCall("POST", "/ingest/api/7/envelope/", ["Content-Encoding: gzip"], body: coded))
        }
        // Truncated, so that decompressing all of it would result in 400.
        #expect(try send("{\"dsn\":\"http://k2@h/ingest/7\"}\n", cut: true).status == 403)
        #expect(try send("{\"dsn\":\"http://k1@h/ingest/8\"}\n", cut: true).status == 403)
        #expect(try send("{}\n", cut: true).status == 403)
        #expect(try send("{\"dsn\":\"http://k1@h/ingest/7\"}\n", cut: true).status == 400)
        // A line without an end.
        let long = #"{"x":""# + String(repeating: "a", count: 16 << 10)
        #expect(try send(long, cut: true).status == 413)
        let plain = HTTPCall("POST", "/ingest/api/7/envelope/", [], body: Array(long.utf8))
        #expect(try server.exchange(plain).status == 413)
    }

    @Test func refusesHeadersLongerThanAnySDKWritesThem() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        func send(_ text: String) throws -> Int {
            try server.exchange(
                HTTPCall("POST", "/ingest/api/7/envelope/?sentry_key=k1", [], body: Array(text.utf8))
            ).status
        }
        func header(_ count: Int) -> String {
            #"{"type":"x","filename":""# + String(repeating: "a", count: count) + "\"}"
        }
        #expect(try send("{}\n\(header(16_000))\nx") == 200)
        #expect(try send("{}\n\(header(17_000))\nx") == 413)
        let values = #"{"type":"x","y":["# + String(repeating: "0,", count: 200) + "0]}"
        #expect(try send("{}\n\(values)\nx") == 400)
    }

    @Test func looksAtThePostHogKeyBeforeTheRestIsInflated() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        var random = SeededRandom(seed: 15)
        let noise = random.bytes(50_000).map { String($0, radix: 16) }.joined()
        func send(_ body: String, cut: Bool) throws -> Int {
            var coded = try #require(Gzip.compress(Array(body.utf8)))
            if cut { coded = Array(coded.prefix(coded.count / 2)) }
            return try server.exchange(HTTPCall("POST", "/batch/", ["Content-Encoding: gzip"], body: coded)).status
        }
        // Truncated, so that decompressing all of it would result in 400.
        #expect(try send(#"{"api_key":"phc_x","x":"\#(noise)","batch":[]}"#, cut: true) == 401)
        #expect(try send(#"{"api_key":"phc_k","x":"\#(noise)","batch":[]}"#, cut: true) == 400)
        // The key may come last.
        #expect(try send(#"{"batch":[],"x":"\#(noise)","api_key":"phc_x"}"#, cut: false) == 401)
        #expect(try send(#"{"batch":[],"x":"\#(noise)","api_key":"phc_k"}"#, cut: false) == 200)
        #expect(try send(#"{"api_key":"phc_k","batch":[],"token":"phc_x"}"#, cut: false) == 401)
    }

    @Test func dropsAnEventWithMorePropertiesThanAnySDKSends() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        func event(_ number: UInt64, _ count: Int) -> String {
            let properties = (0..<count).map { #""$p\#($0)":1"# }.joined(separator: ",")
            return #"""
                {"event":"app_opened","distinct_id":"u\#(number)","uuid":"\#(makeID(number).lowercased)",\#
                "properties":{\#(properties)}}
                """#
        }
        let body = #"{"api_key":"phc_k","batch":[\#(event(1, 500)),\#(event(2, 501))]}"#
        #expect(try server.post("/batch/", body).status == 200)
        expect(
            try server.get("/metrics").text,
            contains: [
                #"subguard_ingest_events_total{outcome="accepted"} 1"#,
                #"subguard_ingest_rejected_events_total{code="invalid_event"} 1"#,
            ])
    }

    @Test func refusesATreeOfMoreValuesThanABodyHas() throws {
        let server = try TestServer()
        defer { server.end() }
        let many = #"{"name":"x","y":["# + String(repeating: "0,", count: 25_000) + "0]}"
        try server.expectProblem(try server.post("/api/v1/suggestions", many), .bodyTooLarge)
        let item = #"{"items":[{"name":"x","y":["# + String(repeating: "0,", count: 1000) + "0]}]}"
        let refused = try server.admin(.owner, "POST", "/api/v1/admin/catalogue/import", json: item).json()
        #expect(refused["errors"]?.arrayValue?.strings("pointer") == ["#/items/0"])
        #expect(refused["errors"]?.arrayValue?.strings("code") == ["out_of_range"])
    }
}

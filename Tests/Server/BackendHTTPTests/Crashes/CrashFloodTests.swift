import HTTPServer
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@testable import BackendHTTP

/// Any client that can report crashes can invent them. Invented crashes must not hide real ones.
@Suite struct CrashFloodTests {
    private static let attacker = "203.0.113.7"
    private static let user = "198.51.100.9"

    private func server(_ settings: [String: String] = [:]) throws -> TestServer {
        try TestServer(settings: ["trusted_proxies": "127.0.0.1"].merging(settings) { $1 })
    }

    private func crash(_ type: String, _ release: String, _ number: UInt64) -> String {
        #"""
        {"id":"\#(makeID(number).lowercased)","timestamp":"2026-11-20T09:59:00Z","type":"\#(type)",\#
        "app_version":"\#(release)"}
        """#
    }

    private func send(_ crashes: [String], from address: String, to server: TestServer) throws {
        let response = try server.post(
            "/api/v1/crashes", #"{"crashes":[\#(crashes.joined(separator: ","))]}"#, "X-Forwarded-For: \(address)")
        #expect(response.status == 202)
        #expect(response.text == #"{"accepted":\#(crashes.count),"duplicates":0}"#)
    }

    /// 1,000 groups and 500 releases that do not exist, in eleven requests.
    private func flood(_ server: TestServer) throws {
        for request in 0..<11 {
            let crashes = (0..<100).map { index in
                let number = request * 100 + index
                return crash("Invented\(number)Error", "9.\(number % 500)", UInt64(number))
            }
            try send(crashes, from: Self.attacker, to: server)
        }
    }

    private func groups(_ server: TestServer) throws -> [String: JSONValue] {
        var groups: [String: JSONValue] = [:]
        var target: String? = "/api/v1/admin/crashes?limit=500"
        while let next = target {
            let page = try server.admin(.analyst, "GET", next).json()
            for group in page["items"]?.arrayValue ?? [] { groups[group["title"]?.stringValue ?? ""] = group }
            target = page["next_cursor"]?.stringValue.map { "/api/v1/admin/crashes?limit=500&cursor=\($0)" }
        }
        return groups
    }

    private func sum(_ groups: [String: JSONValue]) -> Int64 {
        groups.values.compactMap { $0["count"]?.integerValue }.reduce(0, +)
    }

    private func versions(_ group: JSONValue?) -> [String] {
        (group?["versions"]?.arrayValue ?? []).strings("release")
    }

    @Test func oneClientCannotFillTheStore() throws {
        let server = try server()
        defer { server.end() }
        try flood(server)
        try send([crash("SIGSEGV", "1.4.0", 9000)], from: Self.user, to: server)
        let groups = try groups(server)
        #expect(groups.count == 32)
        #expect(groups["SIGSEGV"]?["count"]?.integerValue == 1)
        #expect(versions(groups["SIGSEGV"]) == ["1.4.0"])
        #expect(groups["(other crashes)"]?["count"]?.integerValue == 1070)
        #expect(sum(groups) == 1101)
        expect(
            try server.get("/metrics").text,
            contains: [
                #"subguard_crash_folded_total{reason="group_quota"} 1070"#,
                // Each of the 20 releases occurred in three of the 1,100 reports.
                #"subguard_crash_folded_total{reason="release_quota"} 1040"#,
                #"subguard_crash_evictions_total{kind="group"} 0"#,
            ])
        // An hour later the quota is restored.
        server.clock.advance(by: .seconds(3600))
        try send([crash("Invented2000Error", "9.2000", 9001)], from: Self.attacker, to: server)
        #expect(try self.groups(server).count == 33)
    }

    @Test func aTrueCrashHasItsGroupWithoutLimitsToo() throws {
        let server = try server(["rate_limit_enabled": "false"])
        defer { server.end() }
        try flood(server)
        try send([crash("SIGSEGV", "1.4.0", 9000)], from: Self.attacker, to: server)
        let groups = try groups(server)
        #expect(groups.count == 1001)
        #expect(groups["SIGSEGV"]?["count"]?.integerValue == 1)
        #expect(versions(groups["SIGSEGV"]) == ["1.4.0"])
        #expect(sum(groups) == 1101)
        expect(
            try server.get("/metrics").text,
            contains: [
                #"subguard_crash_folded_total{reason="group_quota"} 0"#,
                #"subguard_crash_evictions_total{kind="group"} 101"#,
                #"subguard_crash_evictions_total{kind="release"} 1"#,
            ])
    }

    @Test func manyClientsCannotPushOutWhatManyReport() throws {
        let server = try server()
        defer { server.end() }
        for number in 0..<8 {
            try send([crash("SIGSEGV", "1.4.0", UInt64(9000 + number))], from: "198.51.\(number).9", to: server)
        }
        for client in 0..<50 {
            server.clock.advance(by: .seconds(1))
            let crashes = (0..<60).map { index in
                crash("Invented\(client * 30 + index % 30)Error", "1.4.0", UInt64(client * 60 + index))
            }
            try send(crashes, from: "203.0.\(client).1", to: server)
        }
        server.clock.advance(by: .seconds(1))
        try send([crash("SIGABRT", "1.4.0", 9100)], from: Self.user, to: server)
        let groups = try groups(server)
        #expect(groups.count == 1001)
        #expect(groups["SIGSEGV"]?["count"]?.integerValue == 8)
        #expect(groups["SIGABRT"]?["count"]?.integerValue == 1)
        #expect(sum(groups) == 3009)
    }

    @Test(arguments: [
        ("203.0.113.7", "203.0.113"), ("2001:db8:7:1::9", "2001.db8.7"), ("::1", "0.0.0"),
        ("::ffff:10.1.2.3", "10.1.2"),
    ])
    func aNetworkIsWhatOneHolderHas(_ address: String, _ network: String) throws {
        #expect(CrashQuotas.network(of: try #require(SocketAddress(numeric: address))) == network)
    }

    @Test func sessionsAreCountedUpToTheAllowance() throws {
        let server = try server()
        defer { server.end() }
        func submit(_ number: UInt64, _ total: Int, from address: String) throws {
            let counts = (0..<11).map {
                #"""
                {"id":"\#(makeID(number + UInt64($0)).lowercased)","started_at":"2026-11-20T09:00:00Z",\#
                "app_version":"1.0","total":\#(total),"crashed":0}
                """#
            }
            let response = try server.post(
                "/api/v1/crashes", #"{"sessions":[\#(counts.joined(separator: ","))]}"#, "X-Forwarded-For: \(address)")
            #expect(response.text == #"{"accepted":11,"duplicates":0}"#)
        }
        try submit(0, 10_000, from: Self.attacker)
        try submit(100, 7, from: Self.user)
        let releases = try server.admin(.analyst, "GET", "/api/v1/admin/crashes/releases").items()
        #expect(releases.compactMap { $0["sessions"]?.integerValue } == [100_077])
        expect(
            try server.get("/metrics").text,
            contains: ["subguard_sessions_total 100077\n", "subguard_sessions_refused_total 10000\n"])
    }

    @Test func releasesThatTheOperatorDoesNotKnowShareAName() throws {
        let server = try server(["known_releases": "1.*, app@2.0"])
        defer { server.end() }
        for (index, release) in ["1.4.0", "2.0", "app@2.0", "66"].enumerated() {
            try send([crash("SIGSEGV", release, UInt64(index))], from: Self.user, to: server)
        }
        #expect(versions(try groups(server)["SIGSEGV"]) == ["(other)", "1.4.0", "app@2.0"])
        expect(
            try server.get("/metrics").text, contains: [#"subguard_crash_folded_total{reason="release_unknown"} 2"#])
    }
}

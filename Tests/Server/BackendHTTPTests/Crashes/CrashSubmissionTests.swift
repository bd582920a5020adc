import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct CrashSubmissionTests {
    private static let target = "/api/v1/crashes"

    private func crash(_ number: UInt64, more: String = "", at timestamp: String = "2026-11-20T09:00:00Z") -> String {
        #"""
        {"id":"\#(makeID(number).lowercased)","timestamp":"\#(timestamp)","type":"EXC_BAD_ACCESS",\#
        "app_version":"1.4.0"\#(more)}
        """#
    }

    private func count(_ number: UInt64, total: Int = 4, crashed: Int = 1) -> String {
        #"""
        {"id":"\#(makeID(number).lowercased)","started_at":"2026-11-20T08:00:00Z","app_version":"1.4.0",\#
        "total":\#(total),"crashed":\#(crashed)}
        """#
    }

    @Test func takesCrashesAndCountsOnceByID() throws {
        let server = try TestServer()
        defer { server.end() }
        let frames = #"""
            ,"message":"for zoe@example.org","platform":"ios","os_version":"18.1","frames":[{"function":"inner",\#
            "module":"App","in_app":true},{"function":"main"}]
            """#
        let body = #"{"crashes":[\#(crash(1, more: frames)),\#(crash(2, more: frames))],"sessions":[\#(count(3))]}"#
        let first = try server.post(Self.target, body)
        #expect(first.status == 202)
        #expect(first.text == #"{"accepted":3,"duplicates":0}"#)
        #expect(try server.post(Self.target, body).text == #"{"accepted":0,"duplicates":3}"#)
        let group = try #require(try server.admin(.analyst, "GET", "/api/v1/admin/crashes").items().first)
        #expect(group["title"]?.stringValue == "EXC_BAD_ACCESS: for [email]")
        #expect(group["culprit"]?.stringValue == "App in inner")
        #expect(group["count"]?.integerValue == 2)
        #expect(group["level"]?.stringValue == "fatal")
        let figure = try server.admin(.analyst, "GET", "/api/v1/admin/dashboard").json()["crash_free_sessions"]
        #expect(figure?["value"]?.numberText == "75.0")
    }

    @Test func refusesEveryFieldThatIsNotListed() throws {
        let server = try TestServer()
        defer { server.end() }
        let body = #"""
            {"crashes":[\#(crash(1, more: #","user_id":"x","frames":[{"vars":{}}]"#))],"user":{},"sessions":[{"id":7}]}
            """#
        try server.expectInvalid(
            try server.post(Self.target, body),
            [
                ("#/user", "unknown_field"), ("#/crashes/0/user_id", "unknown_field"),
                ("#/crashes/0/frames/0/vars", "unknown_field"), ("#/sessions/0/id", "invalid_type"),
                ("#/sessions/0/started_at", "required"), ("#/sessions/0/app_version", "required"),
                ("#/sessions/0/total", "required"), ("#/sessions/0/crashed", "required"),
            ])
        #expect(try server.admin(.analyst, "GET", "/api/v1/admin/crashes").items().isEmpty)
    }

    @Test(arguments: [
        (#""level":"bad""#, "level", "unknown_value"), (#""message":"""#, "message", "required"),
        (#""platform":"a b""#, "platform", "invalid_format"), (#""os_version":7"#, "os_version", "invalid_type"),
        (#""handled":"no""#, "handled", "invalid_type"), (#""fingerprint":[]"#, "fingerprint", "out_of_range"),
        (#""frames":[1]"#, "frames/0", "invalid_type"), (#""frames":[{"line":-1}]"#, "frames/0/line", "out_of_range"),
        (#""message":null"#, "message", "required"), (#""level":null"#, "level", "required"),
        (#""level":5"#, "level", "invalid_type"), (#""level":"a b""#, "level", "unknown_value"),
        (#""handled":null"#, "handled", "required"), (#""frames":null"#, "frames", "required"),
        (#""frames":[null]"#, "frames/0", "required"), (#""frames":[{"line":null}]"#, "frames/0/line", "required"),
        (#""frames":[{"line":[]}]"#, "frames/0/line", "invalid_type"),
        (#""fingerprint":[null]"#, "fingerprint/0", "required"),
        (#""platform":"abcdefghijklmnopqrstuvwxyz0123456""#, "platform", "out_of_range"),
    ])
    func namesTheFault(_ more: String, _ place: String, _ code: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let response = try server.post(Self.target, #"{"crashes":[\#(crash(1, more: ",\(more)"))]}"#)
        try server.expectInvalid(response, [("#/crashes/0/\(place)", code)])
    }

    @Test func namesTheFaultOfARequiredField() throws {
        let server = try TestServer()
        defer { server.end() }
        let names = ["id", "timestamp", "type", "app_version"]
        let long = String(repeating: "é", count: 200)
        for (values, codes) in [
            ([:], ["type", "app_version", "id", "timestamp"].map { ($0, "required") }),
            (
                ["id": "null", "timestamp": "null", "type": "null", "app_version": "null"],
                names.map { ($0, "required") }
            ),
            (["id": "7", "timestamp": "{}", "type": "[]", "app_version": "1"], names.map { ($0, "invalid_type") }),
            (
                ["id": #""x""#, "timestamp": #""x""#, "type": #""\#(long)""#, "app_version": #""\#(long)""#],
                [
                    ("id", "invalid_id"), ("timestamp", "invalid_timestamp"), ("type", "out_of_range"),
                    ("app_version", "out_of_range"),
                ]
            ),
        ] as [([String: String], [(String, String)])] {
            let members = names.compactMap { name in values[name].map { #""\#(name)":\#($0)"# } }
            let response = try server.post(Self.target, #"{"crashes":[{\#(members.joined(separator: ","))}]}"#)
            let problem = try server.expectInvalid(response, codes.map { ("#/crashes/0/\($0.0)", $0.1) })
            if values.isEmpty {
                let details = problem["errors"]?.arrayValue?.strings("detail") ?? []
                #expect(details == Array(repeating: "Must be given.", count: 4))
                #expect(problem["detail"]?.stringValue?.hasSuffix("#/crashes/0/id and 1 more.") == true)
            }
        }
        try server.expectInvalid(
            try server.post(Self.target, #"{"sent_at":7,"crashes":null,"sessions":[null]}"#),
            [("#/sent_at", "invalid_type"), ("#/crashes", "required"), ("#/sessions/0", "required")])
        let zero = #"{"sessions":[{"total":[],"crashed":null}]}"#
        try server.expectInvalid(
            try server.post(Self.target, zero),
            [("total", "invalid_type"), ("crashed", "required")].map { ("#/sessions/0/\($0)", $1) }
                + ["id", "started_at", "app_version"].map { ("#/sessions/0/\($0)", "required") })
    }

    /// Devices tell the hour alone; one whose clock is ahead would else count in the hour before.
    @Test(arguments: ["2026-11-20T10:00:05Z", "2026-11-20T09:59:50Z", "2026-11-20T10:20:00Z"])
    func aWholeHourStaysOneWhateverTheClockOfTheDevice(sentAt: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let body = #"{"sent_at":"\#(sentAt)","sessions":[\#(count(1))]}"#
        #expect(try server.post(Self.target, body).status == 202)
        let release = try #require(try server.admin(.analyst, "GET", "/api/v1/admin/crashes/releases").items().first)
        #expect(release["first_seen_at"]?.stringValue == "2026-11-20T08:00:00Z")
    }

    @Test func boundsSizesAndTimes() throws {
        let server = try TestServer()
        defer { server.end() }
        try server.expectInvalid(try server.post(Self.target, "{}"), [("#", "required")])
        let many = (0..<101).map { count(UInt64($0)) }.joined(separator: ",")
        try server.expectInvalid(
            try server.post(Self.target, #"{"sessions":[\#(many)]}"#), [("#/sessions", "out_of_range")])
        let old = #"{"crashes":[\#(crash(1, at: "2026-10-21T09:59:59Z"))]}"#
        try server.expectInvalid(
            try server.post(Self.target, old), [("#/crashes/0/timestamp", "timestamp_out_of_range")])
        try server.expectInvalid(
            try server.post(Self.target, #"{"sessions":[\#(count(1, total: 3, crashed: 4))]}"#),
            [("#/sessions/0/crashed", "out_of_range")])
        try server.expectInvalid(
            try server.post(
                Self.target, #"{"sessions":[\#(count(1).replacing(#""total":"#, with: #""total":"1","x":"#))]}"#),
            [("#/sessions/0/total", "invalid_type"), ("#/sessions/0/x", "unknown_field")])
        // A clock that is one day behind.
        let repaired = #"{"sent_at":"2026-11-19T10:00:00Z","crashes":[\#(crash(1, at: "2026-10-21T09:59:59Z"))]}"#
        #expect(try server.post(Self.target, repaired).status == 202)
    }
}

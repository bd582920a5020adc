import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct PostHogTests {
    private func batch(_ events: Int, key: String = "phc_k") -> String {
        let events = (0..<events).map {
            #"""
            {"event":"app_opened","distinct_id":"u\#($0)","uuid":"\#(makeID(UInt64($0)).lowercased)",\#
            "timestamp":"2026-11-20T09:00:00+00:00","properties":{"$lib":"x"}}
            """#
        }
        return #"""
            {"batch":[\#(events.joined(separator: ",")),{"event":"$pageview","distinct_id":"u"}],\#
            "sent_at":"2026-11-20T10:00:00+00:00","api_key":"\#(key)"}
            """#
    }

    @Test func countsUsersOnceAndDropsWhatItDoesNotKnow() throws {
        let server = try TestServer(settings: ["ingest_posthog_key": "phc_k"])
        defer { server.end() }
        let call = HTTPCall("POST", "/batch/", json: batch(3))
        for call in [call, call.gzipped()] {
            let response = try server.exchange(call)
            #expect(response.status == 200)
            #expect(response.text == #"{"status":1}"#)
        }
        let dashboard = try server.admin(.analyst, "GET", "/api/v1/admin/dashboard").json()
        #expect(dashboard["total_users"]?["value"]?.numberText == "3")
        expect(
            try server.get("/metrics").text,
            contains: [
                #"subguard_ingest_rejected_events_total{code="unknown_event"} 2"#,
                #"subguard_ingest_events_total{outcome="duplicate"} 3"#,
            ])
    }

    /// SDKs cut texts between the two halves of an emoji.
    @Test func aHalfOfAPairOfSurrogatesCostsNothingBesideIt() throws {
        let server = try TestServer(settings: ["ingest_posthog_key": "phc_k"])
        defer { server.end() }
        let cut = batch(3).replacing(#""$lib":"x""#, with: #""$title":"cut \ud83d","\ude00":1"#)
        let response = try server.post("/batch/", cut)
        #expect(response.text == #"{"status":1}"#)
        expect(try server.get("/metrics").text, contains: [#"subguard_ingest_events_total{outcome="accepted"} 3"#])
        try server.expectProblem(try server.post("/api/v1/analytics", #"{"events":["\ud83d"]}"#), .malformedJSON)
    }

    @Test func refusesAForeignKeyAndIsOffWithoutOne() throws {
        let server = try TestServer(settings: ["ingest_posthog_key": "phc_k"])
        defer { server.end() }
        let refused = try server.post("/batch/", batch(1, key: "phc_other"))
        try server.expectProblem(refused, .unauthorized)
        #expect(refused["WWW-Authenticate"] != nil)
        try server.expectProblem(try server.post("/batch/", "{"), .malformedJSON)
        try server.expectInvalid(try server.post("/batch/", "[]"), [("#", "invalid_type")])
        for (batch, code) in [("", "required"), (#","batch":null"#, "required"), (#","batch":{}"#, "invalid_type")] {
            try server.expectInvalid(
                try server.post("/batch/?ip=1&_=2", #"{"api_key":"phc_k"\#(batch)}"#), [("#/batch", code)])
        }
        let off = try TestServer()
        defer { off.end() }
        let answer = try off.expectProblem(try off.post("/batch/", batch(1)), .notFound)
        expect(answer["detail"]?.stringValue ?? "", contains: ["ingest_posthog_key"])
    }
}

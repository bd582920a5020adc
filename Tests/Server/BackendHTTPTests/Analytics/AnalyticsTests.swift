import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct AnalyticsTests {
    private static let target = "/api/v1/analytics"

    private func figure(_ server: TestServer, _ name: String) throws -> String? {
        try server.admin(.analyst, "GET", "/api/v1/admin/dashboard").json()[name]?["value"]?.numberText
    }

    @Test func takesObjectAndArrayAndCountsEachEventOnce() throws {
        let server = try TestServer()
        defer { server.end() }
        let events = [EventText(1, "app_downloaded"), EventText(2, user: 2), EventText(2, user: 2)]
        let first = try server.post(Self.target, events.text)
        #expect(first.status == 202)
        #expect(first.text == #"{"accepted":2,"duplicates":1,"rejected":[]}"#)
        let again = try server.post(Self.target, #"{"events":\#(events.text)}"#)
        #expect(again.text == #"{"accepted":0,"duplicates":3,"rejected":[]}"#)
        #expect(try figure(server, "total_users") == "2")
    }

    @Test func namesEachRejectionAndKeepsTheNeighbours() throws {
        let server = try TestServer()
        defer { server.end() }
        var bad = (0..<9).map { EventText(UInt64(100 + $0)) }
        bad[1].id = "not-a-uuid"
        bad[2].name = "app_uninstalled"
        bad[3].user = bad[3].user.uppercased()
        bad[4].timestamp = "2026-02-29T10:00:00Z"
        bad[5].timestamp = "2026-11-21T10:00:00.001Z"
        bad[6].properties = #"{"amount":"12.34"}"#
        bad[7].properties = #"{"locale":"français"}"#
        bad[8].more = #","note":"🙂""#
        let answer = try server.post(Self.target, bad.text).json()
        #expect(answer["accepted"]?.integerValue == 1)
        let rejected = answer["rejected"]?.arrayValue ?? []
        #expect(rejected.compactMap { $0["index"]?.integerValue } == Array(1...8))
        #expect(
            rejected.strings("code") == [
                "invalid_id", "unknown_event", "invalid_user_id", "invalid_timestamp", "timestamp_out_of_range",
                "property_not_allowed", "invalid_property", "invalid_event",
            ])
    }

    @Test func repairsTheSkewOfTheSendersClock() throws {
        let server = try TestServer()
        defer { server.end() }
        // The device's clock is three days ahead; without correction its event of an hour ago would be rejected.
        let event = EventText(7, at: "2026-11-23T09:00:00Z")
        #expect(try server.post(Self.target, [event].text).json()["accepted"]?.integerValue == 0)
        let body = #"{"events":\#([event].text),"sent_at":"2026-11-23T10:00:00Z"}"#
        #expect(try server.post(Self.target, body).json()["accepted"]?.integerValue == 1)
        #expect(try figure(server, "active_users_30d") == "1")
    }

    @Test func boundsTheBatch() throws {
        let server = try TestServer()
        defer { server.end() }
        let thousand = (0..<1000).map { EventText(UInt64(1000 + $0), user: $0) }
        #expect(try server.exchange(HTTPCall("POST", Self.target, json: thousand.text).gzipped()).status == 202)
        #expect(try figure(server, "total_users") == "1000")
        let more = (thousand + [EventText(5)]).text
        for body in [more, #"{"events":\#(more)}"#] {
            try server.expectProblem(try server.post(Self.target, body), .bodyTooLarge)
        }
        #expect(try figure(server, "total_users") == "1000")
        try server.expectInvalid(try server.post(Self.target, "[]"), [("#", "out_of_range")])
        try server.expectInvalid(
            try server.post(Self.target, #"{"events":[1],"sent_at":"yesterday"}"#), [("#/sent_at", "invalid_timestamp")]
        )
    }

    @Test func addsUpWhatManyConnectionsSend() throws {
        let server = try TestServer()
        defer { server.end() }
        let senders = (0..<16).map { sender in
            OwnThread {
                let client = try server.connect()
                for batch in 0..<5 {
                    let events = (0..<20).map { EventText(UInt64(sender * 1000 + batch * 100 + $0), user: $0) }
                    let answer = try client.exchange(HTTPCall("POST", Self.target, json: events.text).bytes)
                    #expect(answer.text == #"{"accepted":20,"duplicates":0,"rejected":[]}"#)
                }
            }
        }
        for sender in senders { try sender.value() }
        #expect(try figure(server, "total_users") == "20")
        expect(
            try server.get("/metrics").text, contains: [#"subguard_ingest_events_total{outcome="accepted"} 1600"#])
    }

    @Test func keepsTheTagWhileTheFiguresStay() throws {
        let server = try TestServer()
        defer { server.end() }
        let dashboard = "/api/v1/admin/dashboard"
        _ = try server.post(Self.target, [EventText(1, "subscription_added"), EventText(2, "app_downloaded")].text)
        let tag = try server.admin(.analyst, "GET", dashboard).etag()
        server.clock.advance(by: .seconds(5))
        #expect(try server.admin(.analyst, "GET", dashboard, "If-None-Match: \(tag)").status == 304)
        _ = try server.post(Self.target, [EventText(3, "subscription_added")].text)
        let moved = try server.admin(.analyst, "GET", dashboard, "If-None-Match: \(tag)").json()
        #expect(moved["subscriptions_tracked"]?["value"]?.numberText == "2")
        #expect(moved["crash_free_sessions"]?["value"]?.isNull == true)
    }
}

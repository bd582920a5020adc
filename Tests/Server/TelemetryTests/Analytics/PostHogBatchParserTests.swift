import BackendTestKit
import EventLog
import Foundation
import SubGuardDomain
import Telemetry
import Testing

@Suite struct PostHogBatchParserTests {
    private static let hash = String(repeating: "0a", count: 32)

    /// - Parameter secret: of the database.
    private func parse(_ json: String, secret: UInt8 = 1) throws -> EventBatch {
        let seed = try #require(EventIDSeed(bytes: [UInt8](repeating: secret, count: EventIDSeed.byteCount)))
        return try PostHogBatchParser.parse(
            Array(json.utf8), key: "phc_k", ids: DerivedEventIDs(seed: seed),
            receivedAt: try instant("2026-11-20T10:00:00Z"))
    }

    private func batch(_ events: String..., more: String = "") throws -> EventBatch {
        try parse(#"{"batch":[\#(events.joined(separator: ","))]\#(more),"api_key":"phc_k"}"#)
    }

    private func event(
        _ name: String = "app_opened", user: String = #""u""#, more: String = #","properties":{"$lib":"x"}"#
    ) -> String {
        #"""
        {"event":"\#(name)","distinct_id":\#(user),"uuid":"\#(makeID(1).lowercased)",\#
        "timestamp":"2026-11-20T09:00:00+00:00"\#(more)}
        """#
    }

    @Test func mapsOntoTheRegistry() throws {
        let properties = #"""
            ,"properties":{"locale":"fr","$os":"x","platform":"ios","amount":"1","app_version":7,\#
            "catalogue_item_id":"\#(makeID(2).uuidString)","$set":{"email":"a@b.example"}}
            """#
        let batch = try batch(event("subscription_added", user: #""\#(Self.hash)""#, more: properties))
        let event = try #require(batch.events.first)
        #expect(event.id == makeID(1))
        #expect(event.definition.name == "subscription_added")
        #expect(event.userID.bytes == [UInt8](repeating: 0x0A, count: 32))
        #expect(event.timestamp.rfc3339 == "2026-11-20T09:00:00Z")
        #expect(
            event.properties.map { String(decoding: $0, as: UTF8.self) }
                == #"{"catalogue_item_id":"\#(makeID(2).lowercased)","locale":"fr","platform":"ios"}"#)
    }

    @Test func hashesIDsThatAreNoHashes() throws {
        // SHA-256 of "u", "7" and of the upper-case digits, which are not in the registry's form.
        let batch = try batch(
            event(), event(user: "7"), event(user: #""\#(Self.hash.uppercased())""#),
            event(user: #""zoe@example.org""#))
        #expect(batch.events.count == 4)
        #expect(batch.events[0].userID.bytes.starts(with: [0x0B, 0xFE]))
        #expect(batch.events[1].userID.bytes.starts(with: [0x79, 0x02]))
        #expect(batch.events[2].userID.bytes != [UInt8](repeating: 0x0A, count: 32))
    }

    @Test func dropsAndCountsWhatItCannotTakeWithoutTheNeighbours() throws {
        let batch = try batch(
            event("$pageview"), event(), "null", "{}", #"{"event":"app_opened"}"#, event(user: "null"),
            #"{"event":"app_opened","distinct_id":"u","uuid":"x"}"#,
            #"{"event":"app_opened","distinct_id":"u","timestamp":"now"}"#,
            #"{"event":"app_opened","distinct_id":"u","timestamp":"2024-01-01T00:00:00Z"}"#)
        #expect(batch.events.count == 1)
        #expect(
            batch.rejected.map(\.code) == [
                .unknownEvent, .invalidEvent, .invalidEvent, .invalidUserID, .invalidUserID, .invalidID,
                .invalidTimestamp, .timestampOutOfRange,
            ])
        #expect(batch.rejected.map(\.index) == [0, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test func makesTheSameIDForTheSameEventWithout() throws {
        let one = #"{"event":"app_opened","distinct_id":"u","timestamp":"2026-11-20T09:00:00Z"}"#
        let batch = try batch(one, one, #"{"event":"app_opened","distinct_id":"v","timestamp":"2026-11-20T09:00:00Z"}"#)
        #expect(batch.events[0].id == batch.events[1].id)
        #expect(batch.events[0].id != batch.events[2].id)
    }

    @Test func takesTheUserFromThePropertiesAndNoBlankOne() throws {
        let batch = try batch(
            #"""
            {"event":"app_opened","distinct_id":null,"properties":{"distinct_id":"u"},\#
            "timestamp":"2026-11-20T09:00:00Z"}
            """#,
            #"{"event":"app_opened","properties":{"distinct_id":"u"},"timestamp":"2026-11-20T09:00:01Z"}"#,
            #"{"event":"app_opened","distinct_id":" \t\u00a0"}"#, #"{"event":"app_opened","distinct_id":""}"#)
        #expect(batch.events.count == 2 && batch.events[0].userID == batch.events[1].userID)
        #expect(batch.rejected.map(\.code) == [.invalidUserID, .invalidUserID])
    }

    @Test(arguments: [
        "2026-11-20T09:00:00", "2026-11-20T09:00:00+0000", "2026-11-20T10:30:00+0130", "2026-11-20 09:00:00",
        "2026-11-20 09:00:00.000000+00:00", "2026-11-20T09:00:00.000Z",
    ])
    func takesTimesAsSDKsWriteThem(_ time: String) throws {
        let batch = try batch(#"{"event":"app_opened","distinct_id":"u","timestamp":"\#(time)"}"#)
        #expect(batch.events.first?.timestamp.rfc3339 == "2026-11-20T09:00:00Z")
        let skewed = try self.batch(
            #"{"event":"app_opened","distinct_id":"u","timestamp":"2026-11-20T08:00:00Z"}"#,
            more: #","sent_at":"\#(time)""#)
        #expect(skewed.events.first?.timestamp.rfc3339 == "2026-11-20T09:00:00Z")
    }

    @Test func derivesTheIDFromTheContent() throws {
        func id(_ more: String) throws -> UUID {
            try #require(batch(#"{"event":"subscription_added","distinct_id":"u"\#(more)}"#).events.first).id
        }
        let item = #","properties":{"catalogue_item_id":"\#(makeID(2).lowercased)","$sdk":"1"}"#
        #expect(try id(item) == id(item.replacing(#","$sdk":"1""#, with: #","$sdk":"2""#)))
        #expect(try id(item) != id(""))
        #expect(try id(#","timestamp":"2026-11-20T09:00:00Z""#) != id(""))
    }

    @Test func repairsTheClock() throws {
        let batch = try batch(
            event(), more: #","sent_at":"2026-11-20T09:30:00.000001+00:00","historical_migration":false"#)
        #expect(batch.events.first?.timestamp.rfc3339 == "2026-11-20T09:30:00Z")
    }

    @Test(arguments: [
        (#"{"batch":[],"api_key":"other"}"#, PostHogBatchParser.Failure.wrongKey), (#"{"batch":[]}"#, .wrongKey),
        (#"{"batch":[],"api_key":7}"#, .wrongKey), ("[]", .notAnObject), (#"{"api_key":"phc_k"}"#, .noBatch),
        (#"{"api_key":"phc_k","batch":null}"#, .noBatch), (#"{"api_key":"phc_k","batch":{}}"#, .wrongBatch),
    ])
    func refusesTheWhole(_ json: String, _ failure: PostHogBatchParser.Failure) {
        #expect(throws: failure) { try parse(json) }
    }

    @Test func refusesWhatIsNoJSON() {
        #expect(throws: PostHogBatchParser.Failure.self) { try parse(#"{"api_key":"phc_k","batch":[}"#) }
    }

    /// Who knows a sender's id must not find the events in an export.
    @Test func anIDOfContentNeedsTheSecretOfTheDatabase() throws {
        let json = #"{"batch":[{"event":"app_opened","distinct_id":"ann@example.org"}],"api_key":"phc_k"}"#
        let ids = try [1, 1, 2].map { try #require(try parse(json, secret: $0).events.first).id }
        #expect(ids[0] == ids[1])
        #expect(ids[0] != ids[2])
    }
}

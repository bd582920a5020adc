import BackendTestKit
import EventLog
import Foundation
import JSONWire
import SubGuardDomain
import Testing

@testable import Telemetry

struct EventParserTests {
    private static let id = "01890a5d-ac96-774b-bcce-b302099a8057"
    private static let user = String(repeating: "0f", count: 32)
    private static let receivedAt = "2026-11-20T10:00:00Z"

    private func parse(_ body: String, receivedAt: String = Self.receivedAt) throws -> EventBatch {
        try EventParser.parse(Array(body.utf8), receivedAt: try instant(receivedAt))
    }

    /// An event's members as JSON.
    private func json(_ changes: [String: String] = [:], without missing: String? = nil) -> String {
        var members = [
            "id": "\"\(Self.id)\"", "name": "\"app_opened\"", "user_id": "\"\(Self.user)\"",
            "timestamp": "\"2026-11-20T09:59:59.123Z\"",
        ]
        for (name, value) in changes { members[name] = value }
        if let missing { members[missing] = nil }
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    private func code(_ event: String, receivedAt: String = Self.receivedAt) throws -> EventRejection? {
        let batch = try parse("[\(event)]", receivedAt: receivedAt)
        #expect(batch.events.count + batch.rejected.count == 1)
        #expect(batch.rejected.first?.index ?? 0 == 0)
        return batch.rejected.first?.code
    }

    @Test func takesABareArrayAndAnObject() throws {
        for body in ["[\(json())]", " {\"events\" : [\(json())] }\n"] {
            let batch = try parse(body)
            let event = try #require(batch.events.first)
            #expect(batch.rejected.isEmpty)
            #expect(event.id == UUID(uuidString: Self.id))
            #expect(event.definition.name == "app_opened")
            #expect(event.userID.bytes == [UInt8](repeating: 0x0F, count: 32))
            #expect(event.timestamp == (try instant("2026-11-20T09:59:59.123Z")))
            #expect(event.properties == nil)
            #expect(batch.byteCount == body.utf8.count)
        }
    }

    @Test func aBadEventNeverCostsItsNeighbours() throws {
        let bad = ["null", "[]", "\"x\"", "1e400", "{}", "[{\"id\":[[[]]]}]", json(["name": "\"nope\""])]
        let body = "[" + bad.map { $0 + "," + json() }.joined(separator: ",") + "]"
        let batch = try parse(body)
        #expect(batch.events.count == bad.count)
        #expect(batch.rejected.map(\.index) == bad.indices.map { 2 * $0 })
        #expect(batch.rejected.map(\.code) == Array(repeating: .invalidEvent, count: 6) + [.unknownEvent])
        #expect(batch.rejected.allSatisfy { $0.detail == $0.code.detail })
    }

    @Test(arguments: [
        ("id", "\"\"", EventRejection.invalidID), ("id", "\"01890a5dac96774bbcceb302099a8057\"", .invalidID),
        ("id", "7", .invalidID), ("id", "null", .invalidID), ("id", "{\"a\":1}", .invalidID),
        ("name", "\"App_Opened\"", .unknownEvent), ("name", "\"\"", .unknownEvent), ("name", "7", .invalidEvent),
        ("user_id", "\"\"", .invalidUserID), ("user_id", "\"\(String(repeating: "0F", count: 32))\"", .invalidUserID),
        ("user_id", "\"\(String(repeating: "0f", count: 31))0g\"", .invalidUserID), ("user_id", "7", .invalidUserID),
        ("timestamp", "\"2026-11-20T09:59:59\"", .invalidTimestamp), ("timestamp", "1763632799", .invalidTimestamp),
        ("timestamp", "\"2025-02-29T09:59:59Z\"", .invalidTimestamp),
        ("properties", "[]", .invalidEvent), ("properties", "null", .invalidEvent),
        ("extra", "1", .invalidEvent), ("Id", "1", .invalidEvent),
    ])
    func refusesABadMemberWithItsCode(member: String, value: String, expected: EventRejection) throws {
        #expect(try code(json([member: value])) == expected)
    }

    @Test(arguments: [
        ("id", EventRejection.invalidID), ("name", .invalidEvent), ("user_id", .invalidUserID),
        ("timestamp", .invalidTimestamp),
    ])
    func refusesAMissingMemberWithItsCode(member: String, expected: EventRejection) throws {
        #expect(try code(json(without: member)) == expected)
    }

    @Test func refusesAMemberThatStandsTwiceEvenInEscapes() throws {
        let twice = json().dropLast() + ",\"na\\u006de\":\"app_opened\"}"
        #expect(try code(String(twice)) == .invalidEvent)
        let sameID = json().dropLast() + ",\"id\":\"\(Self.id)\"}"
        #expect(try code(String(sameID)) == .invalidEvent)
    }

    @Test func readsEscapedTextAsWhatItMeans() throws {
        let event = json(["name": #""app\u005fopened""#, "timestamp": #""2026-11-20T09:59:59\u005a""#])
        #expect(try code(event) == nil)
    }

    @Test func namesTheFirstRuleInTheOrderOfTheContract() throws {
        var changes = [
            "extra": "1", "id": "\"x\"", "name": "\"x\"", "user_id": "\"x\"", "timestamp": "\"x\"",
            "properties": "{\"x\":1}",
        ]
        var found: [EventRejection?] = []
        for member in ["", "extra", "id", "name", "user_id"] {
            changes[member] = nil
            found.append(try code(json(changes)))
        }
        #expect(found == [.invalidEvent, .invalidID, .unknownEvent, .invalidUserID, .invalidTimestamp])
        changes["timestamp"] = "\"2020-01-01T00:00:00Z\""
        #expect(try code(json(changes)) == .timestampOutOfRange)
        changes["timestamp"] = nil
        #expect(try code(json(changes)) == .propertyNotAllowed)
    }

    @Test(arguments: [
        ("2024-03-01T00:00:00Z", "2024-02-29T00:00:00Z", true),
        ("2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z", true),
        ("2026-11-20T10:00:00Z", "2026-11-21T10:00:00.001Z", false),
        ("2026-11-20T10:00:00Z", "2025-10-16T10:00:00Z", true),
        ("2026-11-20T10:00:00Z", "2025-10-16T09:59:59.999Z", false),
        ("2026-11-20T10:00:00Z", "2026-11-21T23:59:00+14:00", true),
    ])
    func holdsTimestampsToTheRange(receivedAt: String, timestamp: String, isTaken: Bool) throws {
        let found = try code(json(["timestamp": "\"\(timestamp)\""]), receivedAt: receivedAt)
        #expect(found == (isTaken ? nil : .timestampOutOfRange))
    }

    @Test func sentAtRepairsTheClockWhereverItStands() throws {
        // The device's clock is three years and an hour behind.
        let event = json(["timestamp": "\"2023-11-21T08:30:00Z\""])
        for body in [
            "{\"sent_at\":\"2023-11-21T09:00:00Z\",\"events\":[\(event)]}",
            "{\"events\":[\(event)],\"sent_at\":\"2023-11-21T10:00:00+01:00\"}",
        ] {
            let batch = try parse(body)
            #expect(batch.events.map(\.timestamp) == [try instant("2026-11-20T09:30:00Z")])
        }
        #expect(try parse("{\"events\":[\(event)]}").rejected.map(\.code) == [.timestampOutOfRange])
        let ahead = try parse("{\"events\":[\(json())],\"sent_at\":\"0001-01-01T00:00:00Z\"}")
        #expect(ahead.rejected.map(\.code) == [.timestampOutOfRange])
    }

    @Test func bringsPropertiesIntoOneForm() throws {
        let properties = """
            {"platform" : "ios", "app_version":"1.2 \\"b\\"",
            "catalogue_item_id":"01890A5D-AC96-774B-BCCE-B302099A8057", "locale":"fr_CH"}
            """
        let batch = try parse("[\(json(["name": "\"subscription_added\"", "properties": properties]))]")
        let event = try #require(batch.events.first)
        #expect(
            String(decoding: event.properties ?? [], as: UTF8.self)
                == #"{"app_version":"1.2 \"b\"","catalogue_item_id":"01890a5d-ac96-774b-bcce-b302099a8057","#
                + #""locale":"fr_CH","platform":"ios"}"#)
        #expect(try parse("[\(json(["properties": "{}"]))]").events.map(\.properties) == [nil])
    }

    @Test(arguments: [
        ("{\"amount\":\"12.34\"}", EventRejection.propertyNotAllowed),
        ("{\"catalogue_item_id\":\"\(Self.id)\"}", .propertyNotAllowed),
        ("{\"app_version\":1,\"note\":{}}", .propertyNotAllowed),
        ("{\"note\":1,\"app_version\":1}", .propertyNotAllowed),
        ("{\"app_version\":1}", .invalidProperty), ("{\"app_version\":null}", .invalidProperty),
        ("{\"app_version\":[{}]}", .invalidProperty), ("{\"app_version\":\"\"}", .invalidProperty),
        ("{\"app_version\":\"é\"}", .invalidProperty),
        ("{\"app_version\":\"1\",\"app_version\":\"1\"}", .invalidProperty),
    ])
    func refusesPropertiesBeyondTheRegistry(properties: String, expected: EventRejection) throws {
        #expect(try code(json(["properties": properties])) == expected)
    }

    @Test(arguments: ["1.5", "1e2", "-1", "36501", "99999999999999999999", "\"7\"", "true"])
    func refusesNumbersThatAreNoCountOfDays(value: String) throws {
        let event = json(["name": "\"premium_conversion\"", "properties": "{\"days_since_first_launch\":\(value)}"])
        #expect(try code(event) == .invalidProperty)
    }

    @Test(arguments: [
        #"{"events":[1],"events":[1]}"#, #"{"sent_at":"2026-11-20T10:00:00Z","sent_at":1,"events":[1]}"#,
        #"{"a":1,"a":2,"events":[1]}"#,
    ])
    func refusesANameThatStandsTwiceAsNoJSON(body: String) throws {
        let error = try #require(throws: EventParserError.self) { try parse(body) }
        #expect(error.isMalformed)
    }

    @Test(arguments: [
        ("7", ["# invalid_type"]), ("\"events\"", ["# invalid_type"]), ("null", ["# invalid_type"]),
        ("{}", ["#/events required"]), ("{\"events\":{}}", ["#/events invalid_type"]),
        ("{\"events\":null}", ["#/events required"]), ("[]", ["# out_of_range"]),
        ("{\"events\":[]}", ["#/events out_of_range"]),
        ("{\"batch\":[1],\"events\":[1]}", ["#/batch unknown_field"]),
        ("{\"a b\":1,\"events\":[1]}", ["#/a%20b unknown_field"]),
        ("{\"events\":[1],\"sent_at\":\"yesterday\"}", ["#/sent_at invalid_timestamp"]),
        ("{\"events\":[1],\"sent_at\":7}", ["#/sent_at invalid_type"]),
        ("{\"events\":[1],\"sent_at\":null}", ["#/sent_at required"]),
        (
            "{\"a\":1,\"sent_at\":{},\"b\":2}",
            [
                "#/a unknown_field", "#/sent_at invalid_type", "#/b unknown_field", "#/events required",
            ]
        ),
    ])
    func refusesAWholeRequestThatMakesNoSenseWithEveryFault(body: String, faults: [String]) throws {
        let error = try #require(throws: EventParserError.self) { try parse(body) }
        guard case .invalid(let errors) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(errors.map { "\($0.pointer) \($0.code.rawValue)" } == faults)
        #expect(!error.isMalformed)
    }

    @Test func countsTheFaultsThatItDoesNotName() throws {
        let unknown = (0..<3000).map { "\"x\($0)\":0," }.joined()
        let error = try #require(throws: EventParserError.self) { try parse("{\(unknown)\"events\":[1]}") }
        guard case .invalid(let errors) = error else {
            Issue.record("\(error)")
            return
        }
        #expect((errors.keptCount, errors.omitted) == (100, 2900))
    }

    @Test func takesNoItemWithAConversion() throws {
        let event = json([
            "name": "\"premium_conversion\"",
            "properties": "{\"catalogue_item_id\":\"\(Self.id)\",\"price_tier\":\"pro\"}",
        ])
        #expect(try code(event) == .propertyNotAllowed)
    }

    @Test(arguments: [
        "", " ", "{", "[{}", "[{}]]", "{\"events\":[1],}", "{\"batch\":1,\"events\":[tru]}", "[\"\u{1}\"]",
        "\u{FEFF}[]",
        "{\"events\":[1]}{}", "[1,]", "[01]", "['x']",
    ])
    func tellsWhatIsNoJSONFromWhatMakesNoSense(body: String) {
        #expect {
            try parse(body)
        } throws: { ($0 as? EventParserError)?.isMalformed == true }
    }

    @Test func refusesBytesThatAreNotUTF8() {
        #expect {
            try EventParser.parse([0x5B, 0x22, 0xFF, 0x22, 0x5D], receivedAt: UTCInstant(millisecondsSinceEpoch: 0))
        } throws: { ($0 as? EventParserError)?.isMalformed == true }
    }

    @Test func takesAThousandEventsAndNotOneMore() throws {
        let thousand = Array(repeating: json(), count: 1000).joined(separator: ",")
        #expect(try parse("[\(thousand)]").events.count == 1000)
        // The rest is not read.
        for body in ["[\(thousand),1]", "{\"events\":[\(thousand),1]}", "[\(thousand),1,x]"] {
            #expect(throws: EventParserError.tooManyEvents) { try parse(body) }
        }
    }
}

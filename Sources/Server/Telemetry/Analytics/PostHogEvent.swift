import Cryptography
package import EventLog
import Foundation
import JSONWire
import SubGuardDomain

/// One event of a PostHog batch.
struct PostHogEvent {
    private let object: JSONObject?
    private let ids: DerivedEventIDs

    init(_ value: JSONValue, _ ids: DerivedEventIDs) {
        object = value.objectValue
        self.ids = ids
    }

    /// Maximum properties of one event. Browser SDKs add about a hundred, and one per feature flag.
    static let maximumProperties = 500

    /// Reads only the members that are used, to bound memory. The first of repeated names counts. An event with too
    /// many properties becomes null.
    static func relevantPart(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
        guard try reader.peek() == .object else {
            try reader.skipValue()
            return .null
        }
        var object = JSONObject()
        var isTooLarge = false
        try reader.beginObject()
        while let name = try reader.nextKey() {
            switch name {
            case "event", "distinct_id", "uuid", "timestamp":
                let name = name.string
                let value = try reader.readScalar()
                if object[name] == nil { object.members.append((name, value)) }
            case "properties":
                guard object["properties"] == nil else {
                    try reader.skipValue()
                    continue
                }
                if let properties = try properties(&reader) {
                    object.members.append(("properties", properties))
                } else {
                    isTooLarge = true
                }
            default: try reader.skipValue()
            }
        }
        return isTooLarge ? .null : .object(object)
    }

    /// Keeps only properties that some event allows; nil if there are too many in total.
    private static func properties(_ reader: inout JSONReader) throws(JSONError) -> JSONValue? {
        guard try reader.peek() == .object else {
            try reader.skipValue()
            return .null
        }
        var object = JSONObject()
        var count = 0
        try reader.beginObject()
        while let name = try reader.nextKey() {
            count += 1
            let isKept =
                count <= maximumProperties
                && (name == "distinct_id" || name.withDecodedBytes { EventRegistry.hasProperty(named: $0) })
            guard isKept else {
                try reader.skipValue()
                continue
            }
            let text = name.string
            let value = try reader.readScalar()
            if object[text] == nil { object.members.append((text, value)) }
        }
        return count <= maximumProperties ? .object(object) : nil
    }

    func event(shiftMilliseconds: Int64, receivedAt: UTCInstant) throws(EventRejection) -> AnalyticsEvent {
        guard let object, let name = object["event"]?.stringValue else { throw .invalidEvent }
        guard let definition = EventRegistry.definition(named: name) else { throw .unknownEvent }
        let sender =
            object["distinct_id"].flatMap { $0.isNull ? nil : $0 }
            ?? object["properties"]?.objectValue?["distinct_id"]
        guard let distinctID = sender.flatMap({ Self.text($0) }), !distinctID.allSatisfy(\.isWhitespace) else {
            throw .invalidUserID
        }
        var timestamp = receivedAt
        if let given = object["timestamp"], !given.isNull {
            guard let instant = given.stringValue.flatMap({ SDKTime.instant($0) }) else { throw .invalidTimestamp }
            timestamp = instant.adding(milliseconds: shiftMilliseconds)
        }
        guard AnalyticsLimits.accepts(timestamp: timestamp, receivedAt: receivedAt) else { throw .timestampOutOfRange }
        let properties = properties(object, of: definition)
        return AnalyticsEvent(
            id: try id(object, name, distinctID, properties, on: receivedAt), definition: definition,
            userID: Self.userID(distinctID), timestamp: timestamp, properties: properties)
    }

    /// The `uuid`; for SDKs without one, an id derived from the event's content, so that a resent event counts once.
    /// Without a time either, the day of receipt stands for it: the same event of another day is another one.
    private func id(
        _ object: JSONObject, _ name: String, _ distinctID: String, _ properties: [UInt8]?, on receivedAt: UTCInstant
    ) throws(EventRejection) -> UUID {
        if let given = object["uuid"], !given.isNull {
            guard let id = given.stringValue.flatMap({ UUID(strict: $0) }) else { throw .invalidID }
            return id
        }
        let time = object["timestamp"]?.stringValue ?? receivedAt.day.iso
        let content = String(decoding: properties ?? [], as: UTF8.self)
        let text = [name, distinctID, time, content].map { "\($0.utf8.count):\($0)" }.joined()
        guard let id = ids.id(of: text) else { throw .invalidID }
        return id
    }

    /// 64 lower-case hexadecimal digits are taken as a hash; anything else is hashed, so that a name or mail address
    /// used as an id is never stored.
    private static func userID(_ distinctID: String) -> UserHash {
        var text = distinctID
        return text.withUTF8 { UserHash(hexadecimal: UnsafeRawBufferPointer($0)) }
            ?? UserHash(SHA256.hash(of: distinctID.utf8))
    }

    private static func text(_ value: JSONValue) -> String? {
        if case .number(let text) = value { return text }
        return value.stringValue
    }

    /// The allowed properties with valid values, sorted by name.
    private func properties(_ object: JSONObject, of definition: EventDefinition) -> [UInt8]? {
        var kept: [(name: String, value: JSONValue)] = []
        for member in object["properties"]?.objectValue?.members ?? [] {
            guard let property = definition.property(named: member.name),
                !kept.contains(where: { $0.name == property.name })
            else { continue }
            if let text = member.value.stringValue, property.kind.accepts(text: text) {
                kept.append((property.name, .string(property.kind == .uuid ? text.lowercased() : text)))
            } else if let integer = member.value.integerValue, property.kind.accepts(integer: integer) {
                kept.append((property.name, .number("\(integer)")))
            }
        }
        return kept.isEmpty ? nil : JSONValue.object(JSONObject(kept.sorted { $0.name < $1.name })).serialized()
    }
}

extension UserHash {
    init(_ digest: [UInt8]) {
        // A SHA-256 digest has 32 bytes.
        self = digest.withUnsafeBytes { UserHash(checked: $0) }
    }
}

/// The ids of events that came without one. Their content includes the sender's id, which may be a mail address, so
/// they are hashed with a secret of the database: a reader of an export cannot look for a known sender.
package struct DerivedEventIDs: Sendable {
    private let key: HMACKey

    package init(seed: EventIDSeed) {
        key = HMACKey(HMACKey(seed.bytes).code(for: "subguard ids of events without one".utf8))
    }

    /// The same for the same content in one database.
    func id(of content: String) -> UUID? { UUID(rawBytes: key.code(for: content.utf8).prefix(16)) }
}

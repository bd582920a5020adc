import EventLog
import Foundation
import JSONWire
import SubGuardDomain

/// One event as read: its members, each nil if missing or invalid. It is validated after the whole request is read,
/// because `sent_at` may follow the events.
struct EventCandidate {
    /// Whether it is not an object, or has a member that is unknown, repeated or of the wrong type.
    private var isMisshapen = false
    private var hasName = false
    private var id: UUID?
    private var definition: EventDefinition?
    private var userID: UserHash?
    private var timestamp: UTCInstant?
    private var properties = EventProperties.Reading.valid(nil)

    /// Reads any value to its end. Throws only for invalid JSON.
    static func read(_ reader: inout JSONReader) throws(JSONError) -> EventCandidate {
        var candidate = EventCandidate()
        guard try reader.peek() == .object else {
            candidate.isMisshapen = true
            try reader.skipValue()
            return candidate
        }
        try candidate.readMembers(&reader)
        return candidate
    }

    /// Returns the event, or throws the first broken rule in the order of the cases of `EventRejection`.
    func event(shiftMilliseconds: Int64, receivedAt: UTCInstant) throws(EventRejection) -> AnalyticsEvent {
        guard !isMisshapen, hasName else { throw .invalidEvent }
        guard let id else { throw .invalidID }
        guard let definition else { throw .unknownEvent }
        guard let userID else { throw .invalidUserID }
        guard let timestamp else { throw .invalidTimestamp }
        let repaired = timestamp.adding(milliseconds: shiftMilliseconds)
        guard AnalyticsLimits.accepts(timestamp: repaired, receivedAt: receivedAt) else { throw .timestampOutOfRange }
        switch properties {
        case .invalid(let rejection): throw rejection
        case .valid(let properties):
            return AnalyticsEvent(
                id: id, definition: definition, userID: userID, timestamp: repaired, properties: properties)
        }
    }

    private enum Member: UInt8 {
        case id = 1
        case name = 2
        case userID = 4
        case timestamp = 8
        case properties = 16

        init?(_ key: JSONText) {
            switch key {
            case "id": self = .id
            case "name": self = .name
            case "user_id": self = .userID
            case "timestamp": self = .timestamp
            case "properties": self = .properties
            default: return nil
            }
        }
    }

    private mutating func readMembers(_ reader: inout JSONReader) throws(JSONError) {
        var seen: UInt8 = 0
        // The event's name may follow its properties, so they are read last, from this copy of the reader.
        var propertiesReader: JSONReader?
        try reader.beginObject()
        while let key = try reader.nextKey() {
            guard let member = Member(key), seen & member.rawValue == 0 else {
                isMisshapen = true
                try reader.skipValue()
                continue
            }
            seen |= member.rawValue
            switch (member, try reader.peek()) {
            case (.properties, .object):
                propertiesReader = reader
                try reader.skipValue()
            case (.id, .string), (.name, .string), (.userID, .string), (.timestamp, .string):
                readText(of: member, try reader.readRawString())
            case (.name, _), (.properties, _):
                isMisshapen = true
                try reader.skipValue()
            default: try reader.skipValue()
            }
        }
        hasName = seen & Member.name.rawValue != 0
        if var propertiesReader, let definition, !isMisshapen {
            properties = try EventProperties.read(&propertiesReader, of: definition)
        }
    }

    private mutating func readText(of member: Member, _ text: JSONText) {
        switch member {
        case .id: id = text.withDecodedBytes { UUID(strictBytes: $0) }
        case .name: definition = text.withDecodedBytes { EventRegistry.definition(named: $0) }
        case .userID: userID = text.withDecodedBytes { UserHash(hexadecimal: $0) }
        case .timestamp: timestamp = text.withDecodedBytes { UTCInstant(rfc3339: $0) }
        case .properties: break
        }
    }
}

/// Limits on analytics events.
package enum AnalyticsLimits {
    /// Events in one request.
    package static let batchSize = 1...1000
    /// Maximum distance of a timestamp ahead of the server's clock: 24 hours.
    package static let maximumSecondsAhead: Int64 = 24 * 60 * 60
    /// Maximum distance of a timestamp behind the server's clock, in days of 24 hours.
    package static let maximumDaysBehind = 400
    /// Number of hexadecimal digits of a SHA-256.
    package static let userIDLength = 64
    /// Maximum size of a short text property, in bytes.
    package static let maximumTextBytes = 64

    /// Whether a server accepts the timestamp of an event received at `receivedAt`; both bounds are inclusive.
    package static func accepts(timestamp: UTCInstant, receivedAt: UTCInstant) -> Bool {
        timestamp >= receivedAt.adding(days: -maximumDaysBehind)
            && timestamp <= receivedAt.adding(seconds: maximumSecondsAhead)
    }

    /// Whether the bytes are 64 lower-case hexadecimal digits.
    package static func isUserID(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == userIDLength
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
                default: false
                }
            }
    }
}

/// Why an event was rejected; the raw value is its code on the wire.
///
/// The cases are in the order of the checks; the first one that applies is reported.
package enum EventRejection: String, Sendable, Hashable, CaseIterable, Error {
    /// Not an object, an unknown or repeated member, `name` missing or not a string, or `properties` not an object.
    case invalidEvent = "invalid_event"
    /// `id` is missing or not a UUID.
    case invalidID = "invalid_id"
    case unknownEvent = "unknown_event"
    /// `user_id` is missing or not 64 lower-case hexadecimal digits.
    case invalidUserID = "invalid_user_id"
    /// `timestamp` is missing or not an RFC 3339 date-time.
    case invalidTimestamp = "invalid_timestamp"
    /// More than 24 hours ahead of the server's clock or 400 days behind it, after correction of the clock difference.
    case timestampOutOfRange = "timestamp_out_of_range"
    /// A property that the registry does not list for this event.
    case propertyNotAllowed = "property_not_allowed"
    /// A property with a value of the wrong type.
    case invalidProperty = "invalid_property"

    /// One English sentence; never repeats a received value.
    package var detail: String {
        switch self {
        case .invalidEvent:
            "The event must be an object with id, name, user_id, timestamp and optional properties, each once."
        case .invalidID: "The id must be a UUID."
        case .unknownEvent: "No event of this name is in the registry."
        case .invalidUserID: "The user_id must be 64 lower-case hexadecimal digits."
        case .invalidTimestamp: "The timestamp must be an RFC 3339 date-time with a zone."
        case .timestampOutOfRange:
            "The timestamp is more than 24 hours ahead of the server's clock or more than 400 days behind it."
        case .propertyNotAllowed: "The event carries a property that is not allowed for it."
        case .invalidProperty: "The value of a property has the wrong type."
        }
    }
}

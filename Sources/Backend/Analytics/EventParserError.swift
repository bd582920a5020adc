package import JSONWire

/// Why a whole request of events is refused.
package struct EventParserError: Error, Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Not JSON at all, from the byte on that the error names.
        case malformed(JSONError)
        /// Neither an object nor an array.
        case wrongShape
        case missingEvents
        /// `events` is not an array.
        case invalidEvents
        case noEvents
        case tooManyEvents
        /// A member beside `events` and `sent_at`.
        case unknownField
        /// `sent_at` is not an RFC 3339 instant.
        case invalidSentAt
    }

    package let kind: Kind
    /// The part of the request that is wrong, as a JSON pointer; `#` for the whole.
    package let pointer: String

    /// Whether the text could not be parsed, rather than being JSON that makes no sense here.
    package var isMalformed: Bool {
        if case .malformed = kind { true } else { false }
    }

    /// The error as one of a field; its code is stable snake_case.
    package var fieldError: FieldError { FieldError(pointer: pointer, code: code, detail: detail) }

    package var code: String {
        switch kind {
        case .malformed: "malformed_json"
        case .wrongShape: "invalid_type"
        case .missingEvents: "required"
        case .invalidEvents: "invalid_type"
        case .noEvents: "too_few"
        case .tooManyEvents: "too_many"
        case .unknownField: "unknown_field"
        case .invalidSentAt: "invalid_timestamp"
        }
    }

    package var detail: String {
        switch kind {
        case .malformed(let error): error.description
        case .wrongShape: "The body must be an object with events, or an array of events."
        case .missingEvents: "The field events is missing."
        case .invalidEvents: "The field events must be an array."
        case .noEvents: "There must be at least one event."
        case .tooManyEvents: "There are more events than one request may carry."
        case .unknownField: "Only events and sent_at are taken."
        case .invalidSentAt: "The field sent_at must be an RFC 3339 date-time with a zone."
        }
    }
}

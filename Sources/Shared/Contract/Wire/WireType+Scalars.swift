package import Foundation
package import JSONWire
package import SubGuardDomain

extension WireType where Value == String {
    /// A constant text.
    package static func constant(_ text: String) -> WireType {
        WireType { _ in
            ["type": "string", "const": .string(text)]
        } example: {
            .string(text)
        } write: {
            $1.string($0)
        } read: { json, reading in
            guard let given = reading.text(json) else { return nil }
            if given != text { reading.note(.unknownValue, "Must be \(text).") }
            return given == text ? text : nil
        }
    }

    /// A text with a length in Unicode scalars, as counted by JSON Schema.
    ///
    /// - Parameters:
    ///   - pattern: the regular expression in the document. It is not evaluated: add a rule with ``checking(_:)``.
    ///   - format: the `format` in the document, such as `uri`.
    package static func text(
        _ characters: ClosedRange<Int> = 0...Int.max, pattern: String? = nil, format: String? = nil,
        example: String = "text"
    ) -> WireType {
        text(characters, pattern, format, example) {
            $0.unicodeScalars.count
        } sentence: {
            "Must have \($0.lowerBound) to \($0.upperBound) characters."
        }
    }

    /// A text with a length in bytes of UTF-8. The document states the same bounds
    /// in characters; no text within the byte bound has more characters.
    package static func text(
        bytes: ClosedRange<Int>, pattern: String? = nil, format: String? = nil, example: String = "text"
    ) -> WireType {
        text(bytes, pattern, format, example) {
            $0.utf8.count
        } sentence: {
            "Must have \($0.lowerBound) to \($0.upperBound) bytes."
        }
    }

    private static func text(
        _ bounds: ClosedRange<Int>, _ pattern: String?, _ format: String?, _ example: String,
        _ length: @escaping @Sendable (String) -> Int,
        sentence: @escaping @Sendable (ClosedRange<Int>) -> Sentence
    ) -> WireType {
        WireType { _ in
            var schema: JSONObject = ["type": "string"]
            if let format { schema.set("format", .string(format)) }
            if bounds.lowerBound > 0 { schema.set("minLength", .integer(bounds.lowerBound)) }
            if bounds.upperBound < .max { schema.set("maxLength", .integer(bounds.upperBound)) }
            if let pattern { schema.set("pattern", .string(pattern)) }
            return schema
        } example: {
            .string(example)
        } write: {
            $1.string($0)
        } read: { json, reading in
            guard let text = reading.text(json) else { return nil }
            guard !bounds.contains(length(text)) else { return text }
            if text.isEmpty {
                reading.note(.required, "Must not be empty.")
            } else {
                reading.note(.outOfRange, sentence(bounds))
            }
            return nil
        }
    }
}

extension WireType where Value == UUID {
    /// A UUID written by the server, in lower case.
    package static var id: WireType<UUID> {
        uuid("ID", "A UUID in lower case; the server makes version 7.", digits: "[0-9a-f]")
    }

    /// A UUID sent by a client, in either case.
    package static var givenID: WireType<UUID> {
        uuid("GivenID", "Any UUID with its hyphens, in either case.", digits: "[0-9A-Fa-f]")
    }

    private static func uuid(_ name: String, _ description: String, digits: String) -> WireType {
        parsed(
            name,
            [
                "description": .string(description), "type": "string", "format": "uuid",
                "pattern": .string("^" + [8, 4, 4, 4, 12].map { "\(digits){\($0)}" }.joined(separator: "-") + "$"),
            ], example: "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b", else: .invalidID, "Must be a UUID."
        ) {
            $1.string($0)
        } parse: {
            UUID(strict: $0)
        }
    }
}

extension WireType {
    /// A value that is written as a text.
    ///
    /// - Parameters:
    ///   - name: of the component of the document.
    ///   - keywords: its schema.
    ///   - parse: nil for a text that has the fault.
    static func parsed(
        _ name: String, _ keywords: JSONObject, example: JSONValue, else code: FaultCode, _ sentence: Sentence,
        write: @escaping @Sendable (Value, inout JSONWriter) -> Void, parse: @escaping @Sendable (String) -> Value?
    ) -> WireType {
        WireType {
            $0.reference(name) { _ in keywords }
        } example: {
            example
        } write: {
            write($0, &$1)
        } read: { json, reading in
            guard let text = reading.text(json) else { return nil }
            let value = parse(text)
            if value == nil { reading.note(code, sentence) }
            return value
        }
    }
}

extension WireType where Value == UTCInstant {
    /// An instant written by the server: RFC 3339 in UTC.
    package static var instant: WireType<UTCInstant> {
        instant(
            "Instant", "RFC 3339 in UTC, with milliseconds only when there are any.",
            "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
                + #"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{3})?Z$"#)
    }

    /// An instant sent by a client: RFC 3339 with any zone.
    package static var givenInstant: WireType<UTCInstant> {
        instant(
            "GivenInstant", "RFC 3339 with a zone and up to nine decimals of a second.",
            "^(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[Tt]"
                + #"(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):"#
                + #"[0-5][0-9])|23:59:60(?:\.[0-9]{1,9})?[Zz])$"#)
    }

    private static func instant(_ name: String, _ description: String, _ pattern: String) -> WireType {
        parsed(
            name,
            [
                "description": .string(description), "type": "string", "format": "date-time",
                "pattern": .string(pattern),
            ], example: "2026-11-20T10:00:00Z", else: .invalidTimestamp,
            "Must be an instant such as 2026-11-20T10:00:00Z."
        ) {
            $1.string($0)
        } parse: {
            UTCInstant(rfc3339: $0)
        }
    }
}

extension WireType where Value == CalendarDay {
    /// A calendar day as `YYYY-MM-DD`.
    package static var day: WireType<CalendarDay> {
        parsed(
            "Day",
            [
                "description": "A day in UTC.", "type": "string", "format": "date",
                "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
            ], example: "2026-11-20", else: .invalidDay, "Must be a day as YYYY-MM-DD."
        ) {
            $1.string($0.iso)
        } parse: {
            CalendarDay(iso: $0)
        }
    }
}

extension WireType where Value: FixedWidthInteger {
    /// An integer. Fractions and exponents are rejected even if their value is an integer.
    package static func integer(_ range: ClosedRange<Value> = Value.min...Value.max) -> WireType {
        WireType { _ in
            var schema: JSONObject = ["type": "integer"]
            if range.lowerBound > .min { schema.set("minimum", .integer(range.lowerBound)) }
            if range.upperBound < .max { schema.set("maximum", .integer(range.upperBound)) }
            return schema
        } example: {
            .integer(range.contains(1) ? 1 : range.lowerBound)
        } write: {
            $1.integer(Int64(clamping: $0))
        } read: { json, reading in
            if reading.isText {
                let digits = json.stringValue ?? ""
                let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
                if isNumber, let number = Value(digits), range.contains(number) { return number }
                reading.note(
                    .outOfRange, "Must be a whole number from \(range.lowerBound) to \(range.upperBound).")
                return nil
            }
            guard let number = json.integerValue else {
                if json.isWholeNumber {
                    reading.note(.outOfRange, "Must be from \(range.lowerBound) to \(range.upperBound).")
                } else {
                    reading.note(.invalidType, "Must be a whole number.")
                }
                return nil
            }
            guard let value = Value(exactly: number), range.contains(value) else {
                reading.note(.outOfRange, "Must be from \(range.lowerBound) to \(range.upperBound).")
                return nil
            }
            return value
        }
    }

    /// A non-negative integer, such as a count.
    package static var count: WireType { integer(0...Value.max) }
}

extension WireType where Value == Bool {
    package static var boolean: WireType {
        WireType { _ in
            ["type": "boolean"]
        } example: {
            true
        } write: {
            $1.bool($0)
        } read: { json, reading in
            if reading.isText {
                switch json.stringValue {
                case "true": return true
                case "false": return false
                default:
                    reading.note(.unknownValue, "Must be true or false.")
                    return nil
                }
            }
            if json.boolValue == nil { reading.note(.invalidType, "Must be true or false.") }
            return json.boolValue
        }
    }
}

extension WireType where Value: RawRepresentable & CaseIterable & Equatable, Value.RawValue == String {
    /// A case of an enumeration.
    package static var choice: WireType { choice(of: Array(Value.allCases)) }

    /// One of the given cases of an enumeration.
    package static func choice(of cases: [Value]) -> WireType {
        WireType { _ in
            ["type": "string", "enum": .array(cases.map { .string($0.rawValue) })]
        } example: {
            cases.first.map { .string($0.rawValue) } ?? .null
        } write: {
            $1.string($0.rawValue)
        } read: { json, reading in
            guard let word = reading.text(json) else { return nil }
            guard let value = Value(rawValue: word), cases.contains(value) else {
                reading.note(
                    .unknownValue, "Must be one of \(cases.map(\.rawValue).joined(separator: ", ")).")
                return nil
            }
            return value
        }
    }
}

extension WireType where Value == JSONValue {
    /// Any JSON described by `schema`; it is not validated.
    package static func json(_ schema: JSONObject, example: JSONValue) -> WireType {
        WireType(hasNull: true) { _ in
            schema
        } example: {
            example
        } write: {
            $1.value($0)
        } read: { json, _ in
            json
        }
    }
}

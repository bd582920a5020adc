import Foundation
import JSONWire
import SubGuardDomain

/// The values of a crash report. Each reader consumes the next value, and returns nil after noting its fault.
extension CrashBody {
    mutating func id(
        _ reader: inout JSONReader, _ pointer: @autoclosure () -> JSONPointer
    ) throws(JSONError) -> UUID? {
        guard let text = try string(&reader, pointer()) else { return nil }
        let id = text.withDecodedBytes { UUID(strictBytes: $0) }
        if id == nil { note(pointer(), .invalidID, "Must be a UUID.") }
        return id
    }

    mutating func time(
        _ reader: inout JSONReader, _ pointer: @autoclosure () -> JSONPointer
    ) throws(JSONError) -> UTCInstant? {
        guard let text = try string(&reader, pointer()) else { return nil }
        let time = text.withDecodedBytes { UTCInstant(rfc3339: $0) }
        if time == nil { note(pointer(), .invalidTimestamp, "Must be an RFC 3339 date-time with a zone.") }
        return time
    }

    /// Reads a text of the kind that ``CrashRegistry`` requires at `path`.
    mutating func text(
        _ reader: inout JSONReader, _ path: String, _ pointer: @autoclosure () -> JSONPointer
    ) throws(JSONError) -> JSONValue? {
        guard let kind = CrashField.kept(at: path)?.kind else {
            try reader.skipValue()
            return nil
        }
        guard try reader.peek() == .string else {
            try refuseType(&reader, pointer(), kind.rule)
            return nil
        }
        let text = try reader.readString()
        if path == "level" {
            guard CrashLevel(rawValue: text) != nil else {
                note(pointer(), .unknownValue, "Must be debug, info, warning, error or fatal.")
                return nil
            }
        } else if let code = kind.fault(of: text) {
            note(pointer(), code, kind.rule)
            return nil
        }
        return .string(text)
    }

    mutating func flag(
        _ reader: inout JSONReader, _ pointer: @autoclosure () -> JSONPointer
    ) throws(JSONError) -> JSONValue? {
        guard try reader.peek() == .bool else {
            try refuseType(&reader, pointer(), "Must be true or false.")
            return nil
        }
        return .bool(try reader.readBool())
    }

    mutating func integer(
        _ reader: inout JSONReader, _ pointer: @autoclosure () -> JSONPointer, _ range: ClosedRange<Int64>
    ) throws(JSONError) -> Int64? {
        var rule: Sentence {
            range.upperBound == .max
                ? "Must be a whole number from \(range.lowerBound) on."
                : "Must be a whole number from \(range.lowerBound) to \(range.upperBound)."
        }
        guard try reader.peek() == .number else {
            try refuseType(&reader, pointer(), rule)
            return nil
        }
        guard let integer = try reader.readScalar().integerValue else {
            note(pointer(), .invalidType, rule)
            return nil
        }
        guard range.contains(integer) else {
            note(pointer(), .outOfRange, rule)
            return nil
        }
        return integer
    }

    private mutating func string(
        _ reader: inout JSONReader, _ pointer: @autoclosure () -> JSONPointer
    ) throws(JSONError) -> JSONText? {
        guard try reader.peek() == .string else {
            try refuseType(&reader, pointer(), "Must be a string.")
            return nil
        }
        return try reader.readRawString()
    }

    /// Converts a time to the server's clock. Nil, with a fault, if it is too far from it.
    mutating func repaired(_ time: UTCInstant, _ pointer: @autoclosure () -> JSONPointer) -> UTCInstant? {
        let repaired = time.adding(milliseconds: shiftMilliseconds)
        guard CrashLimits.accepts(timestamp: repaired, receivedAt: receivedAt) else {
            note(
                pointer(), .timestampOutOfRange,
                "Must not lie over 24 hours ahead of the server's clock or 30 days behind it.")
            return nil
        }
        return repaired
    }
}

/// Faults that do not depend on a value.
extension CrashBody {
    /// Notes the members that are missing. `required` and `given` are indexes of `names`.
    mutating func require(
        _ required: [Int], of names: [StaticString], _ given: Set<Int>, _ pointer: JSONPointer
    ) {
        for index in required where !given.contains(index) {
            note(pointer.member(names[index].description), .required, "Must be given.")
        }
    }

    /// Skips a value of another type than the field's. Null has the same fault as a missing value.
    mutating func refuseType(
        _ reader: inout JSONReader, _ pointer: @autoclosure () -> JSONPointer, _ rule: @autoclosure () -> Sentence
    ) throws(JSONError) {
        if try reader.peek() == .null {
            note(pointer(), .required, "Must not be null.")
        } else {
            note(pointer(), .invalidType, rule())
        }
        try reader.skipValue()
    }

    /// Notes an unknown member and skips its value.
    mutating func refuse(
        _ key: JSONText, _ pointer: @autoclosure () -> JSONPointer, _ reader: inout JSONReader
    ) throws(JSONError) {
        note(pointer().member(key.string), .unknownField, "There is no such field.")
        try reader.skipValue()
    }

    mutating func note(
        _ pointer: @autoclosure () -> JSONPointer, _ code: FaultCode, _ detail: @autoclosure () -> Sentence
    ) {
        faults.note(Fault(pointer().text, code, detail()))
    }
}

/// Arranges the fields of a crash as an event of the Sentry protocol, so that the same code reads both.
struct CrashEventBuilder {
    var timestamp = UTCInstant.earliest
    var isHandled: JSONValue?
    var fingerprint: [JSONValue] = []
    /// Outermost first.
    var frames: [JSONValue] = []
    private var texts: [String: JSONValue] = [:]

    /// Nil leaves the field unset.
    mutating func set(_ text: JSONValue?, at path: String) { texts[path] = text }

    var value: JSONValue {
        var exception = members([("type", "exception.values[].type"), ("value", "exception.values[].value")])
        if let isHandled { exception.append(("mechanism", .object(JSONObject([("handled", isHandled)])))) }
        if !frames.isEmpty {
            exception.append(("stacktrace", .object(JSONObject([("frames", .array(frames))]))))
        }
        let system = members([("name", "contexts.os.name"), ("version", "contexts.os.version")])
        let device = members([("model", "contexts.device.model")])
        var event = members([
            ("platform", "platform"), ("release", "release"), ("dist", "dist"), ("environment", "environment"),
        ])
        event.append(("level", texts["level"] ?? .string("fatal")))
        event.append(("timestamp", .string(timestamp.rfc3339)))
        event.append(("exception", .object(JSONObject([("values", .array([.object(JSONObject(exception))]))]))))
        event.append(
            (
                "contexts",
                .object(JSONObject([("os", .object(JSONObject(system))), ("device", .object(JSONObject(device)))]))
            )
        )
        if !fingerprint.isEmpty { event.append(("fingerprint", .array(fingerprint))) }
        return .object(JSONObject(event))
    }

    private func members(_ names: [(name: String, path: String)]) -> [(name: String, value: JSONValue)] {
        names.compactMap { name, path in texts[path].map { (name, $0) } }
    }
}

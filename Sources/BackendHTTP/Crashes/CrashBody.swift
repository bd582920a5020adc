import Backend
import Foundation
import HTTPServer
import JSONWire
import SubGuardDomain

/// Reads the body of `POST /api/v1/crashes`. Everything wrong is noted; a field that is not listed here is wrong, so
/// that nothing personal comes in by mistake.
struct CrashBody {
    let receivedAt: UTCInstant
    private(set) var issues: [HTTPFailure.Issue] = []
    private var shiftMilliseconds: Int64 = 0

    init(receivedAt: UTCInstant) { self.receivedAt = receivedAt }

    /// Fields of a crash that are texts, with their place in ``CrashRegistry``.
    static let texts: [(name: String, path: String)] = [
        ("type", "exception.values[].type"), ("message", "exception.values[].value"), ("level", "level"),
        ("app_version", "release"), ("app_build", "dist"), ("environment", "environment"), ("platform", "platform"),
        ("os_name", "contexts.os.name"), ("os_version", "contexts.os.version"),
        ("device_model", "contexts.device.model"),
    ]
    /// Fields of a frame, with their place below that of the frame.
    static let frameTexts: [(name: String, path: String)] = [
        ("function", "function"), ("module", "module"), ("file", "filename"),
    ]

    /// Throws 422 with every fault.
    mutating func read(_ object: JSONObject) throws -> CrashSubmission {
        refuseUnknown(object, .root, ["sent_at", "crashes", "sessions"])
        readSentAt(object)
        var submission = CrashSubmission()
        var scrubber = CrashScrubber()
        for (object, pointer) in elements(of: object, "crashes") {
            if let report = crash(object, pointer, &scrubber) { submission.reports.append(report) }
        }
        for (object, pointer) in elements(of: object, "sessions") {
            if let count = count(object, pointer) { submission.counts.append(count) }
        }
        if object["crashes"] == nil, object["sessions"] == nil {
            note(.root, "required", "There must be crashes or sessions.")
        }
        guard issues.isEmpty else { throw HTTPFailure.invalid(issues) }
        submission.tally = CrashTally(scrubber)
        return submission
    }

    private mutating func readSentAt(_ object: JSONObject) {
        guard let value = object["sent_at"] else { return }
        guard let sentAt = value.stringValue.flatMap({ UTCInstant(rfc3339: $0) }) else {
            return note(JSONPointer.root.member("sent_at"), "invalid_timestamp", "Must be an RFC 3339 date-time.")
        }
        shiftMilliseconds = sentAt.milliseconds(until: receivedAt)
    }

    private mutating func elements(of object: JSONObject, _ name: String) -> [(JSONObject, JSONPointer)] {
        guard let value = object[name] else { return [] }
        let pointer = JSONPointer.root.member(name)
        guard let elements = value.arrayValue, CrashLimits.batchSize.contains(elements.count) else {
            note(pointer, "out_of_range", "Must be an array of at most \(CrashLimits.batchSize.upperBound) objects.")
            return []
        }
        return elements.enumerated().compactMap { index, element in
            let pointer = pointer.element(index)
            guard let object = element.objectValue else {
                note(pointer, "wrong_type", "Must be an object.")
                return nil
            }
            return (object, pointer)
        }
    }

    private mutating func crash(
        _ object: JSONObject, _ pointer: JSONPointer, _ scrubber: inout CrashScrubber
    ) -> CrashReport? {
        refuseUnknown(
            object, pointer, ["id", "timestamp", "handled", "fingerprint", "frames"] + Self.texts.map(\.name))
        let id = id(object, pointer)
        let timestamp = timestamp(object, "timestamp", pointer)
        var event = CrashEventBuilder()
        for (name, path) in Self.texts {
            guard let value = object[name] else {
                if name == "type" || name == "app_version" { note(pointer.member(name), "required", "Must be given.") }
                continue
            }
            event.set(text(value, path, pointer.member(name)), at: path)
        }
        if let level = object["level"]?.stringValue, CrashLevel(rawValue: level) == nil {
            note(pointer.member("level"), "unknown_level", "Must be debug, info, warning, error or fatal.")
        }
        if let handled = object["handled"] {
            if handled.boolValue == nil { note(pointer.member("handled"), "wrong_type", "Must be true or false.") }
            event.isHandled = handled
        }
        event.fingerprint = fingerprint(object, pointer)
        event.frames = frames(object, pointer)
        guard let id, let timestamp else { return nil }
        event.timestamp = timestamp
        return CrashReport(
            event: event.value, id: id, shiftMilliseconds: 0, receivedAt: receivedAt, scrubber: &scrubber)
    }

    private mutating func fingerprint(_ object: JSONObject, _ pointer: JSONPointer) -> [JSONValue] {
        guard let value = object["fingerprint"] else { return [] }
        let pointer = pointer.member("fingerprint")
        guard let parts = value.arrayValue, (1...5).contains(parts.count) else {
            note(pointer, "out_of_range", "Must be an array of 1 to 5 strings.")
            return []
        }
        return parts.enumerated().compactMap { text($1, "fingerprint[]", pointer.element($0)) }
    }

    /// The innermost frame comes first, as crash logs print them.
    private mutating func frames(_ object: JSONObject, _ pointer: JSONPointer) -> [JSONValue] {
        guard let value = object["frames"] else { return [] }
        let pointer = pointer.member("frames")
        guard let frames = value.arrayValue, CrashLimits.framesPerCrash.contains(frames.count) else {
            note(
                pointer, "out_of_range", "Must be an array of at most \(CrashLimits.framesPerCrash.upperBound) frames.")
            return []
        }
        return frames.enumerated().compactMap { frame($1, pointer.element($0)) }.reversed()
    }

    private mutating func frame(_ value: JSONValue, _ pointer: JSONPointer) -> JSONValue? {
        guard let object = value.objectValue else {
            note(pointer, "wrong_type", "Must be an object.")
            return nil
        }
        refuseUnknown(object, pointer, Self.frameTexts.map(\.name) + ["line", "in_app"])
        var frame = JSONObject()
        for (name, path) in Self.frameTexts {
            guard let value = object[name] else { continue }
            let place = "exception.values[].stacktrace.frames[].\(path)"
            if let text = text(value, place, pointer.member(name)) { frame.members.append((path, text)) }
        }
        if let line = object["line"] {
            if line.integerValue.map({ $0 >= 0 }) != true {
                note(pointer.member("line"), "out_of_range", "Must be a whole number from 0 on.")
            }
            frame.members.append(("lineno", line))
        }
        if let isInApp = object["in_app"] {
            if isInApp.boolValue == nil { note(pointer.member("in_app"), "wrong_type", "Must be true or false.") }
            frame.members.append(("in_app", isInApp))
        }
        return .object(frame)
    }

    private mutating func count(_ object: JSONObject, _ pointer: JSONPointer) -> SessionCount? {
        refuseUnknown(object, pointer, ["id", "started_at", "app_version", "total", "crashed"])
        let id = id(object, pointer)
        let startedAt = timestamp(object, "started_at", pointer)
        let release = object["app_version"].flatMap { text($0, "release", pointer.member("app_version")) }
        if object["app_version"] == nil { note(pointer.member("app_version"), "required", "Must be given.") }
        let total = integer(object, "total", pointer, CrashLimits.sessionsPerCount)
        let crashed = integer(object, "crashed", pointer, 0...(total ?? CrashLimits.sessionsPerCount.upperBound))
        guard let id, let startedAt, let release = release?.stringValue, let total, let crashed else { return nil }
        return SessionCount(
            id: id, startedAt: startedAt, release: release,
            tally: SessionTally(sessions: total, crashed: crashed, errored: crashed))
    }
}

// MARK: Values

extension CrashBody {
    private mutating func id(_ object: JSONObject, _ pointer: JSONPointer) -> UUID? {
        let id = object["id"]?.stringValue.flatMap { UUID(strict: $0) }
        if id == nil { note(pointer.member("id"), "invalid_id", "Must be a UUID.") }
        return id
    }

    /// A moment of the server's clock.
    private mutating func timestamp(_ object: JSONObject, _ name: String, _ pointer: JSONPointer) -> UTCInstant? {
        guard let timestamp = object[name]?.stringValue.flatMap({ UTCInstant(rfc3339: $0) }) else {
            note(pointer.member(name), "invalid_timestamp", "Must be an RFC 3339 date-time with a zone.")
            return nil
        }
        let repaired = timestamp.adding(milliseconds: shiftMilliseconds)
        guard CrashLimits.accepts(timestamp: repaired, receivedAt: receivedAt) else {
            note(
                pointer.member(name), "timestamp_out_of_range",
                "Must not lie over 24 hours ahead of the server's clock or 30 days behind it.")
            return nil
        }
        return repaired
    }

    private mutating func text(_ value: JSONValue, _ path: String, _ pointer: JSONPointer) -> JSONValue? {
        guard let kind = CrashField.kept(at: path)?.kind else { return nil }
        guard let text = value.stringValue, kind.accepts(text) else {
            note(pointer, "invalid_value", kind.rule)
            return nil
        }
        return value
    }

    private mutating func integer(
        _ object: JSONObject, _ name: String, _ pointer: JSONPointer, _ range: ClosedRange<Int64>
    ) -> Int64? {
        guard let integer = object[name]?.integerValue, range.contains(integer) else {
            note(
                pointer.member(name), "out_of_range",
                "Must be a whole number from \(range.lowerBound) to \(range.upperBound).")
            return nil
        }
        return integer
    }

    private mutating func refuseUnknown(_ object: JSONObject, _ pointer: JSONPointer, _ known: [String]) {
        for member in object.members where !known.contains(member.name) {
            note(pointer.member(member.name), "unknown_field", "There is no such field.")
        }
    }

    private mutating func note(_ pointer: JSONPointer, _ code: String, _ detail: String) {
        issues.append(HTTPFailure.Issue(pointer: pointer.text, code: code, detail: detail))
    }
}

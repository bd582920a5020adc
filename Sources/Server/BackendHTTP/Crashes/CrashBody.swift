import Foundation
import HTTPServer
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

/// Parses the body of `POST /api/v1/crashes` (declared by ``CrashReports``) from its bytes without building a tree. All
/// faults are collected; unknown fields are faults, so that no personal data is stored by mistake.
///
/// Unused values are skipped, so any body costs little more than scanning its bytes.
struct CrashBody {
    let receivedAt: UTCInstant
    var faults = FaultList()
    /// Added to all times: the device's clock is that far behind the server's.
    private(set) var shiftMilliseconds: Int64 = 0
    private var scrubber = CrashScrubber()
    private var submission = CrashSubmission()

    init(receivedAt: UTCInstant) { self.receivedAt = receivedAt }

    private static let names: [StaticString] = ["sent_at", "crashes", "sessions"]

    /// Throws 400 for malformed JSON, and 422 with all faults.
    mutating func read(_ body: [UInt8]) throws(HTTPFailure) -> CrashSubmission {
        do throws(JSONError) {
            try JSONReader.read(body) { reader throws(JSONError) in
                try readRoot(&reader)
                try reader.finish()
            }
        } catch {
            throw HTTPFailure(error)
        }
        guard faults.isEmpty else { throw .invalid(faults) }
        submission.tally = CrashTally(scrubber)
        return submission
    }

    /// `sent_at` may follow the lists and shifts all their times, so the lists are parsed last, from copies of the
    /// reader.
    private mutating func readRoot(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.peek() == .object else {
            note(.root, .invalidType, "The body must be an object.")
            return try reader.skipValue()
        }
        var crashes: JSONReader?
        var sessions: JSONReader?
        try reader.readMembers(Self.names) { index, key, reader throws(JSONError) in
            switch index {
            case 0: try readSentAt(&reader)
            case 1:
                crashes = reader
                try reader.skipValue()
            case 2:
                sessions = reader
                try reader.skipValue()
            default: try refuse(key, .root, &reader)
            }
            return true
        }
        if crashes == nil, sessions == nil { note(.root, .required, "Must have crashes or sessions.") }
        if var crashes { try readCrashes(&crashes) }
        if var sessions { try readSessions(&sessions) }
    }

    private mutating func readSentAt(_ reader: inout JSONReader) throws(JSONError) {
        guard let sentAt = try time(&reader, .root.member("sent_at")) else { return }
        shiftMilliseconds = sentAt.milliseconds(until: receivedAt)
    }

    private mutating func readCrashes(_ reader: inout JSONReader) throws(JSONError) {
        let place = JSONPointer.root.member("crashes")
        try readObjects(&reader, at: place, CrashLimits.batchSize.upperBound) { body, index, reader throws(JSONError) in
            guard let report = try body.crash(&reader, place.element(index)) else { return }
            body.submission.reports.append(report)
        }
    }

    private mutating func readSessions(_ reader: inout JSONReader) throws(JSONError) {
        let place = JSONPointer.root.member("sessions")
        try readObjects(&reader, at: place, CrashLimits.batchSize.upperBound) { body, index, reader throws(JSONError) in
            guard let count = try body.count(&reader, place.element(index)) else { return }
            body.submission.counts.append(count)
        }
    }

    /// Calls `read`, which must consume the element, for each object in an array. Stops before the first element beyond
    /// `maximum`.
    private mutating func readObjects(
        _ reader: inout JSONReader, at place: JSONPointer, _ maximum: Int,
        _ read: (inout CrashBody, Int, inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        guard try reader.peek() == .array else {
            return try refuseType(&reader, place, "Must be an array of at most \(maximum) objects.")
        }
        var index = 0
        try reader.beginArray()
        while try reader.nextElement() {
            guard index < maximum else {
                note(place, .outOfRange, "Must be an array of at most \(maximum) objects.")
                // Skips this and all remaining elements; the caller continues after the array.
                try reader.skipValue()
                while try reader.nextElement() { try reader.skipValue() }
                return
            }
            if try reader.peek() == .object {
                try read(&self, index, &reader)
            } else {
                try refuseType(&reader, place.element(index), "Must be an object.")
            }
            index += 1
        }
    }
}

// MARK: Crashes

extension CrashBody {
    private static let crashNames: [StaticString] = [
        "type", "message", "level", "app_version", "app_build", "environment", "platform", "os_name", "os_version",
        "device_model", "id", "timestamp", "handled", "fingerprint", "frames",
    ]

    private mutating func crash(
        _ reader: inout JSONReader, _ pointer: JSONPointer
    ) throws(JSONError) -> CrashReport? {
        var event = CrashEventBuilder()
        var id: UUID?
        var time: UTCInstant?
        var given: Set<Int> = []
        try reader.readMembers(Self.crashNames) { index, key, reader throws(JSONError) in
            guard let index else {
                try refuse(key, pointer, &reader)
                return true
            }
            given.insert(index)
            switch index {
            case CrashReports.Crash.texts.indices:
                let (name, path) = CrashReports.Crash.texts[index]
                event.set(try text(&reader, path, pointer.member(name)), at: path)
            case 10: id = try self.id(&reader, pointer.member("id"))
            case 11: time = try self.time(&reader, pointer.member("timestamp"))
            case 12: event.isHandled = try flag(&reader, pointer.member("handled"))
            case 13: event.fingerprint = try fingerprint(&reader, pointer.member("fingerprint"))
            default: event.frames = try frames(&reader, pointer.member("frames"))
            }
            return true
        }
        require([0, 3, 10, 11], of: Self.crashNames, given, pointer)
        let timestamp = time.flatMap { repaired($0, pointer.member("timestamp")) }
        // After a fault nothing is stored; the rest is parsed only to find further faults.
        guard faults.isEmpty, let id, let timestamp else { return nil }
        event.timestamp = timestamp
        return CrashReport(
            event: event.value, id: id, shiftMilliseconds: 0, receivedAt: receivedAt, scrubber: &scrubber)
    }

    private mutating func fingerprint(
        _ reader: inout JSONReader, _ pointer: JSONPointer
    ) throws(JSONError) -> [JSONValue] {
        guard try reader.peek() == .array else {
            try refuseType(&reader, pointer, "Must be an array of 1 to 5 strings.")
            return []
        }
        var parts: [JSONValue] = []
        var count = 0
        try reader.beginArray()
        while try reader.nextElement() {
            if count < 5 {
                if let text = try text(&reader, "fingerprint[]", pointer.element(count)) { parts.append(text) }
            } else {
                try reader.skipValue()
            }
            count += 1
        }
        if !(1...5).contains(count) { note(pointer, .outOfRange, "Must be an array of 1 to 5 strings.") }
        return parts
    }

    /// The innermost frame comes first, as crash logs print them.
    private mutating func frames(
        _ reader: inout JSONReader, _ pointer: JSONPointer
    ) throws(JSONError) -> [JSONValue] {
        var frames: [JSONValue] = []
        try readObjects(&reader, at: pointer, CrashLimits.framesPerCrash.upperBound) {
            body, index, reader throws(JSONError) in
            frames.append(try body.frame(&reader, pointer, index))
        }
        return frames.reversed()
    }

    private static let frameNames: [StaticString] = ["function", "module", "file", "line", "in_app"]

    private mutating func frame(
        _ reader: inout JSONReader, _ list: JSONPointer, _ place: Int
    ) throws(JSONError) -> JSONValue {
        var frame = JSONObject()
        try reader.readMembers(Self.frameNames) { index, key, reader throws(JSONError) in
            switch index {
            case let index? where index < CrashReports.Frame.texts.count:
                let (name, path) = CrashReports.Frame.texts[index]
                let field = "exception.values[].stacktrace.frames[].\(path)"
                if let text = try text(&reader, field, list.element(place).member(name)) {
                    frame.members.append((path, text))
                }
            case 3:
                if let line = try integer(&reader, list.element(place).member("line"), 0...Int64.max) {
                    frame.members.append(("lineno", .integer(line)))
                }
            case 4:
                if let flag = try flag(&reader, list.element(place).member("in_app")) {
                    frame.members.append(("in_app", flag))
                }
            default: try refuse(key, list.element(place), &reader)
            }
            return true
        }
        return .object(frame)
    }
}

// MARK: Sessions

extension UTCInstant {
    fileprivate var isWholeHour: Bool { millisecondsSinceEpoch % 3_600_000 == 0 }
}

extension CrashBody {
    /// Counts are for hours: with a clock that is seconds ahead, one that names the hour alone would count in the hour
    /// before.
    private func hour(nearest instant: UTCInstant) -> UTCInstant {
        let hours = (instant.millisecondsSinceEpoch + 1_800_000) / 3_600_000
        return min(UTCInstant(millisecondsSinceEpoch: hours * 3_600_000), receivedAt)
    }

    private static let countNames: [StaticString] = ["id", "started_at", "app_version", "total", "crashed"]

    private mutating func count(
        _ reader: inout JSONReader, _ pointer: JSONPointer
    ) throws(JSONError) -> SessionCount? {
        var id: UUID?
        var time: UTCInstant?
        var release: JSONValue?
        var given: Set<Int> = []
        var total: Int64?
        var crashed: Int64?
        try reader.readMembers(Self.countNames) { index, key, reader throws(JSONError) in
            if let index { given.insert(index) }
            switch index {
            case 0: id = try self.id(&reader, pointer.member("id"))
            case 1: time = try self.time(&reader, pointer.member("started_at"))
            case 2: release = try text(&reader, "release", pointer.member("app_version"))
            case 3: total = try integer(&reader, pointer.member("total"), CrashLimits.sessionsPerCount)
            case 4:
                let range = 0...CrashLimits.sessionsPerCount.upperBound
                crashed = try integer(&reader, pointer.member("crashed"), range)
            default: try refuse(key, pointer, &reader)
            }
            return true
        }
        require(Array(Self.countNames.indices), of: Self.countNames, given, pointer)
        let startedAt = time.flatMap { time in
            repaired(time, pointer.member("started_at")).map { time.isWholeHour ? hour(nearest: $0) : $0 }
        }
        if let total, let crashed, crashed > total {
            note(pointer.member("crashed"), .outOfRange, "Must be a whole number from 0 to \(total), the total.")
        }
        guard faults.isEmpty, let id, let startedAt, let release = release?.stringValue, let total, let crashed
        else { return nil }
        return SessionCount(
            id: id, startedAt: startedAt, release: release,
            tally: SessionTally(sessions: total, crashed: crashed, errored: crashed))
    }
}

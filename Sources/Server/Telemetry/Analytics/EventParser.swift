package import EventLog
package import JSONWire
package import SubGuardDomain

/// Parses an analytics batch, the body of `POST /api/v1/analytics`, in one pass and without building a dictionary or a
/// tree.
package enum EventParser {
    /// Reads an object with `events` and, optionally, `sent_at`, in any order; or a bare array of events.
    ///
    /// A bad event is reported in the batch and does not affect the others. Errors of the whole request are thrown,
    /// invalid JSON first, except for a request with too many events, which is not read to its end. With `sent_at`,
    /// every timestamp is shifted by the difference between the two clocks, `receivedAt` minus `sent_at`, before its
    /// range is checked.
    package static func parse(_ body: [UInt8], receivedAt: UTCInstant) throws(EventParserError) -> EventBatch {
        var request = Request()
        do {
            try JSONReader.read(body) { reader throws(JSONError) in
                try request.read(&reader)
                if !request.hasTooMany { try reader.finish() }
            }
        } catch {
            throw .malformed(error)
        }
        guard !request.hasTooMany else { throw .tooManyEvents }
        guard request.errors.isEmpty else { throw .invalid(request.errors) }
        return batch(request, receivedAt: receivedAt, byteCount: body.count)
    }

    private static func batch(_ request: Request, receivedAt: UTCInstant, byteCount: Int) -> EventBatch {
        let shift = request.sentAt.map { $0.milliseconds(until: receivedAt) } ?? 0
        var events: [AnalyticsEvent] = []
        events.reserveCapacity(request.candidates.count)
        var rejected: [RejectedEvent] = []
        for (index, candidate) in request.candidates.enumerated() {
            do {
                events.append(try candidate.event(shiftMilliseconds: shift, receivedAt: receivedAt))
            } catch {
                rejected.append(RejectedEvent(index: index, code: error, detail: error.detail))
            }
        }
        return EventBatch(events: events, rejected: rejected, receivedAt: receivedAt, byteCount: byteCount)
    }

    /// The state of parsing. Faults are collected to the end, because only complete JSON counts as invalid rather than
    /// malformed.
    private struct Request {
        var candidates: [EventCandidate] = []
        var sentAt: UTCInstant?
        var errors = FaultList()
        /// Parsing ends as soon as this is set.
        var hasTooMany = false
        private var hasEvents = false

        mutating func read(_ reader: inout JSONReader) throws(JSONError) {
            switch try reader.peek() {
            case .array: try readEvents(&reader, pointer: "#")
            case .object: try readObject(&reader)
            default:
                note("#", .invalidType, "Must be an object with events, or an array of events.")
                try reader.skipValue()
            }
        }

        private mutating func readObject(_ reader: inout JSONReader) throws(JSONError) {
            var unknown: Set<String> = []
            try reader.readMembers(["events", "sent_at"]) { index, key, reader throws(JSONError) in
                switch index {
                case 0:
                    hasEvents = true
                    try readEvents(&reader, pointer: "#/events")
                case 1: try readSentAt(&reader)
                default:
                    // A repeated name is ambiguous, so it is malformed.
                    guard errors.isFull || unknown.insert(key.string).inserted else {
                        throw JSONError(offset: reader.offset(of: key), reason: .duplicateName)
                    }
                    note(
                        JSONPointer.root.member(key.string).text, .unknownField, "Only events and sent_at are allowed.")
                    try reader.skipValue()
                }
                return !hasTooMany
            }
            if !hasEvents { note("#/events", .required, "Must be given.") }
        }

        private mutating func readEvents(_ reader: inout JSONReader, pointer: String) throws(JSONError) {
            guard try reader.peek() == .array else {
                let isNull = try reader.peek() == .null
                note(
                    pointer, isNull ? .required : .invalidType,
                    isNull ? "Must not be null." : "Must be an array of events.")
                return try reader.skipValue()
            }
            try reader.beginArray()
            while try reader.nextElement() {
                guard candidates.count < AnalyticsLimits.batchSize.upperBound else {
                    hasTooMany = true
                    return
                }
                candidates.append(try EventCandidate.read(&reader))
            }
            if candidates.isEmpty { note(pointer, .outOfRange, "There must be at least one event.") }
        }

        private mutating func readSentAt(_ reader: inout JSONReader) throws(JSONError) {
            let kind = try reader.peek()
            sentAt = try reader.readStringOrSkip()?.withDecodedBytes { UTCInstant(rfc3339: $0) }
            guard sentAt == nil else { return }
            switch kind {
            case .string: note("#/sent_at", .invalidTimestamp, "Must be an RFC 3339 date-time with a zone.")
            case .null: note("#/sent_at", .required, "Must not be null.")
            default: note("#/sent_at", .invalidType, "Must be a string.")
            }
        }

        private mutating func note(
            _ pointer: @autoclosure () -> String, _ code: FaultCode, _ detail: @autoclosure () -> Sentence
        ) {
            errors.note(Fault(pointer(), code, detail()))
        }
    }
}

/// Why a whole request of events is rejected.
package enum EventParserError: Error, Sendable, Hashable {
    /// Not JSON, from the given byte on.
    case malformed(JSONError)
    /// More events than allowed in one request.
    case tooManyEvents
    /// Valid JSON with faults around the events; every fault is listed.
    case invalid(FaultList)

    /// Whether the text is malformed rather than invalid.
    package var isMalformed: Bool {
        if case .malformed = self { true } else { false }
    }

    /// One sentence for the client's developer.
    package var detail: String {
        switch self {
        case .malformed(let error): error.description
        case .tooManyEvents: "A request carries at most \(AnalyticsLimits.batchSize.upperBound) events."
        case .invalid(let errors): errors.first?.detail ?? ""
        }
    }
}

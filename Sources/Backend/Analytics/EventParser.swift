import JSONWire
package import SubGuardDomain

/// Reads a request of events from its bytes, without a dictionary or a tree in between.
package enum EventParser {
    /// Takes an object with `events` and, if wanted, `sent_at`, in any order; or a bare array of events.
    ///
    /// A bad event is reported in the batch and never costs its neighbours. What makes the whole request unusable is
    /// thrown, and bytes that are no JSON before anything else. With `sent_at`, every timestamp is moved by the difference
    /// between the two clocks, `receivedAt` less `sent_at`, before its range is checked.
    package static func parse(_ body: [UInt8], receivedAt: UTCInstant) throws(EventParserError) -> EventBatch {
        var request = Request()
        do {
            try JSONReader.read(body) { reader throws(JSONError) in
                try request.read(&reader)
                try reader.finish()
            }
        } catch {
            throw EventParserError(kind: .malformed(error), pointer: "#")
        }
        if let error = request.error { throw error }
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

    /// What has been read of the body. The first error is kept while reading goes on, because only a text that is JSON to
    /// its end may be called invalid rather than malformed.
    private struct Request {
        var candidates: [EventCandidate] = []
        var sentAt: UTCInstant?
        var error: EventParserError?
        private var hasEvents = false

        mutating func read(_ reader: inout JSONReader) throws(JSONError) {
            switch try reader.peek() {
            case .array: try readEvents(&reader, pointer: "#")
            case .object: try readObject(&reader)
            default:
                note(.wrongShape, "#")
                try reader.skipValue()
            }
        }

        private mutating func readObject(_ reader: inout JSONReader) throws(JSONError) {
            var names: Set<String> = []
            try reader.beginObject()
            while let key = try reader.nextKey() {
                // A name that stands twice can be read in two ways, so it is no JSON of ours anywhere.
                guard names.insert(key.string).inserted else {
                    throw JSONError(offset: reader.offset(of: key), reason: .duplicateName)
                }
                switch key {
                case "events":
                    hasEvents = true
                    try readEvents(&reader, pointer: "#/events")
                case "sent_at": try readSentAt(&reader)
                default:
                    note(.unknownField, JSONPointer.root.member(key.string).text)
                    try reader.skipValue()
                }
            }
            if !hasEvents { note(.missingEvents, "#/events") }
        }

        private mutating func readEvents(_ reader: inout JSONReader, pointer: String) throws(JSONError) {
            guard try reader.peek() == .array else {
                note(.invalidEvents, pointer)
                return try reader.skipValue()
            }
            try reader.beginArray()
            while try reader.nextElement() {
                guard candidates.count < AnalyticsLimits.batchSize.upperBound else {
                    note(.tooManyEvents, pointer)
                    try reader.skipValue()
                    continue
                }
                candidates.append(try EventCandidate.read(&reader))
            }
            if candidates.isEmpty { note(.noEvents, pointer) }
        }

        private mutating func readSentAt(_ reader: inout JSONReader) throws(JSONError) {
            guard try reader.peek() == .string else {
                note(.invalidSentAt, "#/sent_at")
                return try reader.skipValue()
            }
            sentAt = try reader.readRawString().withDecodedBytes { UTCInstant(rfc3339: $0) }
            if sentAt == nil { note(.invalidSentAt, "#/sent_at") }
        }

        private mutating func note(_ kind: EventParserError.Kind, _ pointer: String) {
            if error == nil { error = EventParserError(kind: kind, pointer: pointer) }
        }
    }
}

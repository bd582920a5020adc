import Cryptography
package import EventLog
import Foundation
import JSONWire
package import SubGuardDomain

/// Reads batches of PostHog SDKs and maps them to the event registry.
package enum PostHogBatchParser {
    /// Why a whole batch is rejected.
    package enum Failure: Error, Sendable, Hashable {
        case malformed(String)
        case notAnObject
        /// Missing or null.
        case noBatch
        /// The batch is not an array.
        case wrongBatch
        case wrongKey
        case tooManyEvents
    }

    /// Events of one batch.
    package static let maximumEvents = 5000

    /// Unknown and incomplete events are dropped and counted as rejected; they never fail the batch. Properties that
    /// the registry does not allow are dropped, because SDKs add their own.
    ///
    /// No event is parsed before the key is verified. Some SDKs send the key first, others last: a batch before the key
    /// is skipped without storing anything, and parsed once the key is known.
    package static func parse(
        _ body: [UInt8], key: String, ids: DerivedEventIDs, receivedAt: UTCInstant
    ) throws(Failure) -> EventBatch {
        var request = Request(wanted: key)
        do {
            try JSONReader.read(
                body, maximumDepth: maximumDepth, replacesLoneSurrogates: true
            ) { reader throws(JSONError) in try request.read(&reader) }
        } catch {
            throw .malformed(error.description)
        }
        guard request.isObject else { throw .notAnObject }
        guard request.key == key else { throw .wrongKey }
        guard request.hasBatch else { throw request.hasWrongBatch ? .wrongBatch : .noBatch }
        guard !request.hasTooMany else { throw .tooManyEvents }
        let shift = request.sentAt.map { $0.milliseconds(until: receivedAt) } ?? 0
        var events: [AnalyticsEvent] = []
        var rejected: [RejectedEvent] = []
        for (index, candidate) in request.candidates.enumerated() {
            do throws(EventRejection) {
                events.append(try PostHogEvent(candidate, ids).event(shiftMilliseconds: shift, receivedAt: receivedAt))
            } catch {
                rejected.append(RejectedEvent(index: index, code: error, detail: error.detail))
            }
        }
        return EventBatch(events: events, rejected: rejected, receivedAt: receivedAt, byteCount: body.count)
    }

    /// Finds the key in the beginning of a body; nil if it is not there.
    package static func key(inPrefix prefix: [UInt8]) -> String? {
        var request = Request(wanted: nil)
        // The prefix ends in the middle of a value, so an error is expected.
        try? JSONReader.read(
            prefix, maximumDepth: maximumDepth, replacesLoneSurrogates: true
        ) { reader throws(JSONError) in try request.read(&reader) }
        return request.key
    }

    private static let maximumDepth = 128

    private struct Request {
        /// The correct key; nil to stop at any key.
        let wanted: String?
        var isObject = false
        var hasBatch = false
        /// Whether the batch is something else than an array or null.
        var hasWrongBatch = false
        var hasTooMany = false
        var key: String?
        var sentAt: UTCInstant?
        var candidates: [JSONValue] = []

        init(wanted: String?) { self.wanted = wanted }

        /// Stops at a wrong key or too many events; the rest is not read.
        mutating func read(_ reader: inout JSONReader) throws(JSONError) {
            guard try reader.peek() == .object else {
                try reader.skipValue()
                return try reader.finish()
            }
            isObject = true
            // A batch that preceded the key.
            var unread: JSONReader?
            try reader.beginObject()
            while let name = try reader.nextKey() {
                let kind = try reader.peek()
                switch name {
                case "api_key" where kind == .string, "token" where kind == .string:
                    let given = try reader.readString()
                    key = key ?? given
                    guard given == wanted else {
                        key = given
                        return
                    }
                case "sent_at" where kind == .string:
                    sentAt = SDKTime.instant(try reader.readString())
                case "batch" where kind == .array:
                    hasBatch = true
                    if key == nil {
                        unread = reader
                        try reader.skipValue()
                    } else {
                        try readBatch(&reader)
                        if hasTooMany { return }
                    }
                default:
                    if name == "batch", kind != .null { hasWrongBatch = true }
                    try reader.skipValue()
                }
            }
            try reader.finish()
            if var unread, key != nil { try readBatch(&unread) }
        }

        private mutating func readBatch(_ reader: inout JSONReader) throws(JSONError) {
            try reader.beginArray()
            while try reader.nextElement() {
                guard candidates.count < PostHogBatchParser.maximumEvents else {
                    hasTooMany = true
                    return
                }
                candidates.append(try PostHogEvent.relevantPart(&reader))
            }
        }
    }
}

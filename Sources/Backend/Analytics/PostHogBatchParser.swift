import Crypto
import Foundation
import JSONWire
package import SubGuardDomain

/// Reads the batches of PostHog SDKs and maps them onto the event registry.
package enum PostHogBatchParser {
    /// Why a batch is refused whole.
    package enum Failure: Error, Sendable, Hashable {
        case malformed(String)
        /// No object with `api_key` and `batch`.
        case wrongShape
        case wrongKey
        case tooManyEvents
    }

    /// Events of one batch.
    package static let maximumEvents = 5000

    /// Events that the registry does not know, and those that are not whole, are dropped and counted as rejected; they
    /// never fail the batch. Properties that the registry does not allow are dropped from the event: SDKs add their own.
    package static func parse(
        _ body: [UInt8], key: String, receivedAt: UTCInstant
    ) throws(Failure) -> EventBatch {
        var request = Request()
        do {
            try JSONReader.read(body, maximumDepth: 128) { reader throws(JSONError) in
                try request.read(&reader)
                try reader.finish()
            }
        } catch {
            throw .malformed(error.description)
        }
        guard request.isObject else { throw .wrongShape }
        guard let given = request.key else { throw .wrongKey }
        guard given == key else { throw .wrongKey }
        guard request.hasBatch else { throw .wrongShape }
        guard !request.hasTooMany else { throw .tooManyEvents }
        let shift = request.sentAt.map { $0.milliseconds(until: receivedAt) } ?? 0
        var events: [AnalyticsEvent] = []
        var rejected: [RejectedEvent] = []
        for (index, candidate) in request.candidates.enumerated() {
            do throws(EventRejection) {
                events.append(try PostHogEvent(candidate).event(shiftMilliseconds: shift, receivedAt: receivedAt))
            } catch {
                rejected.append(RejectedEvent(index: index, code: error, detail: error.detail))
            }
        }
        return EventBatch(events: events, rejected: rejected, receivedAt: receivedAt, byteCount: body.count)
    }

    private struct Request {
        var isObject = false
        var hasBatch = false
        var hasTooMany = false
        var key: String?
        var sentAt: UTCInstant?
        var candidates: [JSONValue] = []

        mutating func read(_ reader: inout JSONReader) throws(JSONError) {
            guard try reader.peek() == .object else { return try reader.skipValue() }
            isObject = true
            try reader.beginObject()
            while let name = try reader.nextKey() {
                switch (name.string, try reader.peek()) {
                case ("api_key", .string), ("token", .string): key = try reader.readString()
                case ("sent_at", .string): sentAt = UTCInstant(rfc3339: try reader.readString())
                case ("batch", .array): try readBatch(&reader)
                default: try reader.skipValue()
                }
            }
        }

        private mutating func readBatch(_ reader: inout JSONReader) throws(JSONError) {
            hasBatch = true
            try reader.beginArray()
            while try reader.nextElement() {
                if candidates.count < PostHogBatchParser.maximumEvents {
                    candidates.append(try PostHogEvent.relevantPart(&reader))
                } else {
                    hasTooMany = true
                    try reader.skipValue()
                }
            }
        }
    }
}

package import Foundation
import JSONWire
package import SubGuardDomain

/// Reads the items of an envelope. Unknown items are skipped and counted; a malformed item does not affect the others.
package enum EnvelopeReader {
    /// Maximum bytes of an event. A larger one is malformed.
    package static let maximumEventBytes = 1 << 20
    /// Maximum bytes of any other payload that is read.
    private static let maximumOtherBytes = 100 << 10
    private static let maximumSessions = 100

    /// Maximum bytes of an item's payload; nil for a type that is not read.
    static func maximumBytes(of type: String) -> Int? {
        switch type {
        case "event": maximumEventBytes
        case "session", "sessions", "client_report": maximumOtherBytes
        default: nil
        }
    }

    private static let maximumDepth = 64
    /// Maximum values of a payload other than an event: 100 buckets of sessions have about 700.
    private static let maximumValues = 5_000

    package static func read(_ envelope: Envelope, body: [UInt8], receivedAt: UTCInstant) -> CrashSubmission {
        var submission = CrashSubmission()
        let shift = envelope.sentAt.map { $0.milliseconds(until: receivedAt) } ?? 0
        for item in envelope.items {
            let label = CrashTally.label(item.type)
            guard maximumBytes(of: item.type) != nil else {
                submission.tally.skippedItems[label, default: 0] += 1
                continue
            }
            let payload = body[item.payload]
            let isRead =
                item.type == "event"
                ? takeEvent(payload, id: envelope.eventID, shift: shift, receivedAt: receivedAt, into: &submission)
                : takeOther(payload, item.type, shift: shift, into: &submission)
            if isRead {
                submission.tally.acceptedItems[label, default: 0] += 1
            } else {
                submission.tally.malformedItems[label, default: 0] += 1
            }
        }
        return submission
    }

    /// Reads one event, from an envelope or on its own. Returns false if it is too large or malformed.
    private static func takeEvent(
        _ json: ArraySlice<UInt8>, id: UUID?, shift: Int64, receivedAt: UTCInstant,
        into submission: inout CrashSubmission
    ) -> Bool {
        var scrubber = CrashScrubber()
        guard json.count <= maximumEventBytes,
            let report = CrashReport(
                json: json, id: id, shiftMilliseconds: shift, receivedAt: receivedAt, scrubber: &scrubber)
        else { return false }
        submission.reports.append(report)
        submission.tally.add(scrubber)
        return true
    }

    /// Reads the JSON of an event sent without an envelope, as old SDKs do. Counted like an item.
    package static func read(event json: [UInt8], receivedAt: UTCInstant) -> CrashSubmission {
        var submission = CrashSubmission()
        if takeEvent(json[...], id: nil, shift: 0, receivedAt: receivedAt, into: &submission) {
            submission.tally.acceptedItems["event"] = 1
        } else {
            submission.tally.malformedItems["event"] = 1
        }
        return submission
    }

    /// Returns false if the payload is malformed.
    private static func takeOther(
        _ json: ArraySlice<UInt8>, _ type: String, shift: Int64, into submission: inout CrashSubmission
    ) -> Bool {
        guard json.count <= maximumOtherBytes,
            let value = try? JSONValue.parse(
                Array(json), maximumDepth: maximumDepth, maximumValues: maximumValues, replacesLoneSurrogates: true)
        else { return false }
        switch type {
        case "session":
            guard submission.updates.count < maximumSessions,
                let update = SessionUpdate(value, shiftMilliseconds: shift, &submission.tally)
            else { return false }
            submission.updates.append(update)
        case "sessions":
            guard let (counts, unusable) = SessionCount.read(value, shiftMilliseconds: shift, &submission.tally),
                unusable == 0 || !counts.isEmpty
            else { return false }
            submission.counts += counts
        default:
            guard let object = value.objectValue else { return false }
            submission.tally.droppedByClients += dropped(object)
        }
        return true
    }

    /// The number of events that a client reports as dropped.
    private static func dropped(_ report: JSONObject) -> Int64 {
        (report["discarded_events"]?.arrayValue ?? []).prefix(100).reduce(0) { sum, entry in
            sum + min(max(entry.objectValue?["quantity"]?.integerValue ?? 0, 0), 1_000_000)
        }
    }
}

/// An envelope of the Sentry protocol, split into its items.
package struct Envelope: Sendable {
    package struct Item: Sendable {
        package let type: String
        /// Position of the payload in the body.
        package let payload: Range<Int>
    }

    /// The id in the envelope's header, which takes precedence over that of the event.
    package let eventID: UUID?
    /// When the client sent it, by the client's clock.
    package let sentAt: UTCInstant?
    /// The credentials in the header; nil if absent.
    package let dsn: EnvelopeDSN?
    /// Position of the header in the body, without its line feed.
    package let header: Range<Int>
    package let items: [Item]
}

/// The parts of a DSN that identify a sender: `scheme://key@host/path/project`.
package struct EnvelopeDSN: Sendable, Hashable {
    package let key: String
    package let projectID: String

    /// Of a whole DSN. Sentry's own have about 100.
    private static let maximumBytes = 512

    /// Nil if malformed. A secret after the key, as sent by old clients, is ignored.
    package init?(_ text: String) {
        let octets = Array(text.utf8)
        guard octets.count <= Self.maximumBytes, let scheme = octets.firstRange(of: Array("://".utf8)) else {
            return nil
        }
        let rest = octets[scheme.upperBound...]
        guard let at = rest.lastIndex(of: UInt8(ascii: "@")), let slash = rest.lastIndex(of: UInt8(ascii: "/")),
            at < slash
        else { return nil }
        key = String(decoding: rest[..<at].prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        projectID = String(decoding: rest[(slash + 1)...], as: UTF8.self)
        guard !key.isEmpty, !projectID.isEmpty else { return nil }
    }
}

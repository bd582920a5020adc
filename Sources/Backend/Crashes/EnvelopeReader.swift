import JSONWire
package import SubGuardDomain

/// Reads the items of an envelope. What is not known is skipped and counted, and a bad item costs none of its neighbours.
package enum EnvelopeReader {
    /// The largest event that is read. Larger ones are malformed.
    package static let maximumEventBytes = 1 << 20
    /// The largest payload of any other kind that is read.
    private static let maximumOtherBytes = 100 << 10
    private static let maximumSessions = 100
    private static let maximumDepth = 256

    package static func read(_ envelope: Envelope, body: [UInt8], receivedAt: UTCInstant) -> CrashSubmission {
        var submission = CrashSubmission()
        let shift = envelope.sentAt.map { $0.milliseconds(until: receivedAt) } ?? 0
        for item in envelope.items {
            let label = CrashTally.label(item.type)
            guard ["event", "session", "sessions", "client_report"].contains(item.type) else {
                submission.tally.skippedItems[label, default: 0] += 1
                continue
            }
            let limit = item.type == "event" ? maximumEventBytes : maximumOtherBytes
            let isRead =
                item.payload.count <= limit
                && (try? JSONValue.parse(Array(body[item.payload]), maximumDepth: maximumDepth)).map {
                    take($0, item.type, of: envelope, shift: shift, receivedAt: receivedAt, into: &submission)
                } == true
            if isRead {
                submission.tally.acceptedItems[label, default: 0] += 1
            } else {
                submission.tally.malformedItems[label, default: 0] += 1
            }
        }
        return submission
    }

    /// False for a payload that is not of the form of its kind.
    private static func take(
        _ value: JSONValue, _ type: String, of envelope: Envelope, shift: Int64, receivedAt: UTCInstant,
        into submission: inout CrashSubmission
    ) -> Bool {
        switch type {
        case "event":
            var scrubber = CrashScrubber()
            guard
                let report = CrashReport(
                    event: value, id: envelope.eventID, shiftMilliseconds: shift, receivedAt: receivedAt,
                    scrubber: &scrubber)
            else { return false }
            submission.reports.append(report)
            submission.tally.add(scrubber)
        case "session":
            guard submission.updates.count < maximumSessions,
                let update = SessionUpdate(value, shiftMilliseconds: shift)
            else { return false }
            submission.updates.append(update)
        case "sessions":
            guard let (counts, unusable) = SessionCount.read(value, shiftMilliseconds: shift),
                unusable == 0 || !counts.isEmpty
            else { return false }
            submission.counts += counts
        default:
            guard let object = value.objectValue else { return false }
            submission.tally.droppedByClients += dropped(object)
        }
        return true
    }

    /// How many events a client says that it dropped.
    private static func dropped(_ report: JSONObject) -> Int64 {
        (report["discarded_events"]?.arrayValue ?? []).prefix(100).reduce(0) { sum, entry in
            sum + min(max(entry.objectValue?["quantity"]?.integerValue ?? 0, 0), 1_000_000)
        }
    }
}

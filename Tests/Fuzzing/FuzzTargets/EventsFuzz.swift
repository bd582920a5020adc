import EventLog
import JSONWire
import SubGuardDomain
import Telemetry

/// Input: the body of `POST /api/v1/analytics`.
enum EventsFuzz {
    /// 2026-02-28T23:59:59.999Z, so that the timestamps of the corpus stay in range.
    private static let receivedAt = UTCInstant(millisecondsSinceEpoch: 1_772_323_199_999)

    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        let batch: EventBatch
        do {
            batch = try EventParser.parse(input, receivedAt: receivedAt)
        } catch {
            // Too many events are rejected before the end is read.
            try hold(
                error.isMalformed || error == .tooManyEvents || isJSON(input), "no JSON, and not called malformed")
            return
        }
        try hold(isJSON(input), "events from what is no JSON")
        let total = batch.events.count + batch.rejected.count
        try hold(AnalyticsLimits.batchSize.contains(total), "a batch of a size that is not allowed")
        if let value = try? JSONValue.parse(input) {
            let events = value.arrayValue ?? value.objectValue?["events"]?.arrayValue
            try hold(events?.count == total, "events neither taken nor refused")
        }
        let places = batch.rejected.map(\.index)
        try hold(places == Array(Set(places)).sorted() && places.allSatisfy { $0 < total }, "refusals out of place")
        for event in batch.events { try check(event) }
    }

    private static func check(_ event: AnalyticsEvent) throws(BrokenPromise) {
        try hold(
            AnalyticsLimits.accepts(timestamp: event.timestamp, receivedAt: receivedAt), "a timestamp out of range")
        guard let properties = event.properties else { return }
        guard let members = (try? JSONValue.parse(properties))?.objectValue?.members, !members.isEmpty else {
            throw BrokenPromise("properties that are no object with members")
        }
        let names = members.map(\.name)
        try hold(names == names.sorted(), "properties out of order")
        try hold(names.allSatisfy { event.definition.property(named: $0) != nil }, "a property that is not allowed")
    }

    private static func isJSON(_ input: [UInt8]) -> Bool {
        let read: Void? = try? JSONReader.read(input) { reader throws(JSONError) in
            try reader.skipValue()
            try reader.finish()
        }
        return read != nil
    }
}

package import Foundation
package import JSONWire
package import SubGuardDomain

extension CrashReport {
    /// Reads an event of the Sentry protocol; nil when it is no object. `id` wins over the event's own, and
    /// `shiftMilliseconds` repairs the sender's clock.
    ///
    /// A time that is missing or out of ``CrashLimits`` counts as now: the crash itself is worth more than its date.
    package init?(
        event: JSONValue, id: UUID?, shiftMilliseconds: Int64, receivedAt: UTCInstant,
        scrubber: inout CrashScrubber
    ) {
        guard let object = event.objectValue else { return nil }
        let kept = CrashFieldTree.kept.reduce(event, &scrubber)?.objectValue ?? JSONObject()
        let facts = CrashFacts(kept)
        let timestamp = object["timestamp"].flatMap { SentryTime.instant($0) }?.adding(milliseconds: shiftMilliseconds)
        let level = kept["level"]?.stringValue.flatMap { CrashLevel(rawValue: $0) }
        let inRange = timestamp.flatMap { CrashLimits.accepts(timestamp: $0, receivedAt: receivedAt) ? $0 : nil }
        self.init(
            id: id ?? object["event_id"]?.stringValue.flatMap { SentryID.uuid($0) },
            occurredAt: min(inRange ?? receivedAt, receivedAt), groupKey: facts.groupKey, title: facts.title,
            culprit: facts.culprit, platform: kept["platform"]?.stringValue,
            level: level ?? (facts.exception == nil ? .info : .error), release: kept["release"]?.stringValue,
            sample: JSONValue.object(kept).serialized())
    }
}

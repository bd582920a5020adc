package import Foundation
package import JSONWire
package import SubGuardDomain

extension CrashReport {
    /// Reads the JSON of an event of the Sentry protocol; nil if it is not a JSON object. See
    /// ``init(event:id:shiftMilliseconds:receivedAt:scrubber:)``.
    package init?(
        json: ArraySlice<UInt8>, id: UUID?, shiftMilliseconds: Int64, receivedAt: UTCInstant,
        scrubber: inout CrashScrubber
    ) {
        let event = json.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes, maximumDepth: Self.maximumDepth)
            do throws(JSONError) {
                let value = try CrashFieldTree.read.value(&reader)
                try reader.finish()
                return Optional(value)
            } catch {
                return nil
            }
        }
        guard let event else { return nil }
        self.init(
            event: event, id: id, shiftMilliseconds: shiftMilliseconds, receivedAt: receivedAt, scrubber: &scrubber)
    }

    /// SDKs send deeply nested local variables, which are skipped.
    private static let maximumDepth = 256

    /// Reads an event of the Sentry protocol; nil if it is not an object. `id` takes precedence over the event's own;
    /// `shiftMilliseconds` corrects the sender's clock.
    ///
    /// A missing time, or one outside ``CrashLimits``, is replaced by `receivedAt`.
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

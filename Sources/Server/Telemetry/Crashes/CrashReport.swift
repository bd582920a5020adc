package import Foundation
package import JSONWire
package import SubGuardDomain

/// The stored form of a crash, an error or a message, entirely scrubbed.
package struct CrashReport: Sendable, Hashable {
    /// Set by the sender and used to detect duplicates; nil if absent.
    package let id: UUID?
    package let occurredAt: UTCInstant
    /// Equal for reports with the same cause.
    package let groupKey: String
    package let title: String
    /// The location of the fault; nil without a stack trace.
    package let culprit: String?
    package let platform: String?
    package let level: CrashLevel
    package let release: String?
    /// Compact JSON of the fields that ``CrashRegistry`` lists.
    package let sample: [UInt8]

    package init(
        id: UUID?, occurredAt: UTCInstant, groupKey: String, title: String, culprit: String?, platform: String?,
        level: CrashLevel, release: String?, sample: [UInt8]
    ) {
        self.id = id
        self.occurredAt = occurredAt
        self.groupKey = groupKey
        self.title = title
        self.culprit = culprit
        self.platform = platform
        self.level = level
        self.release = release
        self.sample = sample
    }
}

extension CrashReport {
    /// Reads the JSON of an event of the Sentry protocol; nil if it is not a JSON object. See
    /// ``init(event:id:shiftMilliseconds:receivedAt:scrubber:)``.
    package init?(
        json: ArraySlice<UInt8>, id: UUID?, shiftMilliseconds: Int64, receivedAt: UTCInstant,
        scrubber: inout CrashScrubber
    ) {
        let event = json.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes, maximumDepth: Self.maximumDepth, replacesLoneSurrogates: true)
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
    /// A missing time, or one in the future, is replaced by `receivedAt`. A report may wait on a device for months, so
    /// an old time is kept: it decides whether the report reopens a resolved group.
    package init?(
        event: JSONValue, id: UUID?, shiftMilliseconds: Int64, receivedAt: UTCInstant,
        scrubber: inout CrashScrubber
    ) {
        guard let object = event.objectValue else { return nil }
        let unified = JSONValue.object(CrashEventShape.unified(object))
        let kept = CrashFieldTree.kept.reduce(unified, &scrubber)?.objectValue ?? JSONObject()
        let facts = CrashFacts(kept)
        let timestamp = object["timestamp"].flatMap { SentryTime.instant($0) }?.adding(milliseconds: shiftMilliseconds)
        let level = kept["level"]?.stringValue.flatMap { CrashLevel(rawValue: $0) }
        self.init(
            id: id ?? object["event_id"]?.stringValue.flatMap { SentryID.uuid($0) },
            occurredAt: min(timestamp ?? receivedAt, receivedAt), groupKey: facts.groupKey, title: facts.title,
            culprit: facts.culprit, platform: kept["platform"]?.stringValue,
            level: level ?? (facts.exception == nil ? .info : .error), release: kept["release"]?.stringValue,
            sample: JSONValue.object(kept).serialized())
    }
}

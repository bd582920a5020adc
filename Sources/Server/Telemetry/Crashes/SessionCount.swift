package import Foundation
import JSONWire
package import SubGuardDomain

/// Sessions aggregated by the client: how many began at about the same time with one release.
package struct SessionCount: Sendable, Hashable {
    /// Used to detect duplicates; nil if that is impossible.
    package let id: UUID?
    package let startedAt: UTCInstant
    package let release: String
    package let tally: SessionTally

    package init(id: UUID?, startedAt: UTCInstant, release: String, tally: SessionTally) {
        self.id = id
        self.startedAt = startedAt
        self.release = release
        self.tally = tally
    }

    /// Maximum sessions in one bucket of an aggregate.
    private static let maximumCount: Int64 = 1_000_000
    static let maximumBuckets = 100

    /// Reads an item of type `sessions`: the valid buckets, and the number of invalid ones. Nil for another shape.
    /// `tally` counts sessions in buckets of an unknown status, which are not in the result.
    static func read(
        _ value: JSONValue, shiftMilliseconds: Int64, _ tally: inout CrashTally
    ) -> (counts: [SessionCount], unusable: Int)? {
        guard let object = value.objectValue, let buckets = object["aggregates"]?.arrayValue,
            let release = object["attrs"]?.objectValue?["release"]?.stringValue
        else { return nil }
        let kept = ReleaseName.isValid(release) ? release : ReleaseName.other
        let counts = buckets.prefix(maximumBuckets).compactMap {
            read(bucket: $0, release: kept, shiftMilliseconds: shiftMilliseconds, &tally)
        }
        return (counts, buckets.count - counts.count)
    }

    private static func read(
        bucket: JSONValue, release: String, shiftMilliseconds: Int64, _ tally: inout CrashTally
    ) -> SessionCount? {
        guard let object = bucket.objectValue, let startedAt = object["started"].flatMap({ SentryTime.instant($0) })
        else { return nil }
        func count(_ name: String) -> Int64? {
            guard let value = object[name] else { return 0 }
            return value.integerValue.flatMap { (0...maximumCount).contains($0) ? $0 : nil }
        }
        // Unhandled: an error that nothing handled, but that did not end the program.
        let known = ["exited", "errored", "crashed", "abnormal", "unhandled"]
        for (name, value) in object.members where !known.contains(name) {
            if let count = value.integerValue, (1...maximumCount).contains(count) {
                tally.note(unknownStatus: name, count)
            }
        }
        guard let exited = count("exited"), let handled = count("errored"), let crashed = count("crashed"),
            let abnormal = count("abnormal"), let unhandled = count("unhandled"),
            exited + handled + crashed + abnormal + unhandled > 0
        else { return nil }
        let errored = handled + unhandled
        return SessionCount(
            id: nil, startedAt: startedAt.adding(milliseconds: shiftMilliseconds), release: release,
            tally: SessionTally(
                sessions: exited + errored + crashed + abnormal, crashed: crashed, abnormal: abnormal,
                errored: errored + crashed))
    }
}

/// The number of sessions by how they ended.
package struct SessionTally: Sendable, Hashable {
    package var sessions: Int64
    package var crashed: Int64
    package var abnormal: Int64
    /// Sessions with at least one error, crashes included.
    package var errored: Int64

    package init(sessions: Int64, crashed: Int64, abnormal: Int64 = 0, errored: Int64 = 0) {
        self.sessions = sessions
        self.crashed = crashed
        self.abnormal = abnormal
        self.errored = errored
    }
}

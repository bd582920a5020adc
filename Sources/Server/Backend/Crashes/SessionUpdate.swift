package import Foundation
import JSONWire
package import SubGuardDomain

/// One update of a session.
package struct SessionUpdate: Sendable, Hashable {
    package let id: UUID
    /// Whether the client marks this as its first update of the session.
    package let isFirst: Bool
    package let startedAt: UTCInstant
    package let status: SessionStatus
    /// Whether the session had an error; a crash counts as one, regardless of the error count.
    package let hasErrors: Bool
    package let release: String

    package init(
        id: UUID, isFirst: Bool, startedAt: UTCInstant, status: SessionStatus, hasErrors: Bool, release: String
    ) {
        self.id = id
        self.isFirst = isFirst
        self.startedAt = startedAt
        self.status = status
        self.hasErrors = hasErrors || status == .crashed
        self.release = release
    }

    /// Reads an item of type `session`; nil without an id, a start or a release, or with an unknown status, which
    /// `tally` counts. The user (`did`) and the IP address are ignored.
    init?(_ value: JSONValue, shiftMilliseconds: Int64, _ tally: inout CrashTally) {
        guard let object = value.objectValue, let id = object["sid"]?.stringValue.flatMap({ SentryID.uuid($0) }),
            let startedAt = object["started"].flatMap({ SentryTime.instant($0) }),
            let release = object["attrs"]?.objectValue?["release"]?.stringValue, ReleaseName.isValid(release)
        else { return nil }
        let word = object["status"]?.stringValue ?? "ok"
        // An error that nothing handled, but that did not end the program.
        let isUnhandled = word == "unhandled"
        guard let status = isUnhandled ? .exited : SessionStatus(rawValue: word) else {
            tally.note(unknownStatus: word)
            return nil
        }
        self.init(
            id: id, isFirst: object["init"]?.boolValue ?? false,
            startedAt: startedAt.adding(milliseconds: shiftMilliseconds), status: status,
            hasErrors: isUnhandled || (object["errors"]?.integerValue ?? 0) > 0, release: release)
    }
}

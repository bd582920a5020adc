package import Foundation
import JSONWire
package import SubGuardDomain

/// What is stored of a session while it may still change.
package struct SessionState: Sendable, Hashable {
    package private(set) var status: SessionStatus
    package private(set) var hasErrors: Bool

    /// The result of an update.
    package enum Outcome: Sendable, Hashable {
        case counted(SessionTally)
        /// The update changes nothing.
        case unchanged
        /// The session has ended, or is too old to change.
        case tooLate
    }

    /// The state after the first update of a session, and what it counts.
    package static func first(_ update: SessionUpdate) -> (state: SessionState, tally: SessionTally) {
        let state = SessionState(status: update.status, hasErrors: update.hasErrors)
        return (
            state,
            SessionTally(
                sessions: 1, crashed: update.status == .crashed ? 1 : 0,
                abnormal: update.status == .abnormal ? 1 : 0, errored: update.hasErrors ? 1 : 0)
        )
    }

    /// Whether an unknown session may be counted. A first update may arrive late, from a device that was offline; a
    /// later update counts only while the session's row cannot have been purged.
    package static func mayBegin(_ update: SessionUpdate, receivedAt: UTCInstant) -> Bool {
        guard CrashLimits.accepts(timestamp: update.startedAt, receivedAt: receivedAt) else { return false }
        return update.isFirst || update.startedAt >= receivedAt.adding(days: -CrashLimits.sessionUpdateDays)
    }

    /// Applies a further update. A final state is not changed, and an error is never withdrawn.
    package mutating func apply(_ update: SessionUpdate, knownSince: UTCInstant, receivedAt: UTCInstant) -> Outcome {
        guard !status.isFinal, receivedAt <= knownSince.adding(days: CrashLimits.sessionUpdateDays) else {
            return .tooLate
        }
        let before = self
        status = update.status
        hasErrors = hasErrors || update.hasErrors
        guard self != before else { return .unchanged }
        return .counted(
            SessionTally(
                sessions: 0, crashed: status == .crashed ? 1 : 0, abnormal: status == .abnormal ? 1 : 0,
                errored: hasErrors && !before.hasErrors ? 1 : 0))
    }
}

/// The state of a session, in the words of the Sentry protocol.
package enum SessionStatus: String, Sendable, CaseIterable {
    case ok, exited, crashed, abnormal

    /// Whether no update can change the session.
    package var isFinal: Bool { self != .ok }
}

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
    /// `tally` counts. A release whose name is not kept is ``ReleaseName/other``. The user (`did`) and the IP address
    /// are ignored.
    init?(_ value: JSONValue, shiftMilliseconds: Int64, _ tally: inout CrashTally) {
        guard let object = value.objectValue, let id = object["sid"]?.stringValue.flatMap({ SentryID.uuid($0) }),
            let startedAt = object["started"].flatMap({ SentryTime.instant($0) }),
            let release = object["attrs"]?.objectValue?["release"]?.stringValue
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
            hasErrors: isUnhandled || (object["errors"]?.integerValue ?? 0) > 0,
            release: ReleaseName.isValid(release) ? release : ReleaseName.other)
    }
}

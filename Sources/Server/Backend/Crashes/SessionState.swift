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

    package init(status: SessionStatus, hasErrors: Bool) {
        self.status = status
        self.hasErrors = hasErrors
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

package import SubGuardDomain

/// What is remembered of a session while it may change: how often it counts, and as what.
package struct SessionState: Sendable, Hashable {
    package private(set) var status: SessionStatus
    package private(set) var hasErrors: Bool

    /// What became of an update.
    package enum Outcome: Sendable, Hashable {
        case counted(SessionTally)
        /// It says nothing new.
        case unchanged
        /// The session has ended, or is too old to change.
        case tooLate
    }

    package init(status: SessionStatus, hasErrors: Bool) {
        self.status = status
        self.hasErrors = hasErrors
    }

    /// The state after the first message about a session, and what it counts.
    package static func first(_ update: SessionUpdate) -> (state: SessionState, tally: SessionTally) {
        let state = SessionState(status: update.status, hasErrors: update.hasErrors)
        return (
            state,
            SessionTally(
                sessions: 1, crashed: update.status == .crashed ? 1 : 0,
                abnormal: update.status == .abnormal ? 1 : 0, errored: update.hasErrors ? 1 : 0)
        )
    }

    /// Whether a session nobody has heard of may be counted. A first message may come late, from a device that was
    /// offline; another one only while the first cannot have been forgotten.
    package static func mayBegin(_ update: SessionUpdate, receivedAt: UTCInstant) -> Bool {
        guard CrashLimits.accepts(timestamp: update.startedAt, receivedAt: receivedAt) else { return false }
        return update.isFirst || update.startedAt >= receivedAt.adding(days: -CrashLimits.sessionUpdateDays)
    }

    /// Takes a further message in. A final state stays, and an error once told of is not taken back.
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

/// How a session stands, in the words of the Sentry protocol.
package enum SessionStatus: String, Sendable, CaseIterable {
    case ok, exited, crashed, abnormal

    /// Nothing changes such a session any more.
    package var isFinal: Bool { self != .ok }
}

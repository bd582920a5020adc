import BackendTestKit
import SubGuardDomain
import Telemetry
import Testing

@Suite struct SessionStateTests {
    private let started = "2026-11-20T10:00:00Z"

    private func update(_ status: SessionStatus, errors: Bool = false, isFirst: Bool = false, at: String? = nil) throws
        -> SessionUpdate
    {
        SessionUpdate(
            id: makeID(1), isFirst: isFirst, startedAt: try instant(at ?? started), status: status, hasErrors: errors,
            release: "1.0")
    }

    private func apply(_ update: SessionUpdate, to state: inout SessionState, at: String = "2026-11-20T10:05:00Z")
        throws -> SessionState.Outcome
    {
        state.apply(update, knownSince: try instant(started), receivedAt: try instant(at))
    }

    @Test(arguments: [
        (SessionStatus.ok, false, SessionTally(sessions: 1, crashed: 0)),
        (.ok, true, SessionTally(sessions: 1, crashed: 0, errored: 1)),
        (.exited, false, SessionTally(sessions: 1, crashed: 0)),
        (.crashed, false, SessionTally(sessions: 1, crashed: 1, errored: 1)),
        (.abnormal, false, SessionTally(sessions: 1, crashed: 0, abnormal: 1)),
    ])
    func countsTheFirstMessage(_ status: SessionStatus, _ errors: Bool, _ tally: SessionTally) throws {
        #expect(SessionState.first(try update(status, errors: errors)).tally == tally)
    }

    @Test func countsACrashOnceAndAsAnErrorToo() throws {
        var (state, _) = SessionState.first(try update(.ok))
        #expect(try apply(update(.ok), to: &state) == .unchanged)
        #expect(
            try apply(update(.ok, errors: true), to: &state)
                == .counted(SessionTally(sessions: 0, crashed: 0, errored: 1)))
        #expect(try apply(update(.crashed), to: &state) == .counted(SessionTally(sessions: 0, crashed: 1)))
        #expect(try apply(update(.crashed), to: &state) == .tooLate)
    }

    @Test(arguments: [SessionStatus.exited, .crashed, .abnormal], SessionStatus.allCases)
    func changesNothingAfterTheEnd(_ end: SessionStatus, _ next: SessionStatus) throws {
        var (state, _) = SessionState.first(try update(end))
        let before = state
        #expect(try apply(update(next, errors: true), to: &state) == .tooLate)
        #expect(state == before)
    }

    @Test func takesUpdatesForFiveDays() throws {
        var (state, _) = SessionState.first(try update(.ok))
        let other = state
        #expect(try apply(update(.exited), to: &state, at: "2026-11-25T10:00:00.001Z") == .tooLate)
        #expect(state == other)
        #expect(try apply(update(.exited), to: &state, at: "2026-11-25T10:00:00Z") != .tooLate)
    }

    @Test(arguments: [
        ("2026-10-21T10:00:00Z", true, true), ("2026-10-21T09:59:59Z", true, false),
        ("2026-11-15T10:00:00Z", false, true), ("2026-11-15T09:59:59Z", false, false),
        ("2026-11-21T10:00:00Z", false, true), ("2026-11-21T10:00:01Z", true, false),
    ])
    func beginsOnlyWhatCannotHaveBeenForgotten(_ startedAt: String, _ isFirst: Bool, _ mayBegin: Bool) throws {
        let update = try update(.ok, isFirst: isFirst, at: startedAt)
        #expect(SessionState.mayBegin(update, receivedAt: try instant("2026-11-20T10:00:00Z")) == mayBegin)
    }
}

import EventLog
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// How far the figures of an answer go.
package struct FigureStanding: Sendable, Hashable {
    /// The end of the last window.
    package let computedAt: UTCInstant
    /// The figures are exact for all events that were accepted before this moment. The moment of reading when they are
    /// complete.
    package let countedUntil: UTCInstant
    /// By which days are cut.
    package let calendar: ReportCalendar
    /// Whether every event that was accepted before the answer was read is in it, and its moment has come.
    package var isComplete: Bool { countedUntil >= computedAt }

    /// What holds in a snapshot of the store.
    ///
    /// - Parameter mark: what had been accepted when the figures were asked for.
    init(of mark: EventLogMark, now: UTCInstant, in session: any SQLSession) throws {
        let calendar = try ReportCalendar.load(in: session)
        let (state, lastBlock) = try EventFoldState.load(in: session)
        guard state.hasWork(upTo: lastBlock, now: now) else {
            self.init(completeAt: now, calendar)
            return
        }
        // More may have been accepted, or become due, since.
        guard !state.contains(mark) else {
            // Another process's fold may have gone further meanwhile. After the clock was set back, it was in the
            // future.
            self.init(completeAt: max(mark.moment, min(state.countedUntil, now)), calendar)
            return
        }
        // The plus keeps SQLite from walking the index by time over all old blocks.
        // A block is on disk after everything in it was received, so what was accepted before that is in earlier
        // blocks.
        let received =
            try session.first(
                "SELECT min(+received_at) FROM event_blocks WHERE id > ?", [.integer(state.foldedBlock)]
            ) { try $0.optionalInstant(0) } ?? nil
        let waiting = [received, state.nextDueAt?.adding(milliseconds: -1)].compactMap(\.self).min() ?? now
        self.init(computedAt: now, countedUntil: min(waiting, now.adding(milliseconds: -1)), calendar)
    }

    /// The same for all complete figures, and for all incomplete ones.
    package var timeless: FigureStanding {
        let start = UTCInstant(millisecondsSinceEpoch: 0)
        return FigureStanding(
            computedAt: start, countedUntil: isComplete ? start : start.adding(milliseconds: -1), calendar)
    }

    private init(computedAt: UTCInstant, countedUntil: UTCInstant, _ calendar: ReportCalendar) {
        self.calendar = calendar
        self.computedAt = computedAt
        self.countedUntil = countedUntil
    }

    /// Of figures that were complete at a moment.
    init(completeAt moment: UTCInstant, _ calendar: ReportCalendar) {
        self.calendar = calendar
        computedAt = moment
        countedUntil = moment
    }
}

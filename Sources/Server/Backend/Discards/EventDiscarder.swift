import SQLDatabase
import SubGuardDomain
import Synchronization

/// The state of the running discard in memory. Another process, or this one after a restart, reads it from the log
/// again.
final class EventDiscarder: Sendable {
    private struct Memory {
        var portion: DiscardPortion?
        /// The discard as this process left it.
        var known: EventDiscard?
        /// As it was last seen, and when it was first seen so.
        var seen: (discard: Int64, steps: Int64, since: ContinuousClock.Instant)?
    }

    let tuning: DiscardTuning
    private let memory = Mutex(Memory())

    init(tuning: DiscardTuning) { self.tuning = tuning }

    /// Calls `body` with the portion of the discard that comes next. It returns the discard as it is in the store
    /// afterwards, nil when another process has changed it, and whether the portion is needed again. When it throws,
    /// the portion is read again the next time.
    func withPortion(
        of discard: EventDiscard, in store: any SQLStore,
        _ body: (inout DiscardPortion) throws -> (discard: EventDiscard?, needsPortion: Bool)
    ) throws {
        try memory.withLock { memory in
            var portion: DiscardPortion
            if let held = memory.portion, memory.known == discard {
                portion = held
            } else {
                memory.portion = nil
                portion = try store.read { session in
                    try DiscardPortion(
                        discard.selection, after: discard.sweptBlock, through: discard.lastBlock,
                        mostEvents: tuning.eventsInAPortion, in: session)
                }
            }
            // Only here, so that it is changed in place.
            memory.portion = nil
            memory.known = nil
            let (known, needsPortion) = try body(&portion)
            memory.known = known
            if known != nil, needsPortion { memory.portion = portion }
        }
    }

    /// Whether a discard has made no progress for so long that another server may continue it.
    func isAbandoned(_ discard: EventDiscard) -> Bool {
        memory.withLock { memory in
            if memory.known == discard { return true }
            if let seen = memory.seen, seen.discard == discard.id, seen.steps == discard.stepCount {
                return seen.since.duration(to: .now) >= tuning.takeoverTimeout
            }
            memory.seen = (discard.id, discard.stepCount, .now)
            return tuning.takeoverTimeout <= .zero
        }
    }
}

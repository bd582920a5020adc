package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// What was accepted at a moment: events in blocks up to one, of which those count that happened by then.
package struct EventLogMark: Sendable {
    package let moment: UTCInstant
    package let lastBlock: Int64
}

/// How far the log is in the figures: the row of `event_folds`.
///
/// A fold takes some blocks, and of these every event whose moment has come when it begins. Its users are brought into
/// their pages in steps, in the order of their keys; what that adds to the figures is published with the last step, so
/// that figures are always those of whole folds.
package struct EventFoldState: Equatable {
    /// Blocks up to here are in the figures, but for their events after ``countedUntil``, which are ``DeferredEvents``.
    package var foldedBlock: Int64
    /// The last block of the fold under way; ``foldedBlock`` for one that only takes deferred events, and for none.
    package var foldingBlock: Int64
    /// The fold under way takes events up to this moment; `.earliest` when none is.
    package var foldingUntil: UTCInstant
    /// Users with keys up to this one are in their pages; nil before the first step.
    package var foldedKey: Int64?
    /// The latest moment up to which a fold has taken events. Stays when the clock is set back.
    package var countedUntil: UTCInstant
    /// When the next deferred event is due; nil for none.
    package var nextDueAt: UTCInstant?
    /// Blocks with events dated ahead that a rebuild left out: of each, the moment up to which its events are in the
    /// figures. The next fold takes these blocks.
    package var deferredBlocks: [Int64: UTCInstant]
    /// Increases with each change of stored users or deferred events that is no fold, see ``noteChange(in:)``.
    package private(set) var revision: Int64 = 0

    /// The state, and the newest block of the log at the same time.
    package static func load(in session: any SQLSession) throws -> (state: EventFoldState, lastBlock: Int64) {
        let nextDueAt = try DeferredEvents.nextDueAt(in: session)
        var deferredBlocks: [Int64: UTCInstant] = [:]
        try session.forEach("SELECT block_id, counted_until FROM deferred_blocks", []) { row in
            deferredBlocks[try row.integer(0)] = try row.instant(1)
        }
        let found = try session.first(
            """
            SELECT f.folded_block_id, f.folding_block_id, f.folding_until, f.folded_key, l.last_block_id,
                f.counted_until, f.revision
            FROM event_folds f JOIN event_log l ON l.id = f.id WHERE f.id = 1
            """
        ) { row in
            var state = EventFoldState(
                foldedBlock: try row.integer(0), foldingBlock: try row.integer(1), foldingUntil: try row.instant(2),
                foldedKey: try row.optionalInteger(3), countedUntil: try row.instant(5), nextDueAt: nextDueAt,
                deferredBlocks: deferredBlocks)
            state.revision = try row.integer(6)
            let last = try row.integer(4)
            guard (0...EventLogState.highestBlock).contains(last), (0...last).contains(state.foldedBlock),
                (state.foldedBlock...last).contains(state.foldingBlock)
            else { throw SQLError(code: .corrupt, number: 0, context: "event_folds") }
            return (state, last)
        }
        guard let found else {
            throw SQLError(code: .corrupt, number: 0, context: "event_folds row missing")
        }
        return found
    }

    package func save(in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            UPDATE event_folds SET folded_block_id = ?, folding_block_id = ?, folding_until = ?, folded_key = ?,
                counted_until = ?
            WHERE id = 1
            """,
            [
                .integer(foldedBlock), .integer(foldingBlock), .instant(foldingUntil), .integer(orNull: foldedKey),
                .instant(countedUntil),
            ])
    }

    /// Makes void what any process has worked out for its next fold: it was read from users or deferred events that
    /// this transaction changes. Call it wherever they change without a fold.
    package static func noteChange(in transaction: any SQLTransaction) throws {
        try transaction.execute("UPDATE event_folds SET revision = revision + 1 WHERE id = 1")
    }

    package var isFolding: Bool { foldingUntil > .earliest }

    /// Whether there are blocks up to `lastBlock`, or deferred events, that could be folded now.
    package func hasWork(upTo lastBlock: Int64, now: UTCInstant) -> Bool {
        foldedBlock < lastBlock || isFolding || hasDue(at: now)
    }

    /// Whether a deferred event's moment has come.
    func hasDue(at now: UTCInstant) -> Bool { !deferredBlocks.isEmpty || nextDueAt.map { $0 <= now } ?? false }

    /// Whether everything is in the figures that was accepted at a moment.
    package func contains(_ mark: EventLogMark) -> Bool { foldedBlock >= mark.lastBlock && !hasDue(at: mark.moment) }

    /// Whether an event is in the figures.
    package func isFolded(block: Int64, occurredAt: UTCInstant) -> Bool {
        block <= foldedBlock && occurredAt <= deferredBlocks[block] ?? countedUntil
    }

    /// Whether an event is in its user's page: it is in the figures, or the fold under way has come to its user.
    package func isStaged(key: Int64, block: Int64, occurredAt: UTCInstant) -> Bool {
        if isFolded(block: block, occurredAt: occurredAt) { return true }
        guard isFolding, let foldedKey, key <= foldedKey else { return false }
        return block <= foldingBlock && occurredAt <= foldingUntil
    }
}

extension EventFoldState {
    /// States what the figures contain after they were computed anew: the events of blocks up to one that occurred by a
    /// moment. A fold under way is dropped.
    ///
    /// - Parameter deferred: the blocks with later events, and the moment of the first of these.
    package static func replace(
        foldedBlock: Int64, countedUntil: UTCInstant, deferred: [Int64: UTCInstant], in transaction: any SQLTransaction
    ) throws {
        try EventFoldState(
            foldedBlock: foldedBlock, foldingBlock: foldedBlock, foldingUntil: .earliest, foldedKey: nil,
            countedUntil: countedUntil, nextDueAt: nil, deferredBlocks: [:]
        ).save(in: transaction)
        // The next fold copies the deferred events of these blocks.
        try transaction.execute("DELETE FROM deferred_events")
        try transaction.execute("DELETE FROM deferred_blocks")
        let insertion = SQLBatchStatement.insertion(
            into: "deferred_blocks", [.integer("block_id"), .integer("counted_until"), .integer("next_at")])
        try transaction.execute(
            insertion,
            rows: deferred.sorted { $0.key < $1.key }
                .map { [.integer($0.key), .instant(countedUntil), .instant($0.value)] })
    }
}

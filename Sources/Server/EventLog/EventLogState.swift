package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// How far the log has been written and indexed: the row of `event_log`. ``EventFoldState`` records how far it is
/// folded.
///
/// Every writing process first reads this row in its transaction. If it is unchanged, the process's in-memory state is
/// current; otherwise another process has written.
package struct EventLogState: Equatable {
    /// The newest block ever written; 0 before the first.
    package var lastBlock: Int64
    /// The ids of blocks up to and including this one are in runs.
    package var indexedBlock: Int64
    /// Incremented by each change of the runs.
    package var runRevision: Int64
    package let seed: EventIDSeed
    /// Events that occurred from this instant on are complete; nil if none were ever purged.
    package var completeFrom: UTCInstant?

    /// Equal to no stored row.
    package static let unknown = EventLogState(
        lastBlock: -1, indexedBlock: -1, runRevision: -1, seed: EventIDSeed(), completeFrom: nil)

    package static func load(in session: any SQLSession) throws -> EventLogState {
        let state = try session.first(
            "SELECT last_block_id, indexed_block_id, run_revision, id_seed, complete_from FROM event_log WHERE id = 1"
        ) { row in
            guard let seed = EventIDSeed(bytes: try row.blob(3)) else { throw SQLError.malformed("id_seed") }
            let state = EventLogState(
                lastBlock: try row.integer(0), indexedBlock: try row.integer(1), runRevision: try row.integer(2),
                seed: seed, completeFrom: try row.optionalInstant(4))
            guard state.isPlausible else { throw SQLError(code: .corrupt, number: 0, context: "event_log") }
            return state
        }
        guard let state else { throw SQLError(code: .corrupt, number: 0, context: "event_log row missing") }
        return state
    }

    package func save(in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            UPDATE event_log SET last_block_id = ?, indexed_block_id = ?, run_revision = ?, complete_from = ?
            WHERE id = 1
            """,
            [.integer(lastBlock), .integer(indexedBlock), .integer(runRevision), .instant(orNull: completeFrom)])
    }

    /// Whether the numbers are possible and leave room for counting on without overflow.
    private var isPlausible: Bool {
        (0...Self.highestBlock).contains(lastBlock) && (0...lastBlock).contains(indexedBlock)
            && (0...Self.highestBlock).contains(runRevision)
    }

    /// Reached by a block per microsecond after thirty thousand years.
    package static let highestBlock: Int64 = 1 << 60
}

package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// How far the log has been written and indexed: the row of `event_log`. How far it is in the figures tells
/// ``EventFoldState``.
///
/// Every process that writes reads it first in its transaction. When it is as the process left it, what the process knows of
/// the log still holds; otherwise another one has written meanwhile.
package struct EventLogState: Equatable {
    /// The newest block ever written; 0 before the first.
    package var lastBlock: Int64
    /// Ids of blocks up to here are in the runs.
    package var indexedBlock: Int64
    /// Grows whenever the runs change.
    package var runRevision: Int64
    package let seed: EventIDSeed
    /// Every event that occurred from then on is still there; nil while none was ever purged.
    package var completeFrom: UTCInstant?

    /// No row is like this one.
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

    /// Whether a log can be so far. What is counted from these numbers on must not run over, either.
    private var isPlausible: Bool {
        (0...Self.highestBlock).contains(lastBlock) && (0...lastBlock).contains(indexedBlock)
            && (0...Self.highestBlock).contains(runRevision)
    }

    /// A block each microsecond for thirty thousand years.
    package static let highestBlock: Int64 = 1 << 60
}

package import SQLDatabase
import SubGuardDomain

/// The progress of folding: the row of `event_folds`, written together with the counts.
package struct EventFoldState: Equatable {
    /// Blocks up to and including this one are in the figures.
    package var foldedBlock: Int64
    /// In blocks up to this one, users with hashes up to ``foldedUser`` are in the figures. Not above ``foldedBlock``
    /// if no fold is running.
    package var foldingBlock: Int64
    package var foldedUser: UserHash?

    /// Reads the progress and the newest block from the same snapshot.
    package static func load(in session: any SQLSession) throws -> (state: EventFoldState, lastBlock: Int64) {
        let found = try session.first(
            """
            SELECT f.folded_block_id, f.folding_block_id, f.folded_user_hash, l.last_block_id
            FROM event_folds f JOIN event_log l ON l.id = f.id WHERE f.id = 1
            """
        ) { row in
            let user = try row.blob(2)
            let state = EventFoldState(
                foldedBlock: try row.integer(0), foldingBlock: try row.integer(1), foldedUser: UserHash(bytes: user))
            let last = try row.integer(3)
            guard (0...EventLogState.highestBlock).contains(last), (0...last).contains(state.foldedBlock),
                (0...last).contains(state.foldingBlock), user.isEmpty == (state.foldedUser == nil)
            else { throw SQLError(code: .corrupt, number: 0, context: "event_folds") }
            return (state, last)
        }
        guard let found else { throw SQLError(code: .corrupt, number: 0, context: "event_folds row missing") }
        return found
    }

    package func save(in transaction: any SQLTransaction) throws {
        try transaction.execute(
            "UPDATE event_folds SET folded_block_id = ?, folding_block_id = ?, folded_user_hash = ? WHERE id = 1",
            [.integer(foldedBlock), .integer(foldingBlock), .blob(foldedUser?.bytes ?? [])])
    }

    package var isFolding: Bool { foldingBlock > foldedBlock }

    /// Whether a user's events in a block are in the figures.
    package func isFolded(_ user: UserHash, block: Int64) -> Bool {
        if block <= foldedBlock { return true }
        guard block <= foldingBlock, let foldedUser else { return false }
        return user <= foldedUser
    }
}

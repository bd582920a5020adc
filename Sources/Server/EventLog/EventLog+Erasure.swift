package import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Makes the events of devices anonymous: replaces a device's hash everywhere by a random one, so that all figures stay
/// and nothing leads back to the device. docs/events.md explains how.
extension EventLog {
    /// Performs a part of the requested erasures in one transaction. Returns whether work remains. It may be
    /// interrupted between two steps, and any process may take the next one.
    ///
    /// A sweep rewrites the log once for all devices with a pending request. No sweep begins during a discard or a
    /// rebuild of the figures; the next call after it does.
    ///
    /// - Parameter beginsNext: whether a step may begin a sweep. Otherwise only a running sweep continues, and the
    ///   result is whether it still runs.
    @discardableResult
    package func takeErasureStep(beginsNext: Bool = true) throws -> Bool {
        let now = self.now()
        let isDue = try store.read { session in
            if try ErasureSweep.isUnderWay(in: session) { return true }
            return try beginsNext && Self.isErasurePending(in: session) && !Self.isHeld(at: now, in: session)
        }
        guard isDue else { return false }
        // Folds most unfolded events before the transaction below blocks other writers.
        try settle()
        return try write { memory, transaction in
            if let sweep = try ErasureSweep(in: transaction) {
                try sweep.takeStep(in: transaction)
            } else if beginsNext {
                guard try Self.beginRewriting(at: now, in: transaction) else { return false }
                // A running fold is ordered by the keys of hashes, and unfolded events would be counted for the old
                // hash.
                try foldAll(in: transaction)
                try ErasureSweep.begin(
                    through: memory.state.lastBlock, in: transaction, makeHash: makeUserHash, rename: rename)
            }
            return try beginsNext
                ? Self.isErasurePending(in: transaction) : ErasureSweep.isUnderWay(in: transaction)
        }
    }

    /// Carries out what was requested before. Who asks meanwhile waits: requests without end would keep the caller from
    /// ever beginning.
    package func finishErasures() throws {
        while try takeErasureStep(beginsNext: false) {}
        try takeErasureStep()
        while try takeErasureStep(beginsNext: false) {}
    }

    package static func isErasurePending(in session: any SQLSession) throws -> Bool {
        try session.exists("SELECT 1 FROM analytics_erasures LIMIT 1")
    }
}

/// One pass over the log, for all devices whose users already have their new hash.
package struct ErasureSweep {
    /// The new hash for each old one.
    let replacements: [UserHash: UserHash]
    private let sweptBlock: Int64
    private let lastBlock: Int64

    /// Maximum blocks, and bytes of blocks, that a step rewrites.
    private static let blocksInAStep: Int64 = 200
    private static let bytesInAStep = 1 << 20

    /// Nil if no sweep is running.
    package init?(in session: any SQLSession) throws {
        var found: [UserHash: UserHash] = [:]
        var (swept, last): (Int64, Int64) = (.max, 0)
        try session.forEach(
            """
            SELECT user_hash, replacement_hash, swept_block_id, last_block_id FROM analytics_erasures
            WHERE replacement_hash IS NOT NULL
            """, []
        ) { row in
            guard let old = UserHash(bytes: try row.blob(0)), let new = UserHash(bytes: try row.blob(1)) else {
                throw SQLError.malformed("analytics_erasures")
            }
            found[old] = new
            swept = min(swept, try row.integer(2))
            last = max(last, try row.integer(3))
        }
        guard !found.isEmpty else { return nil }
        (replacements, sweptBlock, lastBlock) = (found, swept, last)
    }

    package static func isUnderWay(in session: any SQLSession) throws -> Bool {
        try session.exists("SELECT 1 FROM analytics_erasures WHERE replacement_hash IS NOT NULL LIMIT 1")
    }

    /// Assigns new hashes to the users of all pending requests, and begins the pass over the log. Call it when every
    /// event is in the figures. Requests of devices that never sent events are complete at once.
    static func begin(
        through lastBlock: Int64, in transaction: any SQLTransaction, makeHash: () -> [UInt8],
        rename: EventLog.Rename
    ) throws {
        let hashes = try transaction.query("SELECT user_hash FROM analytics_erasures") { try $0.blob(0) }
        var replacements: [UserHash: UserHash] = [:]
        for hash in hashes {
            guard let old = UserHash(bytes: hash), let new = UserHash(bytes: makeHash()) else {
                throw SQLError.malformed("analytics_erasures")
            }
            replacements[old] = new
        }
        try EventFoldState.noteChange(in: transaction)
        // Users of whom everything is dated ahead are not stored yet.
        let deferred = try DeferredEvents.replaceUsers(replacements, in: transaction)
        let known = try deferred.union(rename(replacements, transaction))
        try transaction.execute(
            Self.removal, rows: replacements.keys.filter { !known.contains($0) }.map { [.blob($0.bytes)] })
        try transaction.execute(
            Self.assignment,
            rows: replacements.filter { known.contains($0.key) }
                .map { [.blob($0.value.bytes), .integer(lastBlock), .blob($0.key.bytes)] })
    }

    private static let removal = SQLBatchStatement.removal(from: "analytics_erasures", by: [.blob("user_hash")])

    private static let assignment = SQLBatchStatement(
        eachRow: "UPDATE analytics_erasures SET replacement_hash = ?, last_block_id = ? WHERE user_hash = ?",
        allRows: """
            UPDATE analytics_erasures SET replacement_hash = given.replacement, last_block_id = given.last
            FROM unnest(?::bytea[], ?::bigint[], ?::bytea[]) AS given (replacement, last, hash)
            WHERE user_hash = given.hash
            """)

    /// Rewrites some blocks; after the last one, deletes the requests, except for those that were repeated meanwhile.
    func takeStep(in transaction: any SQLTransaction) throws {
        var through = sweptBlock
        var (blocks, bytes): (Int64, Int) = (0, 0)
        var rewritten: [(id: Int64, events: [UInt8])] = []
        try transaction.forEach(
            "SELECT id, events FROM event_blocks WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
            [.integer(sweptBlock), .integer(lastBlock), .integer(Self.blocksInAStep)]
        ) { row in
            guard bytes < Self.bytesInAStep else { return }
            through = try row.integer(0)
            var events = try row.blob(1)
            blocks += 1
            bytes += events.count
            let isChanged = try EventBlockError.naming(through) {
                try EventBlock.replaceUsers(replacements, in: &events)
            }
            if isChanged { rewritten.append((through, events)) }
        }
        for block in rewritten {
            try transaction.execute(
                "UPDATE event_blocks SET events = ? WHERE id = ?", [.blob(block.events), .integer(block.id)])
        }
        if blocks == 0 || through >= lastBlock {
            try transaction.execute(
                "DELETE FROM analytics_erasures WHERE replacement_hash IS NOT NULL AND repeated_at IS NULL")
            try transaction.execute(
                """
                UPDATE analytics_erasures SET requested_at = repeated_at, repeated_at = NULL, replacement_hash = NULL,
                    swept_block_id = 0, last_block_id = 0
                WHERE repeated_at IS NOT NULL
                """)
        } else {
            try transaction.execute(
                "UPDATE analytics_erasures SET swept_block_id = ? WHERE replacement_hash IS NOT NULL",
                [.integer(through)])
        }
    }

    /// The hash of the event's user in the figures; blocks not yet rewritten contain the old one.
    package func user(_ hash: UserHash, block: Int64) -> UserHash {
        guard block > sweptBlock, block <= lastBlock else { return hash }
        return replacements[hash] ?? hash
    }
}

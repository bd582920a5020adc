package import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Makes what a device reported anonymous: wherever the hash stands that the device sent, a random one stands afterwards,
/// a new one for each device, so that every figure stays and nothing leads back. docs/event-log.md tells how.
extension EventLog {
    /// Does a part of what devices have asked for, in one transaction of some milliseconds. Returns whether there is more to
    /// do. Stopping between two steps loses nothing, and any process may take the next one.
    ///
    /// A sweep goes over the log once for all devices that had asked when it began. None begins while forged events are
    /// being discarded: the next call after that begins it.
    ///
    /// - Parameter beginsNext: whether a step may begin a sweep. Without it only one under way goes on, and the result says
    ///   whether it is still under way.
    @discardableResult
    package func takeErasureStep(beginsNext: Bool = true) throws -> Bool {
        let isDue = try store.read { session in
            if try ErasureSweep.isUnderWay(in: session) { return true }
            return try beginsNext && Self.isErasurePending(in: session) && !Self.isDiscardUnderWay(in: session)
        }
        guard isDue else { return false }
        // Most of what waits is counted before others have to wait for this.
        try settle()
        return try write { memory, transaction in
            if let sweep = try ErasureSweep(in: transaction) {
                try sweep.takeStep(in: transaction)
            } else if beginsNext {
                guard try !Self.isDiscardUnderWay(in: transaction) else { return false }
                // What is under way is in the order of the hashes, and what waits would be counted for the old one.
                try foldAll(in: transaction)
                try ErasureSweep.begin(
                    through: memory.state.lastBlock, in: transaction, makeHash: makeUserHash, rename: rename)
            }
            return try beginsNext
                ? Self.isErasurePending(in: transaction) : ErasureSweep.isUnderWay(in: transaction)
        }
    }

    package static func isErasurePending(in session: any SQLSession) throws -> Bool {
        try session.first("SELECT 1 FROM analytics_erasures LIMIT 1") { try $0.integer(0) } != nil
    }
}

extension EventLog {
    /// Whether forged events are being discarded. Nothing is purged and no erasure begins meanwhile.
    package static func isDiscardUnderWay(in session: any SQLSession) throws -> Bool {
        try session.first("SELECT 1 FROM event_discards WHERE finished_at IS NULL") { try $0.integer(0) } != nil
    }
}

/// One way over the log, for all devices whose users bear their new hash already.
package struct ErasureSweep {
    /// The old hash and the new one.
    let replacements: [UserHash: UserHash]
    private let sweptBlock: Int64
    private let lastBlock: Int64

    /// Blocks, or bytes of them, that a step rewrites at most.
    private static let blocksInAStep: Int64 = 200
    private static let bytesInAStep = 1 << 20

    /// Nil when none is under way.
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
        try session.first("SELECT 1 FROM analytics_erasures WHERE replacement_hash IS NOT NULL LIMIT 1") {
            try $0.integer(0)
        } != nil
    }

    /// Gives the users of all who asked their new hash, and begins the way over the log. Call it when every event is in the
    /// figures. Who never reported anything is done with at once.
    static func begin(
        through lastBlock: Int64, in transaction: any SQLTransaction, makeHash: () -> [UInt8],
        rename: EventLog.Rename
    ) throws {
        let hashes = try transaction.query("SELECT user_hash FROM analytics_erasures") { try $0.blob(0) }
        // Users of whom everything is dated ahead are not stored yet.
        let hasDeferred = try !EventFoldState.load(in: transaction).state.deferred.isEmpty
        for hash in hashes {
            let new = makeHash()
            guard let old = UserHash(bytes: hash), let replacement = UserHash(bytes: new) else {
                throw SQLError.malformed("analytics_erasures")
            }
            if try !rename(old, replacement, transaction), !hasDeferred {
                try transaction.execute("DELETE FROM analytics_erasures WHERE user_hash = ?", [.blob(hash)])
            } else {
                try transaction.execute(
                    "UPDATE analytics_erasures SET replacement_hash = ?, last_block_id = ? WHERE user_hash = ?",
                    [.blob(new), .integer(lastBlock), .blob(hash)])
            }
        }
    }

    /// Rewrites some blocks; behind the last one the wishes are forgotten.
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
            try transaction.execute("DELETE FROM analytics_erasures WHERE replacement_hash IS NOT NULL")
        } else {
            try transaction.execute(
                "UPDATE analytics_erasures SET swept_block_id = ? WHERE replacement_hash IS NOT NULL",
                [.integer(through)])
        }
    }

    /// The hash that the figures know the user of an event by: blocks that are still to be rewritten name the old one.
    package func user(_ hash: UserHash, block: Int64) -> UserHash {
        guard block > sweptBlock, block <= lastBlock else { return hash }
        return replacements[hash] ?? hash
    }
}

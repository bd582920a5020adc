import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension DeviceStore {
    /// What was changed, and taking it back.
    public var journal: Journal { Journal(store: self) }

    /// See ``DeviceStore/journal``.
    public struct Journal: Sendable { let store: DeviceStore }
}

extension DeviceStore.Journal {
    /// The changes of the last 90 days, at most 500, newest first; the first `limit` of them, nil for all. Those that
    /// were taken back come first: they are the newest.
    public func entries(limit: Int? = nil, at moment: Moment) throws -> [JournalEntry] {
        try store.read { try Self.entries($0, Self.newestFirst, limit, at: moment) }
    }

    /// Takes the last changes back, the newest first, in one transaction. Values that something else changed since stay
    /// and are reported. Subscriptions that come back or go are events like those added or deleted, unless a merge or a
    /// restore brought them; no event is taken out of the queue.
    ///
    /// Throws ``DeviceStoreError/nothingToUndo`` when there is none, and ``DeviceStoreError/invalid(_:)`` when there
    /// are fewer.
    @discardableResult
    public func undo(_ count: Int = 1, at moment: Moment) throws -> JournalReport {
        try replay(count, .undo, at: moment)
    }

    /// Takes one change back if it is still the last one, so that a button for it can never take back another one.
    ///
    /// Throws ``DeviceStoreError/invalid(_:)`` when something was changed since, or it was taken back already.
    @discardableResult
    public func undo(entry id: Int64, at moment: Moment) throws -> JournalReport {
        try replay(1, .undo, only: id, at: moment)
    }

    /// Makes the changes again that were taken back last. A new change ends what can be made again.
    ///
    /// Throws ``DeviceStoreError/nothingToRedo`` when there is none, and ``DeviceStoreError/invalid(_:)`` when there
    /// are fewer.
    @discardableResult
    public func redo(_ count: Int = 1, at moment: Moment) throws -> JournalReport {
        try replay(count, .redo, at: moment)
    }

    /// Makes one change again if it is still the one that was taken back last, so that a button for it can never make
    /// another one.
    ///
    /// Throws ``DeviceStoreError/invalid(_:)`` when another one was taken back since, and
    /// ``DeviceStoreError/nothingToRedo`` when there is none to make again.
    @discardableResult
    public func redo(entry id: Int64, at moment: Moment) throws -> JournalReport {
        try replay(1, .redo, only: id, at: moment)
    }

    /// - Parameter only: the id of the change that must be the next one.
    private func replay(
        _ count: Int, _ direction: JournalReplay.Direction, only id: Int64? = nil, at moment: Moment
    ) throws -> JournalReport {
        let isUndo = direction == .undo
        return try store.write(at: moment) { unit in
            let entries = try Self.entries(unit.session, isUndo ? Self.toUndo : Self.toRedo, nil, at: moment)
            guard let next = entries.first else {
                throw isUndo ? DeviceStoreError.nothingToUndo : .nothingToRedo
            }
            guard id == nil || next.id == id else {
                throw Fault(
                    "entry", .outOfRange,
                    isUndo
                        ? "Something else was changed since, or it was undone already."
                        : "Something else was changed since, or it was made again already.")
            }
            guard count > 0 else { throw Fault("count", .outOfRange, "Must be at least \(1).") }
            guard count <= entries.count else {
                throw Fault("count", .outOfRange, "Must be at most \(entries.count): there are no more changes.")
            }
            var replay = try JournalReplay(unit, direction)
            var report = JournalReport()
            for var entry in entries.prefix(count) {
                try replay.replay(entry)
                entry.isUndone = isUndo
                try unit.session.execute(
                    "UPDATE journal SET is_undone = ? WHERE num = ?", [.flag(entry.isUndone), .integer(entry.id)])
                report.entries.append(entry)
            }
            report.left = replay.left
            return report
        }
    }

    private static let columns = "SELECT num, made_at, kind, details, is_undone FROM journal WHERE made_at >= ?"
    private static let newestFirst = "\(columns) ORDER BY num DESC LIMIT ?"
    private static let toUndo = "\(columns) AND is_undone = 0 ORDER BY num DESC LIMIT ?"
    private static let toRedo = "\(columns) AND is_undone = 1 ORDER BY num LIMIT ?"

    private static func entries(
        _ session: any SQLSession, _ sql: String, _ limit: Int?, at moment: Moment
    ) throws -> [JournalEntry] {
        let oldest = moment.now.millisecondsSinceEpoch - Int64(JournalReach.days) * 86_400_000
        return try session.query(sql, [.integer(oldest), .count(limit ?? -1)]) { row in
            guard let kind = JournalKind(rawValue: try row.text(2)) else { throw SQLError.malformed("journal") }
            return JournalEntry(
                id: try row.integer(0), at: UTCInstant(millisecondsSinceEpoch: try row.integer(1)), kind: kind,
                details: JournalDetails(wire: try row.text(3)), isUndone: try row.integer(4) != 0)
        }
    }
}

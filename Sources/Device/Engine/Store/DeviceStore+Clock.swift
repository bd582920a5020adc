import SQLDatabase
public import SubGuardDomain

extension DeviceStore {
    /// The clock that tells which of two edits is newer.
    public var clock: Clock { Clock(store: self) }

    /// See ``DeviceStore/clock``.
    public struct Clock: Sendable { let store: DeviceStore }
}

/// What ``DeviceStore/Clock/repair(at:)`` did.
public struct ClockRepair: Sendable, Hashable {
    /// The number of rows that got new timestamps.
    public var rows: Int
    /// The latest time that was found; nil when nothing lay ahead.
    public var wasAt: UTCInstant?
}

/// Other devices refuse what lies more than a day ahead. A store gets there when it was edited while the device's clock
/// ran ahead, or by a backup with such timestamps that was restored.
extension DeviceStore.Clock {
    /// The latest time of the clock and of all rows, when it lies more than a day ahead; nil otherwise.
    public func ahead(at moment: Moment) throws -> UTCInstant? {
        let bound = HybridClock.bound(at: moment.now)
        return try store.read { session in
            var latest =
                try session.first("SELECT clock FROM store", []) { HybridTimestamp(wire: try $0.text(0)) } ?? nil
            for table in EntityTables.all {
                let sql = "SELECT stamp, stamps FROM \(table.name) WHERE stamp > ? OR stamps <> ''"
                try session.forEach(sql, [.text(bound.wire)]) { row in
                    let stamps = Stamps(base: try row.text(0), wire: try row.text(1))
                    latest = [latest, stamps.latest(of: table)].compactMap(\.self).max()
                }
            }
            return latest.flatMap { $0 > bound ? UTCInstant(millisecondsSinceEpoch: $0.milliseconds) : nil }
        }
    }

    /// Gives everything that lies more than a day ahead a timestamp of now, in the same order, and sets the clock by
    /// what is left. Does nothing when nothing lies ahead. It cannot be undone.
    public func repair(at moment: Moment) throws -> ClockRepair {
        guard let wasAt = try ahead(at: moment) else { return ClockRepair(rows: 0, wasAt: nil) }
        return try store.write(at: moment) { unit in
            var found: [(table: EntityTable, row: EntityRow)] = []
            var ahead: Set<HybridTimestamp> = []
            var honest: [HybridTimestamp] = []
            for table in EntityTables.all {
                for row in try unit.session.query(table.selectAll, [], table.read) {
                    let stamps = row.stamps.readings(of: table) + row.decisions(in: table)
                    let late = stamps.filter { $0 > unit.bound }
                    honest += stamps.filter { $0 <= unit.bound }.max().map { [$0] } ?? []
                    guard !late.isEmpty else { continue }
                    ahead.formUnion(late)
                    found.append((table, row))
                }
            }
            ahead.formUnion(try unit.decisionsToUndo().filter { $0 > unit.bound })
            unit.resetClock(to: honest)
            var new: [String: String] = [:]
            for stamp in ahead.sorted() { new[stamp.wire] = try unit.stamp().wire }
            try unit.replaceDecisionsToUndo(new)
            for (table, var row) in found {
                row.stamps = row.stamps.replacing(new, in: table)
                if row.replaceDecision(new, in: table) {
                    try unit.session.execute(table.deleteSQL, row.key)
                    try table.insert(row, in: unit.session)
                } else {
                    try table.restamp(row, in: unit.session)
                }
            }
            return ClockRepair(rows: found.count, wasAt: wasAt)
        }
    }
}

extension UnitOfWork {
    private static let images = ["before", "after"]
    private static let ofStates = "name IN ('\(EntityTables.states.name)', '\(EntityTables.cancellations.name)')"

    /// The times of cancellations in the journal: an undo compares them with those of the rows, and sets them back.
    fileprivate func decisionsToUndo() throws -> [HybridTimestamp] {
        try Self.images.flatMap { image in
            let sql = "SELECT DISTINCT \(image) ->> 'decided' FROM journal_records WHERE \(Self.ofStates)"
            return try session.query(sql, []) { $0.isNull(0) ? nil : HybridTimestamp(wire: try $0.text(0)) }
        }.compactMap(\.self)
    }

    fileprivate func replaceDecisionsToUndo(_ new: [String: String]) throws {
        for image in Self.images {
            let sql = """
                UPDATE journal_records SET \(image) = json_set(\(image), '$.decided', ?) \
                WHERE \(Self.ofStates) AND \(image) ->> 'decided' = ?
                """
            for (old, wire) in new { try session.execute(sql, [.text(wire), .text(old)]) }
        }
    }
}

extension Stamps {
    /// Those of the row and of its registers that are timestamps.
    fileprivate func readings(of table: EntityTable) -> [HybridTimestamp] {
        ([base] + table.registers.map { self[$0.name] }).compactMap { HybridTimestamp(wire: $0) }
    }

    fileprivate func latest(of table: EntityTable) -> HybridTimestamp? { readings(of: table).max() }

    fileprivate func replacing(_ new: [String: String], in table: EntityTable) -> Stamps {
        var stamps = Stamps(base: new[base.lowercased()] ?? base, wire: "")
        for register in table.registers {
            let old = self[register.name]
            stamps[register.name] = new[old.lowercased()] ?? old
        }
        stamps.normalise(table.registers.map(\.name))
        return stamps
    }
}

extension EntityRow {
    /// When a cancellation, or what ends one, was entered: a time beside the timestamps.
    private func decision(in table: EntityTable) -> (place: Int, wire: String)? {
        guard table.holdsStates else { return nil }
        let place = table.place(of: "decided")
        guard case .text(let wire) = values[place] else { return nil }
        return (place, wire.lowercased())
    }

    fileprivate func decisions(in table: EntityTable) -> [HybridTimestamp] {
        [decision(in: table)].compactMap { $0.flatMap { HybridTimestamp(wire: $0.wire) } }
    }

    /// - Returns: whether it has a new one.
    fileprivate mutating func replaceDecision(_ new: [String: String], in table: EntityTable) -> Bool {
        guard let (place, wire) = decision(in: table), let found = new[wire] else { return false }
        values[place] = .text(found)
        return true
    }
}

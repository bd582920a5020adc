import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import TextCoding

// Additions that were undone. A deleted row would return from another device at the next merge. A withdrawal has the
// time of the undo: the row is removed on all devices, unless it was edited later on one of them.
//
// What several devices can add alike, with an id of a file or a derived one, has a row of `additions` for each of them,
// which only that device writes: it is removed when all of these are withdrawn. A row that was entered by hand on one
// of them, and so has no value of a file, goes with the withdrawal of that alone.

extension EntityTable {
    /// Whether its rows are things of their own: their addition can be withdrawn. A photo that is removed leaves a row.
    var isWithdrawable: Bool { key.count == 1 && key[0].kind == .uuid && name != EntityTables.personPhotos.name }

    /// Whether its rows are about rows that were withdrawn.
    var isOfWithdrawals: Bool {
        [EntityTables.withdrawals, EntityTables.withdrawnRows, EntityTables.additions].contains { $0.name == name }
    }

    /// The tables whose rows belong to a row of this one, and the column with its id or, for subscriptions, its number.
    fileprivate var ownedTables: [(table: EntityTable, column: String)] {
        switch name {
        case EntityTables.subscriptions.name:
            EntityTables.all.filter { $0.key[0].kind == .subscription }.map { ($0, "subscription") }
        case EntityTables.groups.name: [EntityTables.groupMembers, EntityTables.memberships].map { ($0, "group_id") }
        case EntityTables.people.name:
            [EntityTables.groupMembers, EntityTables.memberships, EntityTables.personPhotos].map { ($0, "person_id") }
        case EntityTables.expenses.name: [(EntityTables.receipts, "expense_id")]
        case EntityTables.transactions.name: [(EntityTables.receipts, "transaction_id")]
        default: []
        }
    }

    fileprivate func rows(where column: String, is value: SQLValue, in session: any SQLSession) throws -> [EntityRow] {
        try session.query(selectAll.replacing(" ORDER BY ", with: " WHERE \(column) = ? ORDER BY "), [value], read)
    }
}

extension BackupDocument {
    /// The withdrawn rows that the device of the backup keeps.
    func withdrawnRows() throws -> [(table: EntityTable, row: EntityRow)] {
        try (tables.first { $0.table.name == EntityTables.withdrawnRows.name }?.rows ?? []).map(Self.withdrawn)
    }

    fileprivate static func image(_ table: EntityTable, _ row: EntityRow) -> String {
        var json = JSONWriter(capacity: 512)
        write(table, [row], to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    fileprivate static func withdrawn(_ row: EntityRow) throws -> (table: EntityTable, row: EntityRow) {
        guard case .text(let image) = row.values[0], let element = try? JSONValue.parse(Array(image.utf8)),
            let name = element.objectValue?["name"]?.stringValue, let table = EntityTables.named(name),
            !table.isOfWithdrawals, let found = try rows(element, of: table).first
        else { throw damaged("table \(EntityTables.withdrawnRows.name): malformed") }
        return MixedStates.present(found, in: table)
    }
}

/// A row that was withdrawn, with the rows that belong to it.
private struct Withdrawn {
    let table: EntityTable
    let id: SQLValue
    var key: MergeRecord.Key { MergeRecord.Key(table: table.name, values: [MergeValue(id)]) }
    /// Subscriptions in keys are named by id.
    var rows: [(table: EntityTable, row: EntityRow)]
}

extension UnitOfWork {
    /// Records that this device has added a row that others can add alike.
    func noteAddition(_ table: EntityTable, _ id: SQLValue) throws {
        try set(false, EntityTables.additions, additionKey(table, id))
    }

    /// Records that this device has read a row that is here, unless it was entered by hand.
    func noteReading(_ table: EntityTable, _ id: UUID) throws {
        guard let row = try table.row([.uuid(id)], in: session), row.isOfFile(in: table),
            try EntityTables.additions.row(additionKey(table, .uuid(id)), in: session)?.values != [.flag(false)]
        else { return }
        try noteAddition(table, .uuid(id))
    }

    /// Records that the addition of a row on this device was undone, as an edit of now.
    func withdraw(_ table: EntityTable, _ id: SQLValue) throws {
        let own = additionKey(table, id)
        let isOwn = try EntityTables.additions.row(own, in: session)?.values == [.flag(false)]
        try isOwn
            ? set(true, EntityTables.additions, own) : set(true, EntityTables.withdrawals, [.text(table.name), id])
    }

    /// Records that a row is back, if its addition was undone.
    func readmit(_ table: EntityTable, _ row: EntityRow) throws {
        let key: [SQLValue] = [.text(table.name), row.key[0]]
        let (withdrawals, own) =
            row.isOfFile(in: table)
            ? (EntityTables.additions, additionKey(table, row.key[0])) : (EntityTables.withdrawals, key)
        guard try withdrawals.row(own, in: session)?.values == [.flag(true)] else { return }
        try set(false, withdrawals, own)
        try session.execute("DELETE FROM withdrawn_rows WHERE entity = ? AND id = ?", key)
    }

    private func additionKey(_ table: EntityTable, _ id: SQLValue) -> [SQLValue] {
        [.text(table.name), id, .text(Hexadecimal.text(node))]
    }

    /// A second time is later than the first one.
    private func set(_ isWithdrawn: Bool, _ table: EntityTable, _ key: [SQLValue]) throws {
        let stamps = Stamps(base: try stamp().wire, wire: "")
        try session.execute(table.deleteSQL, key)
        try table.insert(EntityRow(key: key, values: [.flag(isWithdrawn)], stamps: stamps), in: session)
    }

    /// The withdrawn rows that this device keeps.
    func withdrawnRows() throws -> [(table: EntityTable, row: EntityRow)] {
        let table = EntityTables.withdrawnRows
        return try session.query(table.selectAll, [], table.read).map(BackupDocument.withdrawn)
    }

    /// Removes the withdrawn rows that were edited on no device since, and keeps them as withdrawn. A row to which
    /// others refer stays, such as a person in an expense of another device. The result depends on the rows alone, so
    /// that it is the same on all devices.
    ///
    /// - Returns: the removed rows, with their names and amounts.
    func settleWithdrawals() throws -> [(key: MergeRecord.Key, name: String?, amount: Money?)] {
        try session.execute("DELETE FROM withdrawn_rows")
        var candidates = try unedited()
        guard !candidates.isEmpty else { return [] }
        let going = try unheld(candidates.map(\.key))
        candidates.removeAll { !going.contains($0.key) }
        let gone = try candidates.map { ($0.key, try name($0.key), try amount($0.key)) }
        for candidate in candidates {
            for (table, row) in candidate.rows {
                let key = MergeRecord.Key(table: table.name, values: row.key.map(MergeValue.init))
                let values: [SQLValue] = [.text(BackupDocument.image(table, row))]
                try EntityTables.withdrawnRows.insert(
                    EntityRow(
                        key: [.text(candidate.table.name), candidate.id, .text("\(table.name):\(key.text)")],
                        values: values, stamps: Stamps(base: "", wire: "")), in: session)
            }
        }
        for table in EntityTables.all.reversed() {
            for candidate in candidates where candidate.table.name == table.name {
                try session.execute(table.deleteSQL, [candidate.id])
            }
        }
        return gone
    }

    /// The keys of those to which only others of them refer. In one pass, however long the chains are.
    private func unheld(_ candidates: [MergeRecord.Key]) throws -> Set<MergeRecord.Key> {
        let references = try references()
        var going = Set(candidates)
        /// Those that a candidate holds when it stays.
        var held: [MergeRecord.Key: [MergeRecord.Key]] = [:]
        var staying: [MergeRecord.Key] = []
        for candidate in candidates {
            for holder in references[candidate.values[0]] ?? [] {
                if going.contains(holder) {
                    held[holder, default: []].append(candidate)
                } else {
                    staying.append(candidate)
                }
            }
        }
        // A key leaves before it is a holder for others, so each is taken once.
        going.subtract(staying)
        while let key = staying.popLast() {
            for next in held.removeValue(forKey: key) ?? [] {
                going.remove(next)
                staying.append(next)
            }
        }
        return going
    }

    /// The withdrawn rows that are in the tables and were not edited later, nor were the rows that belong to them.
    private func unedited() throws -> [Withdrawn] {
        try withdrawals().compactMap { key, withdrawal in
            guard case .text(let name) = key[0], let table = EntityTables.named(name), table.isWithdrawable,
                !withdrawal.isAddedElsewhere, let own = try table.row([key[1]], in: session),
                let at = own.isOfFile(in: table)
                    ? [withdrawal.byHand, withdrawal.ofFiles].compactMap(\.self).max() : withdrawal.byHand
            else { return nil }
            var rows = [(table: table, row: own)]
            let number = try table.presentNumber([key[1]], in: session).map { SQLValue.integer($0) }
            for (owned, column) in table.ownedTables {
                rows += try owned.rows(where: column, is: number ?? key[1], in: session).map {
                    (owned, try $0.renamed(in: owned) { (_: Int64) in key[1] })
                }
            }
            let isEdited = rows.contains { table, row in
                table.registers.contains { register in
                    // The program itself follows merged items of the catalogue.
                    guard register.name != "catalogue_item_id" else { return false }
                    return HybridTimestamp(wire: row.stamps[register.name]).map { $0 > at && $0 <= bound } ?? false
                }
            }
            guard !isEdited else { return nil }
            return Withdrawn(table: table, id: key[1], rows: rows.compactMap(Self.underived))
        }
    }

    /// When the additions of a row were undone.
    private struct Withdrawal {
        /// Of the one by hand.
        var byHand: HybridTimestamp?
        /// Of the last one with an id of a file, or a derived one.
        var ofFiles: HybridTimestamp?
        /// Whether one of those stands.
        var isAddedElsewhere = false
    }

    /// By table and id.
    private func withdrawals() throws -> [[SQLValue]: Withdrawal] {
        var found: [[SQLValue]: Withdrawal] = [:]
        for table in [EntityTables.withdrawals, EntityTables.additions] {
            let isByHand = table.name == EntityTables.withdrawals.name
            for row in try session.query(table.selectAll, [], table.read) {
                guard let at = HybridTimestamp(wire: row.stamps["is_withdrawn"]), at <= bound else { continue }
                let key = Array(row.key.prefix(2))
                switch (row.values == [.flag(true)], isByHand) {
                case (true, true): found[key, default: Withdrawal()].byHand = at
                case (true, false):
                    let last = found[key]?.ofFiles
                    found[key, default: Withdrawal()].ofFiles = max(at, last ?? at)
                case (false, true): break
                case (false, false): found[key, default: Withdrawal()].isAddedElsewhere = true
                }
            }
        }
        return found
    }

    /// The row without values derived from other rows, which may differ between devices; nil for a derived row.
    private static func underived(_ table: EntityTable, _ row: EntityRow) -> (table: EntityTable, row: EntityRow)? {
        var row = row
        row.stamps.normalise(table.registers.map(\.name))
        if table.name == EntityTables.ledger.name {
            guard row.stamps != Stamps(base: "", wire: "") else { return nil }
            if table.isAbsence(row.values) { row.values[0] = .count(OccurrenceFate.skipped.rawValue) }
        }
        return (table, row)
    }

    /// By the id of a row: the rows that refer to it and do not belong to it.
    private func references() throws -> [MergeValue: Set<MergeRecord.Key>] {
        var found: [MergeValue: Set<MergeRecord.Key>] = [:]
        let ids = Dictionary(
            uniqueKeysWithValues: try session.query("SELECT num, id FROM subscriptions") {
                (try $0.integer(0), SQLValue.blob(try $0.blob(1)))
            })
        let tables = [
            EntityTables.subscriptions, EntityTables.expenses, EntityTables.transactions, EntityTables.repayments,
            EntityTables.shares, EntityTables.sharePeriods,
        ]
        for table in tables {
            let owner = table.isWithdrawable ? table : EntityTables.subscriptions
            for row in try session.query(table.selectAll, [], table.read) where !table.isAbsence(row.values) {
                var id = row.key[0]
                if case .integer(let number) = id { id = ids[number] ?? id }
                let key = MergeRecord.Key(table: owner.name, values: [MergeValue(id)])
                for (column, value) in zip(table.columns, row.values) {
                    switch value {
                    case .blob(let bytes): found[.bytes(bytes), default: []].insert(key)
                    case .text(let text) where ["payers", "parts"].contains(column.name) && !text.isEmpty:
                        for person in try PersonAmountText.read(text).0 {
                            found[.bytes(person.rawBytes), default: []].insert(key)
                        }
                    default: break
                    }
                }
            }
        }
        return found
    }
}

extension EntityRow {
    /// Whether a value of the row is that of a file, or follows from its id: others can have added it alike. What a
    /// person enters has none.
    fileprivate func isOfFile(in table: EntityTable) -> Bool {
        table.registers.contains { stamps[$0.name] <= Self.ofFile }
    }

    private static let ofFile = HybridTimestamp.ofFile.wire
}

import Foundation
import SQLDatabase
import SubGuardDomain

/// Compares the rows of the database with those that it would have. What is listed is put in words twice: before the
/// rows are replaced and after it, because names of people and currencies of subscriptions are in other rows.
struct StoreComparison {
    /// One row on both sides; nil where there is none, or it says no more than that something was taken back.
    private struct RowPair {
        var table: EntityTable
        var key: [SQLValue]
        var before: EntityRow?
        var after: EntityRow?
    }

    /// One thing with all its rows that differ.
    private struct Thing {
        var kind: StoreDifferences.Kind
        /// Folded, for the order.
        var name: String
        var pairs: [RowPair] = []
        /// The row of the thing itself; nil when only rows of its own differ.
        var main: RowPair? { pairs.first { $0.table.name == kind.table.name } }
        var before: StoreDifferences.Side?
        var words: [[(column: String, value: MergeChange.Value)]] = []

        var isAppearing: Bool { main.map { $0.before == nil } ?? false }
        var isDisappearing: Bool { main.map { $0.after == nil } ?? false }
    }

    private struct Owner: Hashable {
        var kind: StoreDifferences.Kind
        var key: [SQLValue]
    }

    private var report = StoreDifferences()
    private var appearing: [Thing] = []
    private var disappearing: [Thing] = []
    private var changing: [Thing] = []
    private let most: Int

    /// - Parameter most: how many things of each effect are listed.
    init(from old: BackupDocument, to new: BackupDocument, most: Int) {
        self.most = most
        report.madeAt = new.madeAt
        var things: [Owner: Thing] = [:]
        var names: [Owner: String] = [:]
        for (before, after) in zip(old.tables, new.tables) where !before.table.isOfWithdrawals {
            let table = before.table
            if table.name == EntityTables.subscriptions.name {
                (report.subscriptionsBefore, report.subscriptionsAfter) = (before.rows.count, after.rows.count)
            }
            for row in before.rows + after.rows {
                if let kind = StoreDifferences.Kind(table) {
                    names[Owner(kind: kind, key: row.key)] = table.plainName(row)
                }
            }
            for pair in Self.pairs(table, before.rows, after.rows) {
                if table.name == EntityTables.ledger.name {
                    count(pair)
                } else if let owner = Self.owner(of: pair) {
                    let name = { TextFolding.fold(names[owner] ?? "") }
                    things[owner, default: Thing(kind: owner.kind, name: name())].pairs.append(pair)
                } else {
                    report.others += 1
                }
            }
        }
        for thing in things.values.sorted(by: Self.inOrder) {
            if thing.isAppearing {
                appearing.append(thing)
            } else if thing.isDisappearing {
                disappearing.append(thing)
            } else {
                changing.append(thing)
            }
        }
    }

    /// The rows that differ, those of the backup first.
    private static func pairs(_ table: EntityTable, _ before: [EntityRow], _ after: [EntityRow]) -> [RowPair] {
        var olds = Dictionary(before.map { ($0.key, $0) }) { first, _ in first }
        var pairs: [RowPair] = []
        let add = { (old: EntityRow?, new: EntityRow?) in
            let pair = RowPair(
                table: table, key: old?.key ?? new?.key ?? [], before: old.flatMap { table.seen($0) },
                after: new.flatMap { table.seen($0) })
            if pair.before?.values != pair.after?.values { pairs.append(pair) }
        }
        for row in after { add(olds.removeValue(forKey: row.key), row) }
        for row in before where olds[row.key] != nil { add(row, nil) }
        return pairs
    }

    private static func owner(of pair: RowPair) -> Owner? {
        let table = pair.table
        if let kind = StoreDifferences.Kind(table) { return Owner(kind: kind, key: pair.key) }
        switch table.name {
        case EntityTables.groupMembers.name, EntityTables.memberships.name:
            return Owner(kind: .group, key: [pair.key[0]])
        case EntityTables.personPhotos.name: return Owner(kind: .person, key: pair.key)
        case _ where table.isOfSubscription: return Owner(kind: .subscription, key: [pair.key[0]])
        // The names of people who left are in the words of what they took part in.
        default: return nil
        }
    }

    private static func inOrder(_ left: Thing, _ right: Thing) -> Bool {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        if left.name != right.name { return left.name < right.name }
        // Of one name in a stable order.
        return left.pairs[0].key.map { "\($0)" }.joined() < right.pairs[0].key.map { "\($0)" }.joined()
    }

    private mutating func count(_ pair: RowPair) {
        switch (pair.before, pair.after) {
        case (nil, _?): report.charges.appearing += 1
        case (_?, nil): report.charges.disappearing += 1
        default: report.charges.changing += 1
        }
    }

    // MARK: Words

    /// Puts the present in words.
    mutating func lookBefore(_ unit: UnitOfWork) throws {
        for place in disappearing.indices.prefix(most) {
            disappearing[place].before = try side(disappearing[place], unit)
        }
        // One more pass over each: what people see no difference of is not listed.
        for place in changing.indices.prefix(most * 2) {
            changing[place].before = try side(changing[place], unit)
            changing[place].words = try words(changing[place], unit) { $0.before }
        }
    }

    /// Puts what the backup has in words, once it has replaced everything.
    func report(after unit: UnitOfWork) throws -> StoreDifferences {
        var report = report
        report.appearing.count = appearing.count
        for thing in appearing.prefix(most) {
            report.appearing.differences.append(
                StoreDifferences.Difference(kind: thing.kind, before: nil, after: try side(thing, unit)))
        }
        report.disappearing.count = disappearing.count
        report.disappearing.differences = disappearing.prefix(most).map {
            StoreDifferences.Difference(kind: $0.kind, before: $0.before, after: nil)
        }
        report.changing.count = changing.count
        for thing in changing.prefix(most * 2) {
            let after = try words(thing, unit) { $0.after }
            let registers = thing.pairs.flatMap { pair in pair.table.registers.map { _ in pair } }
            var changes: [StoreDifferences.Change] = []
            for (pair, (old, new)) in zip(registers, zip(thing.words, after)) {
                let day = MergeRecord.Key(table: pair.table.name, values: pair.key.map(MergeValue.init))
                    .day(in: pair.table)
                changes += MergeWords.changes(from: old, to: new).map {
                    StoreDifferences.Change(table: pair.table.name, day: day, value: $0)
                }
            }
            if changes.isEmpty {
                report.changing.count -= 1
                report.others += 1
            } else if report.changing.differences.count < most {
                report.changing.differences.append(
                    StoreDifferences.Difference(
                        kind: thing.kind, before: thing.before, after: try side(thing, unit), changes: changes))
            }
        }
        return report
    }

    /// The words of each register of each row.
    private func words(
        _ thing: Thing, _ unit: UnitOfWork, _ row: (RowPair) -> EntityRow?
    ) throws -> [[(column: String, value: MergeChange.Value)]] {
        try thing.pairs.flatMap { pair in
            let key = MergeRecord.Key(table: pair.table.name, values: pair.key.map(MergeValue.init))
            return try pair.table.registers.map { register in
                if let member = try member(pair, register.name, row(pair), unit) { return [member] }
                let values = row(pair).map { $0.values[register.columns].map(MergeValue.init) } ?? []
                return try MergeWords(unit.session, pair.table, key, register.name).values(values)
            }
        }
    }

    /// A membership says who it is.
    private func member(
        _ pair: RowPair, _ register: String, _ row: EntityRow?, _ unit: UnitOfWork
    ) throws -> (column: String, value: MergeChange.Value)? {
        guard register == "is_member", pair.key.count > 1, case .blob(let id) = pair.key[1] else { return nil }
        guard let row, row.values[0] != .integer(0) else { return (register, .none) }
        let name = try unit.session.first("SELECT name FROM people WHERE id = ?", [.blob(id)]) { try $0.text(0) }
        return (register, name.map { .text($0) } ?? .flag(true))
    }

    private func side(_ thing: Thing, _ unit: UnitOfWork) throws -> StoreDifferences.Side? {
        let key = thing.main?.key ?? [thing.pairs[0].key[0]]
        guard let row = try thing.kind.table.row(key, in: unit.session) else { return nil }
        return try thing.kind.side(row, unit)
    }
}

extension EntityTable {
    /// The row; nil when it says nothing to people: it was taken back, or the program posted it.
    fileprivate func seen(_ row: EntityRow) -> EntityRow? {
        guard !isAbsence(row.values) else { return nil }
        guard name == EntityTables.ledger.name else { return row }
        let isPosted = row.stamps == Stamps(base: "", wire: "") || row.stamps.base == SubscriptionProjection.keptStamp
        if isPosted { return nil }
        // When it was confirmed is no difference.
        var row = row
        row.values[1] = .null
        return row
    }

    /// The name in a row, for the order.
    fileprivate func plainName(_ row: EntityRow) -> String {
        guard let place = columns.firstIndex(where: { $0.name == "name" || $0.name == "title" }),
            case .text(let name) = row.values[place]
        else { return "" }
        return name
    }
}

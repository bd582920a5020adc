import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// The result of a merge.
public struct MergeReport: Sendable, Hashable {
    /// A value that was replaced by a newer edit in the backup.
    public struct Override: Sendable, Hashable {
        /// The table, such as `subscriptions`.
        public var table: String
        /// The key of the row, such as an id, or an id and a day.
        public var key: String
        /// The name of the subscription, person or group, if any.
        public var name: String?
        /// The field, or the group of fields that change together.
        public var field: String
        /// The former values of what changed, in their wire form, separated by blanks.
        public var old: String
        /// The values of the newer edit, in the same form.
        public var new: String
        /// When the newer edit was made, by the clock of its device; that of the merge for what a file says.
        public var editedAt: UTCInstant
        /// The day of a dated price, a state or a charge.
        public var day: CalendarDay?
        /// What changed, for people; empty when they would see no difference.
        public var changes: [MergeChange]
    }

    /// A row of the backup that was left out, wholly or in part, because its timestamps lie more than a day ahead of
    /// this device's clock, or because it belongs to such a row.
    public struct Refused: Sendable, Hashable {
        /// The table, such as `subscriptions`.
        public var table: String
        /// The key of the row, such as an id, or an id and a day.
        public var key: String
        /// The name or title of what the row is about, if any.
        public var name: String?
        /// The latest of its timestamps.
        public var stampedAt: UTCInstant
    }

    /// Number of added rows, by table.
    public var added: [String: Int] = [:]
    /// Values that newer edits of the backup replaced, in the order of the backup.
    public var overridden: [Override] = []
    /// A row that was removed because its addition was undone on another device.
    public struct Removed: Sendable, Hashable {
        /// The table, such as `subscriptions`.
        public var table: String
        /// Its id.
        public var key: String
        /// The name of the subscription, person or group, if any; the others in a repayment, the scope or category of
        /// a budget in the form of the contract, empty for all subscriptions.
        public var name: String?
        /// The amount of a repayment, or the limit of a budget.
        public var amount: Money?
    }

    /// The rows that were removed from this database.
    public var removed: [Removed] = []
    /// In the order of the backup.
    public var refused: [Refused] = []
    /// The copy of what was there before; nil when nothing changed, or nothing was there.
    public var safetyCopy: StoredBackup?
    /// Whether nothing changed.
    public var isEmpty: Bool { added.isEmpty && overridden.isEmpty && removed.isEmpty }
}

extension DeviceStore.Backups {
    /// Merges a backup of another device: the newest edit of each field wins, and rows that exist on one side only are
    /// kept. A row whose addition was undone is removed, unless it was edited later than that. Merging again or in
    /// another order gives the same result. Rows with a timestamp of more than a day ahead are refused and reported,
    /// and never win here either. Does not require premium.
    ///
    /// - Parameters:
    ///   - bytes: a backup of ``make(passphrase:at:progress:)`` on another device.
    ///   - passphrase: that of an encrypted backup; nil for a plain one.
    ///   - keepsCopy: whether to save what was there before in ``folder`` first.
    ///   - moment: the present time and zone.
    ///   - progress: called with the rows processed and their total.
    @discardableResult
    public func merge(
        _ bytes: [UInt8], passphrase: Passphrase? = nil, keepsCopy: Bool = true, at moment: Moment,
        progress: @escaping (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) throws -> MergeReport {
        try merge(bytes, passphrase, keepsCopy, of: nil, at: moment, progress)
    }

    /// The same if the database is still as it was shown by ``mergePreview(_:passphrase:at:)``, without the rows that
    /// this refused; throws ``ChangedSinceShown`` otherwise.
    package func merge(_ bytes: [UInt8], passphrase: Passphrase?, of shown: ShownState, at moment: Moment) throws {
        _ = try merge(bytes, passphrase, true, of: shown, at: moment) { _, _ in }
    }

    private func merge(
        _ bytes: [UInt8], _ passphrase: Passphrase?, _ keepsCopy: Bool, of shown: ShownState?, at moment: Moment,
        _ progress: @escaping (_ done: Int, _ of: Int) -> Void
    ) throws -> MergeReport {
        try store.requireWritable()
        let document = try BackupDocument(SealedBackup.opened(bytes, passphrase: passphrase))
        var report = MergeReport()
        let copy = try withCopy(.beforeMerge, keepsCopy, of: shown, at: moment) { revision in
            report = try take(document, of: revision, shownAt: shown?.at, at: moment, progress)
            return !report.isEmpty
        }
        report.safetyCopy = copy
        return report
    }

    /// What ``merge(_:passphrase:keepsCopy:at:progress:)`` would change. Changes nothing.
    public func mergePreview(_ bytes: [UInt8], passphrase: Passphrase? = nil, at moment: Moment) throws -> MergeReport {
        struct Preview: Error { let report: MergeReport }
        let document = try BackupDocument(SealedBackup.opened(bytes, passphrase: passphrase))
        do {
            // Rolled back with everything that it wrote.
            return try store.write(at: moment) { unit -> MergeReport in
                throw Preview(report: try Self.take(document, in: unit, { _, _ in }))
            }
        } catch let preview as Preview {
            return preview.report
        }
    }

    private func take(
        _ document: BackupDocument, of revision: Int64?, shownAt: UTCInstant?, at moment: Moment,
        _ progress: @escaping (_ done: Int, _ of: Int) -> Void
    ) throws -> MergeReport {
        try store.write(at: moment, as: .merged) { unit in
            try unit.requireRevision(revision)
            if let shownAt { unit.bound = HybridClock.bound(at: shownAt) }
            let report = try Self.take(document, in: unit, progress)
            try unit.passMilestonesOfPresent()
            return report
        }
    }

    private static func take(
        _ document: BackupDocument, in unit: UnitOfWork, _ progress: @escaping (_ done: Int, _ of: Int) -> Void
    ) throws -> MergeReport {
        try unit.unifyBudgets()
        var sieve = StampSieve(unit)
        let records = try sieve.honest(try records(document, withdrawn: unit.withdrawnRows()))
        var steps = Steps(records.count, progress)
        let outcome = try Merge.changes(from: records) { key in
            steps.step()
            guard let table = EntityTables.named(key.table), let row = try unit.row(key, in: table) else { return nil }
            return sieve.lowered(try row.record(in: table, key: key))
        }
        let gone = try unit.apply(outcome)
        steps.finish()
        var report = try unit.report(outcome)
        report.removed = gone
        report.refused = try sieve.refused.map { try unit.refusal($0) }
        return report
    }

    /// The rows of a backup, in its order, and the rows that either side has withdrawn, which a later edit brings back.
    /// Duplicate budgets of older versions are combined.
    private static func records(
        _ document: BackupDocument, withdrawn: [(table: EntityTable, row: EntityRow)]
    ) throws -> [MergeRecord] {
        var records: [MergeRecord] = []
        var places: [MergeRecord.Key: Int] = [:]
        let hidden = Dictionary(grouping: withdrawn + (try document.withdrawnRows())) { $0.table.name }
        for (table, rows) in document.tables where table.name != EntityTables.withdrawnRows.name {
            for row in rows + (hidden[table.name] ?? []).map(\.row) {
                let key = MergeRecord.Key(table: table.name, values: try table.mergedKey(row).map(MergeValue.init))
                let record = try row.record(in: table, key: key)
                if let place = places[key] {
                    records[place] = Merge.merged(records[place], record)
                } else {
                    places[key] = records.count
                    records.append(record)
                }
            }
        }
        return records
    }
}

extension UnitOfWork {
    /// Assigns budgets their derived ids; of duplicates, the newer limit is kept.
    fileprivate func unifyBudgets() throws {
        let table = EntityTables.budgets
        for row in try session.query(table.selectAll, [], table.read) {
            let key = try table.mergedKey(row)
            guard key != row.key else { continue }
            let mergeKey = MergeRecord.Key(table: table.name, values: key.map(MergeValue.init))
            var record = try row.record(in: table, key: mergeKey)
            if let other = try table.row(key, in: session) {
                record = Merge.merged(try other.record(in: table, key: mergeKey), record)
                try session.execute(table.deleteSQL, key)
            }
            try session.execute(table.deleteSQL, row.key)
            try table.insert(try EntityRow(record, in: table, key: key), in: session)
        }
    }

    /// The local key, with the row number of the subscription; nil when the subscription does not exist.
    private func localKey(_ key: MergeRecord.Key, in table: EntityTable) throws -> [SQLValue]? {
        var values = key.values.map(SQLValue.init)
        guard let place = table.key.firstIndex(where: { $0.kind == .subscription }) else { return values }
        guard case .bytes(let bytes) = key.values[place], let id = UUID(rawBytes: bytes),
            let number = try subscriptions.number(of: id)
        else { return nil }
        values[place] = .integer(number)
        return values
    }

    func row(_ key: MergeRecord.Key, in table: EntityTable) throws -> EntityRow? {
        try localKey(key, in: table).flatMap { try table.row($0, in: session) }
    }

    /// Returns the rows that were removed because their addition was undone.
    fileprivate func apply(_ outcome: Merge.Outcome) throws -> [MergeReport.Removed] {
        var touched: Set<UUID> = []
        let added = Set(outcome.added)
        for change in outcome.changes {
            guard let table = EntityTables.all.first(where: { $0.name == change.key.table }),
                let key = try localKey(change.key, in: table)
            else { throw BackupDocument.damaged("table \(change.key.table) refers to a missing subscription") }
            var row =
                try table.row(key, in: session)
                ?? EntityRow(key: key, values: table.columns.map(\.missing), stamps: Stamps(base: "", wire: ""))
            let isNew = added.contains(change.key)
            if isNew, let base = change.registers.values.map(\.stamp).min() {
                row.stamps = Stamps(base: base == .origin ? "" : base.wire, wire: "")
            }
            for register in table.registers {
                guard let new = change.registers[register.name] else { continue }
                row.values.replaceSubrange(register.columns, with: new.values.map(SQLValue.init))
                row.stamps[register.name] = new.stamp == .origin ? "" : new.stamp.wire
                observe(new.stamp)
            }
            // As in a backup: the projection tells by the form whether a row was posted, kept or edited.
            row.stamps.normalise(table.registers.map(\.name))
            do {
                if isNew { try table.insert(row, in: session) } else { try table.update(row, in: session) }
            } catch let error as SQLError where error.isRuleBroken {
                throw BackupDocument.damaged("table \(table.name): a row breaks a rule")
            }
            if table.key[0].kind == .subscription || table.name == "subscriptions",
                case .bytes(let bytes) = change.key.values[0], let id = UUID(rawBytes: bytes)
            {
                touched.insert(id)
            }
        }
        let gone = try settleWithdrawals()
        touched.formUnion(try openCircles())
        touched = try touched.filter { try gone.isEmpty || subscriptions.number(of: $0) != nil }
        try requireSound()
        let projection = SubscriptionProjection(session: session, today: today)
        if !touched.isEmpty { try projection.requireFewer(SubscriptionProjection.mostCharges) }
        for id in touched {
            let number = try subscriptions.requireNumber(of: id)
            try projection.rebuild(try subscriptions.load(id), number: number)
        }
        return gone.filter { !added.contains($0.key) }
            .map { MergeReport.Removed(table: $0.key.table, key: $0.key.text, name: $0.name, amount: $0.amount) }
    }

    fileprivate func report(_ outcome: Merge.Outcome) throws -> MergeReport {
        var report = MergeReport()
        // Posted billing days without a user edit are not reported.
        let keys = Set(outcome.added)
        let added = outcome.changes.filter { change in
            keys.contains(change.key) && change.registers.values.contains { $0.stamp != .origin }
        }
        for change in added where try isSeen(change.key) && !isAbsence(change) {
            report.added[change.key.table, default: 0] += 1
        }
        for override in outcome.overridden where try isSeen(override.key) {
            guard let table = EntityTables.named(override.key.table) else { continue }
            // Undone on both sides: whether the day is charged follows from the subscription.
            let sides = [override.old, override.new].map { $0.values.map(SQLValue.init) }
            if table.name == EntityTables.ledger.name, override.register == "fate",
                sides.allSatisfy({ table.isAbsence($0 + [.null]) })
            {
                continue
            }
            let words = MergeWords(session, table, override.key, override.register)
            let changes = MergeWords.changes(
                from: try words.values(override.old.values), to: try words.values(override.new.values))
            // Two readings of one file may differ in the days on which they were made, which nobody sees.
            let isOfFile = override.old.stamp == .ofFile && override.new.stamp == .ofFile
            if changes.isEmpty, isOfFile || table.holdsStates { continue }
            report.overridden.append(
                MergeReport.Override(
                    table: table.name,
                    key: override.key.text(in: table),
                    name: try name(override.key), field: override.register,
                    old: changes.map(\.old.wire).joined(separator: " "),
                    new: changes.map(\.new.wire).joined(separator: " "),
                    editedAt: override.new.stamp.madeAt.map { UTCInstant(millisecondsSinceEpoch: $0) } ?? moment.now,
                    day: override.key.day(in: table), changes: changes))
        }
        return report
    }

    /// Whether people see the row: not when it is withdrawn, or says that another one is.
    private func isSeen(_ key: MergeRecord.Key) throws -> Bool {
        guard let table = EntityTables.named(key.table), !table.isOfWithdrawals else { return false }
        return try row(key, in: table) != nil
    }

    /// Whether the row says no more than that something was taken back.
    private func isAbsence(_ change: MergeRecord) throws -> Bool {
        guard let table = EntityTables.named(change.key.table) else { return false }
        return table.isAbsence(try EntityRow(change, in: table, key: []).values)
    }

    fileprivate func refusal(_ record: MergeRecord) throws -> MergeReport.Refused {
        let table = EntityTables.named(record.key.table)
        let given = ["name", "title", "file"].compactMap { record.registers[$0]?.values.first }.first
        let own: String? = if case .text(let text)? = given { text } else { nil }
        let latest = record.registers.values.map(\.stamp).max() ?? .origin
        return MergeReport.Refused(
            table: record.key.table, key: table.map { record.key.text(in: $0) } ?? "",
            name: try name(record.key) ?? own, stampedAt: UTCInstant(millisecondsSinceEpoch: latest.milliseconds))
    }

    func name(_ key: MergeRecord.Key) throws -> String? {
        if key.table == EntityTables.ownRates.name, case .text(let currency) = key.values[0] { return currency }
        guard case .bytes(let id) = key.values[0] else { return nil }
        if key.table == EntityTables.repayments.name {
            let sql = "SELECT from_id, to_id FROM repayments WHERE id = ?"
            let people = try session.first(sql, [.blob(id)]) { row in
                try (0...1).map { SQLValue.blob(try row.blob($0)) }
            }
            return try people.map { people in
                try people.filter { $0 != .uuid(Person.me) }.map(personName).joined(separator: " → ")
            }
        }
        let sql =
            switch key.table {
            case "people", "person_photos": "SELECT name FROM people WHERE id = ?"
            case "former_people": "SELECT name FROM former_people WHERE id = ?"
            case "groups", "group_members", "memberships": "SELECT name FROM groups WHERE id = ?"
            case "expenses": "SELECT title FROM expenses WHERE id = ?"
            case "receipts": "SELECT name FROM receipts WHERE id = ?"
            case "transactions": "SELECT title FROM transactions WHERE id = ?"
            case "budgets": "SELECT iif(scope = '', category, scope) FROM budgets WHERE id = ?"
            default: "SELECT name FROM subscriptions WHERE id = ?"
            }
        return try session.first(sql, [.blob(id)]) { try $0.text(0) }
    }

    /// The amount of a repayment, or the limit of a budget; nil for other rows.
    func amount(_ key: MergeRecord.Key) throws -> Money? {
        let table = [EntityTables.repayments, EntityTables.budgets].first { $0.name == key.table }
        guard let table, case .bytes(let id) = key.values[0] else { return nil }
        return try session.first("SELECT amount, currency FROM \(table.name) WHERE id = ?", [.blob(id)]) { row in
            let units = try row.integer(0)
            return Currency(code: try row.text(1)).map { Money(minorUnits: units, currency: $0) }
        } ?? nil
    }
}

extension MergeRecord.Key {
    /// Such as an id, or an id and a day.
    fileprivate func text(in table: EntityTable) -> String {
        zip(table.key, values).map { $1.text($0.kind) }.joined(separator: ":")
    }

    var text: String { EntityTables.named(table).map { text(in: $0) } ?? "" }
}

extension EntityRow {
    /// A row from a complete record.
    fileprivate init(_ record: MergeRecord, in table: EntityTable, key: [SQLValue]) throws {
        let base = record.registers.values.map(\.stamp).min() ?? .origin
        self.init(
            key: key, values: table.columns.map(\.missing),
            stamps: Stamps(base: base == .origin ? "" : base.wire, wire: ""))
        for register in table.registers {
            guard let merged = record.registers[register.name] else { continue }
            values.replaceSubrange(register.columns, with: merged.values.map(SQLValue.init))
            stamps[register.name] = merged.stamp == .origin ? "" : merged.stamp.wire
        }
    }

    /// The row as a merge record.
    ///
    /// - Parameter key: overrides the key of the row; nil when that already holds ids.
    fileprivate func record(in table: EntityTable, key: MergeRecord.Key? = nil) throws -> MergeRecord {
        var registers: [String: MergeRegister] = [:]
        for register in table.registers {
            let stamp = stamps[register.name]
            guard let reading = stamp.isEmpty ? .origin : HybridTimestamp(wire: stamp) else {
                throw BackupDocument.damaged("table \(table.name): a timestamp is malformed")
            }
            registers[register.name] = MergeRegister(
                values: values[register.columns].map(MergeValue.init), stamp: reading)
        }
        let own = MergeRecord.Key(table: table.name, values: self.key.map(MergeValue.init))
        return MergeRecord(key: key ?? own, registers: registers)
    }
}

extension MergeValue {
    init(_ value: SQLValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .text(let text): self = .text(text)
        case .blob(let bytes): self = .bytes(bytes)
        }
    }

    /// The value in the form of the contract.
    fileprivate func text(_ kind: EntityTable.Kind) -> String {
        switch (self, kind) {
        case (.null, _): "–"
        case (.integer(let days), .day): CalendarDay(daysSinceEpoch: Int(days))?.iso ?? "\(days)"
        case (.integer(let milliseconds), .instant): UTCInstant(millisecondsSinceEpoch: milliseconds).rfc3339
        case (.integer(let number), _): "\(number)"
        case (.text(let text), _): text
        case (.bytes(let bytes), _): UUID(rawBytes: bytes)?.lowercased ?? ""
        }
    }
}

extension SQLValue {
    fileprivate init(_ value: MergeValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .text(let text): self = .text(text)
        case .bytes(let bytes): self = .blob(bytes)
        }
    }
}

import Foundation
import SQLDatabase
import SubGuardDomain

extension DeviceStore.Backups {
    /// Whether a backup is encrypted.
    public static func isSealed(_ bytes: [UInt8]) -> Bool { SealedBackup.isSealed(bytes) }

    /// Makes a backup of all data as one JSON document; see ``restore(_:passphrase:at:progress:)``.
    ///
    /// - Parameters:
    ///   - passphrase: encrypts the backup; nil for plain JSON.
    ///   - progress: called with the rows read and their total.
    public func make(
        passphrase: Passphrase? = nil, at moment: Moment,
        progress: @escaping (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) throws -> [UInt8] {
        let bytes = try store.read(at: moment) { try BackupDocument.read($0, progress) }.bytes(madeAt: moment.now)
        guard let passphrase else { return bytes }
        return try SealedBackup.seal(bytes, passphrase: passphrase)
    }

    /// Replaces all data with a backup, after verifying it completely, including the rules of the domain. Changes nothing when
    /// the backup is invalid. Does not require premium.
    ///
    /// - Parameters:
    ///   - keepsCopy: whether to save what is replaced in ``folder`` first.
    ///   - progress: called with the rows written and their total.
    /// - Returns: the copy of what was replaced; nil when there was nothing.
    @discardableResult
    public func restore(
        _ bytes: [UInt8], passphrase: Passphrase? = nil, keepsCopy: Bool = true, at moment: Moment,
        progress: @escaping (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) throws -> StoredBackup? {
        try store.requireWritable()
        let document = try BackupDocument(SealedBackup.opened(bytes, passphrase: passphrase))
        return try withCopy(.beforeRestore, keepsCopy, at: moment) {
            try replace(document, at: moment, progress)
            return true
        }
    }

    private func replace(
        _ document: BackupDocument, at moment: Moment, _ progress: @escaping (_ done: Int, _ of: Int) -> Void
    ) throws {
        try store.write(at: moment, as: .restored) { unit in
            let before = try BackupDocument.images(unit.session)
            for table in EntityTables.all.reversed() { try unit.session.execute("DELETE FROM \(table.name)") }
            try unit.session.execute("DELETE FROM drafts")
            var steps = Steps(document.tables.reduce(0) { $0 + $1.rows.count }, progress)
            try unit.insert(document, &steps)
            try unit.requireSound()
            try SubscriptionProjection(unit.session, today: moment.today).rebuildAll()
            try unit.passMilestonesOfPresent()
            unit.replacedRows = BackupDocument.changes(from: before, to: try BackupDocument.images(unit.session))
            steps.finish()
        }
    }
}

extension UnitOfWork {
    fileprivate func insert(_ document: BackupDocument, _ steps: inout Steps) throws {
        var numbers: [[UInt8]: SQLValue] = [:]
        for (table, rows) in document.tables {
            if table.key.contains(where: { $0.kind == .subscription }), numbers.isEmpty {
                try session.forEach("SELECT id, num FROM subscriptions", []) { row in
                    numbers[try row.blob(0)] = .integer(try row.integer(1))
                }
            }
            for row in rows {
                steps.step()
                do {
                    try table.insert(try row.renamed(in: table) { numbers[$0] }, in: session)
                } catch let error as SQLError where error.isRuleBroken {
                    throw BackupDocument.damaged("table \(table.name) has a row that breaks a rule")
                }
                for stamp in [row.stamps.base] + table.registers.map({ row.stamps[$0.name] }) {
                    if let reading = HybridTimestamp(wire: stamp) { observe(reading) }
                }
            }
        }
    }

    /// Validates all data with the rules of the domain.
    func requireSound() throws {
        do {
            for (_, subscription) in try subscriptions.all() { _ = try subscription.validated() }
            for row in try session.query(EntityTables.people.selectAll, [], EntityTables.people.read) {
                _ = try Person(row).validated()
            }
            for row in try session.query(EntityTables.groups.selectAll, [], EntityTables.groups.read) {
                _ = try PersonGroup(row, in: session)
            }
            for row in try session.query(EntityTables.expenses.selectAll, [], EntityTables.expenses.read) {
                let expense = try GroupExpense(row)
                // Membership is not checked: the group merges separately.
                _ = try expense.validated(members: Set(expense.payers.map(\.personID) + expense.split.people))
            }
            for row in try session.query(EntityTables.transactions.selectAll, [], EntityTables.transactions.read) {
                _ = try Transaction(row).validated()
            }
            try requireSoundReceipts()
            for budget in try DeviceStore.Budgets.all(session) {
                _ = try FieldRules.positive(budget.limit, field: "limit")
            }
            for row in try session.query(EntityTables.shares.selectAll, [], EntityTables.shares.read) {
                var values = ValueReader(row.values)
                _ = try PersonAmountText.split(try values.text(), try values.text())
            }
        } catch let error as Fault {
            throw BackupDocument.damaged("\(error.pointer): \(error.detail)")
        } catch let error as SQLError {
            throw BackupDocument.damaged(error.context)
        }
        let badPaid = "SELECT 1 FROM ledger WHERE paid NOT BETWEEN 0 AND ? LIMIT 1"
        if try session.first(badPaid, [.integer(FieldRules.maximumMinorUnits)], { _ in true }) != nil {
            throw BackupDocument.damaged("paid: The amount is out of range.")
        }
        if let table = try session.first("PRAGMA foreign_key_check", [], { try $0.text(0) }) {
            throw BackupDocument.damaged("table \(table) refers to a missing row")
        }
    }
}

extension SQLError {
    /// Whether the values broke a constraint, as opposed to a disk error.
    var isRuleBroken: Bool {
        switch code {
        case .uniqueViolation, .foreignKeyViolation, .checkViolation, .notNullViolation: true
        default: false
        }
    }
}

/// Reports progress every 256 steps and once at the end.
struct Steps {
    private static let interval = 256

    private let count: Int
    private let tell: (_ done: Int, _ of: Int) -> Void
    private var done = 0

    init(_ count: Int, _ tell: @escaping (_ done: Int, _ of: Int) -> Void) {
        self.count = count
        self.tell = tell
    }

    mutating func step() {
        if done.isMultiple(of: Self.interval) { tell(done, count) }
        done += 1
    }

    func finish() { tell(count, count) }
}

import Foundation
import SQLDatabase
import SubGuardDomain

extension DeviceStore.Backups {
    /// Whether a backup is encrypted.
    public static func isSealed(_ bytes: [UInt8]) -> Bool { SealedBackup.isSealed(bytes) }

    /// Makes a backup of all data as one JSON document; see ``restore(_:passphrase:keepsCopy:at:progress:)``.
    ///
    /// - Parameters:
    ///   - passphrase: encrypts the backup; nil for plain JSON.
    ///   - moment: the present time, which the backup states, and zone.
    ///   - progress: called with the rows read and their total.
    public func make(
        passphrase: Passphrase? = nil, at moment: Moment,
        progress: @escaping (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) throws -> [UInt8] {
        let document = try store.read(at: moment) { try BackupDocument.read($0, progress) }
        return try bytes(of: document, passphrase: passphrase, at: moment)
    }

    /// Throws for a backup that could not be read again.
    func bytes(of document: BackupDocument, passphrase: Passphrase? = nil, at moment: Moment) throws -> [UInt8] {
        let plain = document.bytes(madeAt: moment.now)
        let bytes = try passphrase.map { try SealedBackup.seal(plain, passphrase: $0) } ?? plain
        guard bytes.count <= maximumBytes else {
            throw DeviceStoreError.storage("a backup would have more than \(maximumBytes >> 20) MiB; delete receipts")
        }
        return bytes
    }

    /// Replaces all data with a backup, after verifying it completely, including the rules of the domain. Changes
    /// nothing when the backup is invalid. Does not require premium.
    ///
    /// - Parameters:
    ///   - bytes: a backup of ``make(passphrase:at:progress:)``.
    ///   - passphrase: that of an encrypted backup; nil for a plain one.
    ///   - keepsCopy: whether to save what is replaced in ``folder`` first.
    ///   - moment: the present time and zone.
    ///   - progress: called with the rows written and their total.
    /// - Returns: the copy of what was replaced; nil when there was nothing.
    @discardableResult
    public func restore(
        _ bytes: [UInt8], passphrase: Passphrase? = nil, keepsCopy: Bool = true, at moment: Moment,
        progress: @escaping (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) throws -> StoredBackup? {
        try restore(bytes, passphrase, keepsCopy, of: nil, at: moment, progress)
    }

    /// The same if the database is still as it was shown; throws ``ChangedSinceShown`` otherwise.
    package func restore(_ bytes: [UInt8], passphrase: Passphrase?, of shown: ShownState, at moment: Moment) throws {
        _ = try restore(bytes, passphrase, true, of: shown, at: moment) { _, _ in }
    }

    private func restore(
        _ bytes: [UInt8], _ passphrase: Passphrase?, _ keepsCopy: Bool, of shown: ShownState?, at moment: Moment,
        _ progress: @escaping (_ done: Int, _ of: Int) -> Void
    ) throws -> StoredBackup? {
        try store.requireWritable()
        let document = try BackupDocument(SealedBackup.opened(bytes, passphrase: passphrase))
        return try withCopy(.beforeRestore, keepsCopy, of: shown, at: moment) { revision in
            try replace(document, of: revision, at: moment, progress)
            return true
        }
    }

    private func replace(
        _ document: BackupDocument, of revision: Int64?, at moment: Moment,
        _ progress: @escaping (_ done: Int, _ of: Int) -> Void
    ) throws {
        try store.write(at: moment, as: .restored) { unit in
            try unit.requireRevision(revision)
            let before = try BackupDocument.images(unit.session)
            var steps = Steps(document.tables.reduce(0) { $0 + $1.rows.count }, progress)
            try unit.replaceAll(with: document, &steps)
            try SubscriptionProjection(session: unit.session, today: moment.today)
                .rebuildAll(mostCharges: SubscriptionProjection.mostCharges)
            try unit.passMilestonesOfPresent()
            unit.replacedRows = BackupDocument.changes(from: before, to: try BackupDocument.images(unit.session))
            steps.finish()
        }
    }
}

extension UnitOfWork {
    /// Puts the rows of a backup in the place of all data. Throws when they break a rule of the domain.
    func replaceAll(with document: BackupDocument, _ steps: inout Steps) throws {
        for table in EntityTables.all.reversed() { try session.execute("DELETE FROM \(table.name)") }
        try session.execute("DELETE FROM drafts")
        // Not what the replaced rows said: one that lies ahead would stay.
        if isClockAhead { resetClock(to: []) }
        try insert(document, &steps)
        _ = try openCircles()
        try requireSound()
    }

    private func insert(_ document: BackupDocument, _ steps: inout Steps) throws {
        var numbers: [[UInt8]: SQLValue] = [:]
        for (table, rows) in document.tables {
            if table.key.contains(where: { $0.kind == .subscription }), numbers.isEmpty {
                try session.forEach("SELECT id, num FROM subscriptions", []) { row in
                    numbers[try row.blob(0)] = .integer(try row.integer(1))
                }
            }
            for (index, row) in rows.enumerated() {
                steps.step()
                do {
                    try table.insert(try row.renamed(in: table) { numbers[$0] }, in: session)
                } catch let error as SQLError where error.isRuleBroken {
                    let place = "table \(table.name), row \(index + 1)"
                    guard let column = table.suspect(in: row) else {
                        throw BackupDocument.damaged("\(place): breaks a rule")
                    }
                    throw BackupDocument.damaged("\(place), \(column): breaks a rule")
                }
                for stamp in [row.stamps.base] + table.registers.map({ row.stamps[$0.name] }) {
                    // One that lies ahead must not carry the clock along.
                    if let reading = HybridTimestamp(wire: stamp), reading <= bound { observe(reading) }
                }
            }
        }
    }
}

extension EntityTable {
    /// The column that most likely breaks a rule of the database: one without its value, an amount of zero or less, or
    /// an empty name.
    fileprivate func suspect(in row: EntityRow) -> String? {
        zip(columns, row.values).first { column, value in
            switch value {
            case .null: column.missing != .null || ["anchor_day", "started_on", "created_at"].contains(column.name)
            case .integer(let number): column.name == "amount" && number <= 0
            case .text(let text): text.isEmpty && (column.name == "name" || column.name == "title")
            case .blob: false
            }
        }?.0.name
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

extension DeviceStore.Backups {
    /// What ``restore(_:passphrase:keepsCopy:at:progress:)`` would change. Changes nothing; throws what that throws.
    /// Lists at most `most` things of each effect, and counts the others.
    public func restorePreview(
        _ bytes: [UInt8], passphrase: Passphrase? = nil, most: Int = 100, at moment: Moment
    ) throws -> StoreDifferences {
        struct Preview: Error { let report: StoreDifferences }
        let document = try BackupDocument(SealedBackup.opened(bytes, passphrase: passphrase))
        do {
            // Rolled back with everything that it wrote.
            return try store.write(at: moment) { unit -> StoreDifferences in
                var comparison = StoreComparison(
                    from: try BackupDocument.read(unit.session) { _, _ in }, to: document, most: most)
                try comparison.lookBefore(unit)
                var steps = Steps(0) { _, _ in }
                try unit.replaceAll(with: document, &steps)
                throw Preview(report: try comparison.report(after: unit))
            }
        } catch let preview as Preview {
            return preview.report
        }
    }
}

/// Databases in place of backups, such as the copy that a shared folder makes after a conflict.
extension DeviceStore.Backups {
    /// Whether bytes are those of an SQLite database.
    public static func isDatabase(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("SQLite format 3\0".utf8)) }

    /// The backup that another database would make of itself. It is read on a temporary copy and never changed.
    ///
    /// Throws a fault of `file` for the database itself, and the errors of opening it.
    public func bytes(ofDatabase path: String, at moment: Moment) throws -> [UInt8] {
        let number = { (path: String) in
            (try? FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path))?[
                    .systemFileNumber] as? Int
        }
        guard number(path) == nil || number(path) != number(store.path) else {
            throw DeviceStoreError.invalid(Fault("file", .sameItem, "Must be another database."))
        }
        let copy = try DeviceStore(copyOfForeign: path, now: moment.now)
        defer { try? copy.close() }
        // As it is: a small file can stand for charges without end. Who restores or merges the backup posts what is
        // due, within limits.
        return try copy.read { try BackupDocument.read($0) { _, _ in } }.bytes(madeAt: moment.now)
    }
}

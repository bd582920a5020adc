package import SQLDatabase

/// Moves everything from one store into another, of either database.
///
/// What was copied is kept when a run is interrupted, and the next run goes on from there; so nobody may write to the
/// source between the two. Until the end the target is marked, and no server starts on it.
package struct StoreCopy {
    /// How far it is.
    package enum Step: Sendable, Equatable {
        case copied(table: String, rows: Int, of: Int)
        case compared(table: String, rows: Int)
    }

    package enum Failure: Error, Equatable, CustomStringConvertible {
        case sourceNotMigrated
        /// Something is in the target that no copy put there.
        case targetNotEmpty(table: String)
        /// The target is the unfinished copy of another store.
        case anotherSource
        /// Both were read whole, and this table differs.
        case different(table: String, source: Int, target: Int)

        package var description: String {
            switch self {
            case .sourceNotMigrated: "the source lacks migrations: run `subguardd migrate` on it first"
            case .targetNotEmpty(let table): "the target is not empty: there are rows in \(table); nothing was written"
            case .anotherSource: "the target is the unfinished copy of another store; nothing was written"
            case .different(let table, let source, let target):
                "\(table) differs after the copy (\(source) rows in the source, \(target) in the target): was the source "
                    + "written to meanwhile? The target is marked and no server starts on it; make a new one"
            }
        }
    }

    /// Names the row of `store_metadata` that marks an unfinished copy.
    private static let mark = "unfinished_copy_of"

    private let source: any SchemaStore
    private let target: any SchemaStore
    private let now: String

    /// - Parameter now: the instant at which the target's migrations are remembered to be applied: RFC 3339, UTC.
    package init(from source: any SchemaStore, to target: any SchemaStore, now: String) {
        self.source = source
        self.target = target
        self.now = now
    }

    /// Whether a copy into the store has begun and not come to its end.
    package static func isUnfinished(_ store: any SQLStore) throws -> Bool {
        try store.read { try readMark($0) } != nil
    }

    /// Copies what is missing in the target, then reads both whole and compares. `progress` may throw to interrupt it. Returns the number of rows. Throws
    /// ``Failure``, `MigrationError` or `SQLError`; what was copied until then stays.
    @discardableResult
    package func run(_ progress: (Step) throws -> Void = { _ in }) throws -> Int {
        guard try Migrator.backend(source.dialect).status(of: source).isUpToDate else {
            throw Failure.sourceNotMigrated
        }
        try Migrator.backend(target.dialect).migrate(target, now: now)
        // One moment of the source for all of it.
        return try source.read { session in
            let tables = try CopiedTable.all(in: session, source.dialect)
            try begin(tables, identity: try Self.epoch(session))
            for table in tables { try copy(table, from: session, progress) }
            var rows = 0
            for table in tables { rows += try compare(table, with: session, progress) }
            try target.write { transaction in
                for table in tables { try table.continueNumbers(in: transaction, target.dialect) }
                _ = try transaction.execute("DELETE FROM store_metadata WHERE key = ?", [.text(Self.mark)])
            }
            return rows
        }
    }

    /// Empties a fresh target of what its migrations put there, and marks it.
    private func begin(_ tables: [CopiedTable], identity: [UInt8]) throws {
        try target.write { transaction in
            if let mark = try Self.readMark(transaction) {
                guard mark == identity else { throw Failure.anotherSource }
                return
            }
            for name in ["users", "event_blocks", "catalogue_items", "access_tokens", "audit_entries", "accounts"] {
                guard try transaction.first("SELECT 1 FROM \(name) LIMIT 1", [], { _ in true }) == nil else {
                    throw Failure.targetNotEmpty(table: name)
                }
            }
            for table in tables.reversed() where !table.isWrittenOver {
                try transaction.execute("DELETE FROM \(table.name)")
            }
            try transaction.execute(
                "INSERT INTO store_metadata (key, value) VALUES (?, ?)", [.text(Self.mark), .blob(identity)])
        }
    }

    private func copy(_ table: CopiedTable, from session: any SQLSession, _ progress: (Step) throws -> Void) throws {
        let total = try table.count(in: session)
        // Parts come in the order of the keys and each in one transaction, so the last key tells how far they came.
        let (last, done) = try target.read { target in
            (table.isWrittenOver ? nil : try table.lastKey(in: target), try table.count(in: target))
        }
        var copied = table.isWrittenOver ? 0 : done
        try table.forEachPart(after: last, in: session) { rows in
            try target.write { try table.insert(rows, in: $0) }
            copied += rows.count
            try progress(.copied(table: table.name, rows: copied, of: total))
        }
    }

    private func compare(_ table: CopiedTable, with session: any SQLSession, _ progress: (Step) throws -> Void) throws
        -> Int
    {
        let original = try table.checksum(in: session)
        let copy = try target.read { target in
            try table.checksum(
                in: table.name == "store_metadata" ? WithoutMark(target: target, key: Self.mark) : target)
        }
        guard original == copy else {
            throw Failure.different(table: table.name, source: original.rows, target: copy.rows)
        }
        try progress(.compared(table: table.name, rows: copy.rows))
        return copy.rows
    }

    private static func readMark(_ session: any SQLSession) throws -> [UInt8]? {
        try session.first("SELECT value FROM store_metadata WHERE key = ?", [.text(mark)]) { try $0.blob(0) }
    }

    /// What tells the source from other stores. One that was never served has none.
    private static func epoch(_ session: any SQLSession) throws -> [UInt8] {
        try session.first("SELECT value FROM store_metadata WHERE key = 'epoch'") { try $0.blob(0) } ?? []
    }
}

/// Leaves the mark of the copy out of what is compared.
private struct WithoutMark: SQLSession {
    let target: any SQLSession
    let key: String

    func forEach(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
        try target.forEach(sql, arguments) { row in
            if try row.text(0) != key { try visit(row) }
        }
    }
}

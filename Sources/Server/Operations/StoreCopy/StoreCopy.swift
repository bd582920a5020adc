package import SQLDatabase
import SubGuardSQL

/// Copies a whole database into another one of either kind.
///
/// An interrupted run keeps what it copied, and the next run continues from there, so the source must not be written to
/// meanwhile. The target is marked until the copy is complete, and no server starts on it.
package struct StoreCopy {
    /// The progress of a copy.
    package enum Step: Sendable, Equatable {
        case copied(table: String, rows: Int, of: Int)
        case compared(table: String, rows: Int)
        case copiedLogos(Int, of: Int)
        case comparedLogos(Int)
    }

    /// The result of a copy.
    package struct Outcome: Sendable, Equatable {
        package var rows = 0
        package var logos = 0
        /// Skipped logos: the catalogue refers to them, but they cannot be found.
        package var missingLogos: [String] = []
    }

    package enum Failure: Error, Equatable, CustomStringConvertible {
        case sourceNotMigrated
        /// The source is itself an unfinished copy of another database.
        case sourceUnfinished
        /// The target contains rows that are not from this copy.
        case targetNotEmpty(table: String)
        /// The target is an unfinished copy of another database.
        case anotherSource
        /// A server wrote to the source during the copy.
        case sourceWritten(table: String)
        /// The final comparison found a difference in this table.
        case different(table: String, source: Int, target: Int)
        /// Logos that the source's catalogue refers to cannot be found.
        case logosMissing(Int, of: Int, first: String)
        /// A logo of the source does not match its name.
        case damagedLogo(String)
        /// A logo of the target does not match its name.
        case differentLogo(String)

        package var description: String {
            switch self {
            case .sourceNotMigrated: "the source needs migration: run `subguardd migrate` on it first"
            case .sourceUnfinished:
                "the source is an unfinished copy of another store: finish that one first; nothing was written"
            case .targetNotEmpty(let table):
                "the target is not empty: there are rows in \(table); nothing was written; name a new one"
            case .anotherSource: "the target is the unfinished copy of another store; nothing was written"
            case .sourceWritten(let table):
                "\(table) of the source was written to meanwhile: stop its servers, and copy into a new target; the "
                    + "present one is marked and no server starts on it"
            case .different(let table, let source, let target):
                "\(table) differs after the copy (\(source) rows in the source, \(target) in the target): was the "
                    + "source written to meanwhile? The target is marked and no server starts on it; make a new one"
            case .logosMissing(let count, let total, let first):
                "\(count) of \(total) logos of the catalogue are not there, the first one is \(first): give the folder "
                    + "of the SQLite store with --logos, or skip them with --skip-missing-logos; nothing was copied"
            case .damagedLogo(let name):
                "the source's logo \(name) is missing or does not match its name: restore it and run this again"
            case .differentLogo(let name):
                "the target's logo \(name) does not match its name: remove it and run this again"
            }
        }
    }

    /// The row of `store_metadata` that marks an unfinished copy.
    private static let mark = "unfinished_copy_of"
    /// Its key before the target is ready for rows.
    private static let earlyMark = "prepared_copy_of"

    private let source: any SchemaStore
    private let target: any SchemaStore
    private let logos: LogoCopy
    private let now: String

    /// - Parameters:
    ///   - logos: the logos of both sides.
    ///   - now: recorded as the time of the target's migrations: RFC 3339, UTC.
    package init(from source: any SchemaStore, to target: any SchemaStore, logos: LogoCopy, now: String) {
        self.source = source
        self.target = target
        self.logos = logos
        self.now = now
    }

    /// Whether a database is an unfinished copy, also before its schema is complete.
    package static func isUnfinished(_ store: any SQLStore) throws -> Bool {
        try store.read { try readMark($0, store.dialect) } != nil
    }

    /// Throws ``Failure/sourceNotMigrated`` or ``Failure/sourceUnfinished`` if a database cannot be a source.
    package static func requireWhole(_ source: any SchemaStore) throws {
        guard try Migrator.backend(source.dialect).status(of: source).isUpToDate else {
            throw Failure.sourceNotMigrated
        }
        guard try !isUnfinished(source) else { throw Failure.sourceUnfinished }
    }

    /// Copies what the target lacks, then reads both completely and compares them. `progress` may throw to interrupt
    /// it. Throws ``Failure``, `MigrationError` or `SQLError`; what was already copied is kept.
    @discardableResult
    package func run(_ progress: (Step) throws -> Void = { _ in }) throws -> Outcome {
        try Self.requireWhole(source)
        // One snapshot of the source for the whole copy.
        let (outcome, tables, state) = try source.read { session in
            let tables = try CopiedTable.all(in: session, source.dialect)
            let identity = try Self.epoch(session)
            // Checked before the migrations, so that a target in other use is not changed.
            _ = try target.read { try requireRoom(for: identity, in: $0) }
            // The schema is never visible without a mark: a server would take it for an empty store.
            try Migrator.backend(target.dialect).migrate(target, now: now) { try prepare(identity, in: $0) }
            let plan = try logos.plan(in: session)
            try begin(tables, identity: identity)
            // Logos first, because a row that names a logo requires its content.
            try logos.copy(plan, to: target, progress)
            for table in tables { try copy(table, from: session, progress) }
            try logos.compare(plan, progress)
            var outcome = Outcome(logos: plan.names.count, missingLogos: plan.missing)
            let state = try tables.map { table in
                TableState(
                    count: try compare(table, with: session, progress), lastKey: try table.lastKey(in: session))
            }
            outcome.rows = state.reduce(0) { $0 + $1.count }
            return (outcome, tables, state)
        }
        // The snapshot hides what was written meanwhile, such as events that a server has acknowledged.
        let present = try source.read { session in
            try tables.map { TableState(count: try $0.count(in: session), lastKey: try $0.lastKey(in: session)) }
        }
        if let table = zip(tables, zip(state, present)).first(where: { $1.0 != $1.1 })?.0 {
            throw Failure.sourceWritten(table: table.name)
        }
        try target.write { transaction in
            for table in tables { try table.continueNumbers(in: transaction, target.dialect) }
            _ = try transaction.execute("DELETE FROM store_metadata WHERE key = ?", [.text(Self.mark)])
        }
        return outcome
    }

    private struct TableState: Equatable {
        let count: Int
        let lastKey: [SQLValue]?
    }

    /// Returns whether a copy of the source was begun in the target. Throws unless that is so or the target is empty.
    private func requireRoom(for identity: [UInt8], in session: any SQLSession) throws -> Bool {
        if let mark = try Self.readMark(session, target.dialect) {
            guard mark.source == identity else { throw Failure.anotherSource }
            return mark.key == Self.mark
        }
        let tables = Set(try session.tableNames(target.dialect))
        let telling = ["event_blocks", "catalogue_items", "access_tokens", "audit_entries", "accounts"]
        for name in telling where tables.contains(name) {
            guard try session.first("SELECT 1 FROM \(name) LIMIT 1", [], { _ in true }) == nil else {
                throw Failure.targetNotEmpty(table: name)
            }
        }
        return false
    }

    /// Marks a target whose schema is being made.
    private func prepare(_ identity: [UInt8], in session: any SchemaSession) throws {
        guard try !requireRoom(for: identity, in: session) else { return }
        let row = "INSERT INTO store_metadata (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING"
        try session.execute(row, [.text(Self.earlyMark), .blob(identity)])
    }

    /// Deletes the rows that migrations inserted into a new target, and marks it.
    private func begin(_ tables: [CopiedTable], identity: [UInt8]) throws {
        try target.write { transaction in
            guard try !requireRoom(for: identity, in: transaction) else { return }
            for table in tables.reversed() where !table.isWrittenOver {
                try transaction.execute("DELETE FROM \(table.name)")
            }
            try transaction.execute("DELETE FROM catalogue_logo_contents")
            try transaction.execute("DELETE FROM store_metadata WHERE key = ?", [.text(Self.earlyMark)])
            try transaction.execute(
                "INSERT INTO store_metadata (key, value) VALUES (?, ?)", [.text(Self.mark), .blob(identity)])
        }
    }

    private func copy(_ table: CopiedTable, from session: any SQLSession, _ progress: (Step) throws -> Void) throws {
        let total = try table.count(in: session)
        // Each part is one transaction and parts are in the order of the keys, so the last key is the progress.
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

    private static func readMark(
        _ session: any SQLSession, _ dialect: SQLDialect
    ) throws -> (key: String, source: [UInt8])? {
        // The first migration creates the table.
        guard try session.tableNames(dialect).contains("store_metadata") else { return nil }
        let row = "SELECT key, value FROM store_metadata WHERE key IN (?, ?)"
        return try session.first(row, [.text(mark), .text(earlyMark)]) { (try $0.text(0), try $0.blob(1)) }
    }

    /// The identity of the source; empty if no server ever ran on it.
    private static func epoch(_ session: any SQLSession) throws -> [UInt8] {
        try session.first("SELECT value FROM store_metadata WHERE key = 'epoch'") { try $0.blob(0) } ?? []
    }
}

/// Hides the mark of the copy from the comparison.
private struct WithoutMark: SQLSession {
    let target: any SQLSession
    let key: String

    func forEach(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
        try target.forEach(sql, arguments) { row in
            if try row.text(0) != key { try visit(row) }
        }
    }
}

import Catalogue
import FileAccess
import Foundation
package import Operations
import PostgresDatabase
package import SQLDatabase
import SQLiteDatabase
import SubGuardDomain

/// Copies a database that no server uses, with its logos, to another location.
package struct StoreMove {
    /// The location of the target's logos, for messages.
    package let logosPlace: String
    private let copy: StoreCopy
    private let stores: [any SchemaStore]
    // Held until the end, so that no server starts on either database.
    private let locks: [StoreLock]

    /// - Parameters:
    ///   - source: a database URL, like `target`.
    ///   - logos: folder of the logos of the SQLite database; nil means `logos` next to it.
    ///   - skipsMissingLogos: whether logos without a file are skipped. Otherwise they are an error.
    ///
    /// Throws ``StoreMoveError`` or a file error of the system.
    package init(from source: String, to target: String, logos: String? = nil, skipsMissingLogos: Bool = false) throws {
        let (from, to) = (try Self.url(source, .from), try Self.url(target, .to))
        guard logos == nil || (from.filePath == nil) != (to.filePath == nil) else {
            throw StoreMoveError.logosOfWhich
        }
        if let path = from.filePath {
            guard FileManager.default.fileExists(atPath: path) else { throw StoreMoveError.noStore(path: path) }
            if let logos, !FileManager.default.fileExists(atPath: logos) {
                throw StoreMoveError.noLogoFolder(path: logos)
            }
            if let other = to.filePath, Self.isOneFile(path, other) { throw StoreMoveError.sameStore }
        }
        var locks: [StoreLock] = []
        var stores: [any SchemaStore] = []
        for (url, side) in [(from, StoreMoveError.Side.from), (to, .to)] {
            if let path = url.filePath {
                guard let lock = try StoreLock(store: path, alone: true) else {
                    throw StoreMoveError.storeIsServed(side, path: path)
                }
                locks.append(lock)
            }
            let store = try Self.open(url, side)
            // Checked before the target is created.
            if side == .from { try StoreCopy.requireWhole(store) }
            stores.append(store)
        }
        let (original, copied) = (stores[0], stores[1])
        guard try !Self.isOneDatabase(original, copied) else { throw StoreMoveError.sameStore }
        self.locks = locks
        self.stores = stores
        func contents(_ url: SQLDatabaseURL, _ store: any SchemaStore) -> any LogoContents {
            guard let path = url.filePath else { return LogoTable(store: store) }
            return LogoFolder(path: logos ?? FilePath.split(path).folder + "/logos")
        }
        let target = contents(to, copied)
        logosPlace = (target as? LogoFolder)?.path ?? "the database"
        copy = StoreCopy(
            from: original, to: copied,
            logos: LogoCopy(from: contents(from, original), to: target, skipsMissing: skipsMissingLogos),
            now: OpenStore.now().rfc3339)
    }

    /// Copies and verifies; see ``StoreCopy``. Call it at most once.
    package func run(_ progress: (StoreCopy.Step) -> Void) throws -> StoreCopy.Outcome {
        defer { for store in stores { try? store.close() } }
        return try withExtendedLifetime(locks) { try copy.run(progress) }
    }

    private static func url(_ text: String, _ side: StoreMoveError.Side) throws(StoreMoveError) -> SQLDatabaseURL {
        do throws(SQLDatabaseURLError) {
            return try SQLDatabaseURL(text)
        } catch {
            throw .url(side, error)
        }
    }

    private static func open(_ url: SQLDatabaseURL, _ side: StoreMoveError.Side) throws -> any SchemaStore {
        var options = PostgresOptions()
        // Whole tables are counted and read, which takes long.
        options.statementTimeout = .seconds(3600)
        options.idleInTransactionTimeout = .seconds(3600)
        do {
            // Before opening, which would switch another program's database to WAL.
            if let path = url.filePath { try SQLiteStore.requireOwn(path: path) }
            let store = try url.open(postgres: options)
            if let encoding = try store.foreignEncoding() {
                throw StoreMoveError.cannotBeOpened(side, url, reason: "its encoding is \(encoding), not UTF8")
            }
            _ = try Migrator.backend(store.dialect).status(of: store)
            return store
        } catch let error as SQLError {
            throw StoreMoveError.cannotBeOpened(side, url, reason: StartError.reason(error, of: url))
        } catch let error as MigrationError {
            throw StoreMoveError.schema(side, error)
        }
    }

    private static func isOneFile(_ path: String, _ other: String) -> Bool {
        guard let first = FileStatus(of: path), let second = FileStatus(of: other) else { return false }
        return first.isSameFile(as: second)
    }

    /// Different URLs can refer to the same database. An advisory lock detects that, because locks belong to the
    /// database.
    private static func isOneDatabase(_ store: any SchemaStore, _ other: any SchemaStore) throws -> Bool {
        guard store.dialect == .postgres, other.dialect == .postgres else { return false }
        let key = SQLValue.integer(.random(in: .min ... .max))
        let schema = "SELECT coalesce(current_schema()::text, '')"
        return try store.read { session in
            try session.forEach("SELECT pg_advisory_xact_lock(?) IS NULL", [key]) { _ in }
            return try other.read { others in
                let isFree = try others.first(
                    "SELECT CASE WHEN pg_try_advisory_xact_lock(?) THEN 1::bigint ELSE 0::bigint END", [key]
                ) { try $0.integer(0) == 1 }
                guard isFree == false else { return false }
                // One database may contain several schemas of this product.
                return try session.first(schema) { try $0.text(0) } == others.first(schema) { try $0.text(0) }
            }
        }
    }
}

/// Why a database is not moved, with the flag concerned. Nothing was written.
package enum StoreMoveError: Error, CustomStringConvertible {
    package enum Side: String, Sendable {
        case from = "--from"
        case to = "--to"
    }

    case url(Side, SQLDatabaseURLError)
    case noStore(path: String)
    case sameStore
    case storeIsServed(Side, path: String)
    case schema(Side, MigrationError)
    case cannotBeOpened(Side, SQLDatabaseURL, reason: String)
    /// `--logos` is ambiguous for two databases of the same kind.
    case logosOfWhich
    case noLogoFolder(path: String)

    package var description: String {
        switch self {
        case .url(let side, let error): "\(side.rawValue): \(error)"
        case .noStore(let path): "--from: there is no database at \(path)"
        case .sameStore: "--to: it is the same database as --from"
        case .storeIsServed(let side, let path): "\(side.rawValue): a server runs on \(path); stop it first"
        case .schema(let side, let error): "\(side.rawValue): \(error)"
        case .cannotBeOpened(let side, let url, let reason): "\(side.rawValue): \(url): \(reason)"
        case .logosOfWhich: "--logos: it needs one SQLite and one PostgreSQL database; --from and --to are of one kind"
        case .noLogoFolder(let path): "--logos: there is no folder \(path)"
        }
    }
}

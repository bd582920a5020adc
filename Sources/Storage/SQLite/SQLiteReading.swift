import CFileStatus
import Foundation
import GRDB
import GRDBSQLite

/// A connection that leaves no trace: it writes nothing into the file, switches no mode, and where nobody has the file
/// open makes none beside it.
struct SQLiteReading: ~Copyable {
    private let connection: OpaquePointer

    /// Throws ``SQLError`` where the file cannot be read as it is.
    init(_ file: SQLiteFile, options: SQLiteOptions) throws {
        // With a log beside it somebody has the file open, or was killed: then what is committed is in the log too, and
        // has to be read with its locks. Without one the file is all there is.
        let hasLog = access(file.path + "-wal", F_OK) == 0
        let uri = "file:" + Self.escaped(file.path) + (hasLog ? "" : "?immutable=1")
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(
            uri, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close(handle)
            throw SQLError(sqliteCode: code, context: "open for reading")
        }
        sqlite3_busy_timeout(handle, options.busyTimeout.sqliteMilliseconds)
        connection = handle
    }

    deinit { sqlite3_close(connection) }

    /// Whether a query of one statement has a row.
    func hasRow(_ sql: String) throws -> Bool {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        guard code == SQLITE_OK else { throw SQLError(sqliteCode: code, context: "prepare") }
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLError(sqliteCode: code, context: "step")
        }
    }

    /// Copies one moment of the whole database in the place of another.
    func copy(to target: Database) throws {
        guard let backup = sqlite3_backup_init(target.sqliteConnection, "main", connection, "main") else {
            throw SQLError(sqliteCode: sqlite3_errcode(target.sqliteConnection), context: "copy")
        }
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw SQLError(sqliteCode: code, context: "copy") }
    }

    /// All but letters, digits and slashes as percent signs with their digits.
    private static func escaped(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"):
                String(UnicodeScalar(byte))
            default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }.joined()
    }
}

extension SQLiteStore {
    /// Looks whether the file is this program's to open: missing, empty, or one that remembers our migrations.
    ///
    /// Throws ``MigrationError/foreignStore`` for a database with tables of others alone, which stays byte for byte as it
    /// is: opening it as a store would already switch it to WAL. What cannot be looked at so is for the opening to judge.
    package static func requireOwn(path: String, options: SQLiteOptions = SQLiteOptions()) throws {
        let file = try SQLiteFile(path: path)
        if !options.followsLinks { try file.requirePlain() }
        var status = file_status()
        guard file_status_at(file.path, &status), status.byte_count > 0 else { return }
        let isForeign: Bool
        do {
            let reading = try SQLiteReading(file, options: options)
            isForeign = try !reading.hasRow(MigrationTable.exists) && reading.hasRow(MigrationTable.foreignTables)
        } catch {
            return
        }
        if isForeign { throw MigrationError.foreignStore }
    }

    /// A temporary store with what a file holds, which stays byte for byte as it is and may be on a disk that cannot be
    /// written to. A file that is missing counts as an empty one.
    package static func temporary(
        copyOf path: String, options: SQLiteOptions = SQLiteOptions()
    ) throws -> SQLiteStore {
        let file = try SQLiteFile(path: path)
        let folder = SQLiteFile.temporaryFolderPath()
        let copy = try SQLiteFile(path: folder + "/store.sqlite")
        do {
            try copy.createIfMissing()
            if access(file.path, F_OK) == 0 { try fill(copy, from: file, options: options) }
            return try SQLiteStore(path: copy.path, options: options, temporaryFolder: folder)
        } catch {
            SQLiteFile.removeFolder(folder)
            throw SQLError.mapped(error, context: "copy")
        }
    }

    private static func fill(_ copy: SQLiteFile, from file: SQLiteFile, options: SQLiteOptions) throws {
        do {
            let reading = try SQLiteReading(file, options: options)
            let target = try DatabaseQueue(path: copy.path)
            defer { try? target.close() }
            try target.writeWithoutTransaction { try reading.copy(to: $0) }
        } catch let error as SQLError where error.code == .cannotOpen || error.code == .readOnly {
            // A log that a killed process left where nobody may make the index that belongs to it: file and log
            // together are what it had committed.
            guard access(file.path + "-wal", R_OK) == 0, access(file.path + "-shm", F_OK) != 0 else { throw error }
            for suffix in ["", "-wal"] {
                copy.remove(suffix)
                try FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy.path + suffix)
                chmod(copy.path + suffix, 0o600)
            }
        }
    }
}

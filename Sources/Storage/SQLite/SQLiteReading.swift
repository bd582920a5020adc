import CFileStatus
import Foundation
import SQLDatabase

extension SQLiteConnection {
    /// A connection that leaves no trace: it writes nothing into the file, switches no mode, and where nobody has the file
    /// open makes none beside it. Throws ``SQLError`` where the file cannot be read as it is.
    static func withoutTrace(_ file: SQLiteFile, _ options: SQLiteOptions) throws -> SQLiteConnection {
        // With a log beside it another program has the file open, or was killed: then committed data is in the log too,
        // and has to be read with its locks. Without one the file is all there is.
        let hasLog = access(file.path + "-wal", F_OK) == 0
        return try SQLiteConnection(
            path: file.path, hasLog ? .reading : .readingUnchanged, busyTimeout: options.busyTimeout,
            context: "open for reading")
    }
}

extension SQLiteStore {
    /// Looks whether the file is this program's to open: missing, empty, or one that remembers our migrations.
    ///
    /// Throws ``MigrationError/foreignStore`` for a database with tables of others alone, which stays byte for byte as
    /// it is: opening it as a store would already switch it to WAL. What cannot be looked at so is for the opening to
    /// judge.
    package static func requireOwn(path: String, options: SQLiteOptions = SQLiteOptions()) throws {
        let file = try SQLiteFile(path: path)
        if !options.followsLinks { try file.requirePlain() }
        var status = file_status()
        guard file_status_at(file.path, &status), status.byte_count > 0 else { return }
        let isForeign: Bool
        do {
            let reading = try SQLiteConnection.withoutTrace(file, options)
            isForeign =
                try !reading.run(Self.hasMigrations, context: "look") && reading.run(Self.hasTables, context: "look")
        } catch {
            return
        }
        if isForeign { throw MigrationError.foreignStore }
    }

    private static let hasMigrations =
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'"
    private static let hasTables = """
        SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """

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
            throw error
        }
    }

    private static func fill(_ copy: SQLiteFile, from file: SQLiteFile, options: SQLiteOptions) throws {
        do {
            let reading = try SQLiteConnection.withoutTrace(file, options)
            let target = try SQLiteConnection(path: copy.path, .full, context: "copy")
            try reading.copy(to: target)
            try target.close()
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

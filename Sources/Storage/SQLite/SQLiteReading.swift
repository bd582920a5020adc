import CFileStatus
import Foundation
import SQLDatabase

extension SQLiteConnection {
    /// Opens a connection without side effects: it does not write to the file, change its mode, or create auxiliary
    /// files unless another process has it open. Throws ``SQLError`` if the file cannot be read in its current state.
    static func withoutTrace(_ file: SQLiteFile, _ options: SQLiteOptions) throws -> SQLiteConnection {
        // If there is a log, another process has the file open or was killed: the log then contains committed data, and
        // reading needs locks. Without a log, the file is complete.
        let hasLog = access(file.path + "-wal", F_OK) == 0
        return try SQLiteConnection(
            path: file.path, hasLog ? .reading : .readingUnchanged, busyTimeout: options.busyTimeout,
            context: "open for reading")
    }
}

extension SQLiteStore {
    /// Checks whether the file may be opened: missing, empty, or with our migrations.
    ///
    /// Throws ``MigrationError/foreignStore`` for a database with only other tables, which is left unchanged; regular
    /// opening would already switch it to WAL. Errors while reading are left to the opening.
    package static func requireOwn(path: String, options: SQLiteOptions = SQLiteOptions()) throws {
        let file = try SQLiteFile(path: path, options: options)
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

    /// A temporary copy of the file, which is left unchanged and may be on a read-only disk. A missing file counts as
    /// empty.
    package static func temporary(
        copyOf path: String, options: SQLiteOptions = SQLiteOptions()
    ) throws -> SQLiteStore {
        let file = try SQLiteFile(path: path, options: options)
        var status = file_status()
        let byteCount = file_status_at(file.path, &status) ? status.byte_count : 0
        // With the log of what brings it up to date.
        let folder = try SQLiteTemporaryFolder(byteCount: 3 * byteCount + (4 << 20))
        let copy = try SQLiteFile(path: folder.path + "/store.sqlite")
        do {
            try copy.createIfMissing()
            if access(file.path, F_OK) == 0 { try fill(copy, from: file, options: options) }
            return try SQLiteStore(path: copy.path, options: options, temporaryFolder: folder)
        } catch {
            folder.remove()
            throw error
        }
    }

    private static func fill(_ copy: SQLiteFile, from file: SQLiteFile, options: SQLiteOptions) throws {
        do {
            let reading = try SQLiteConnection.withoutTrace(file, options)
            let target = try SQLiteConnection(path: copy.path, .full, context: "copy")
            try reading.copy(to: target)
            try target.close()
        } catch let error as SQLError where [.cannotOpen, .readOnly, .inputOutput].contains(error.code) {
            // A log of a killed process in a place where its index cannot be created, or not be filled: file and log
            // together contain the committed data.
            // SQLite marks an unused index by a few bytes.
            var index = file_status()
            let hasIndex = file_status_at(file.path + "-shm", &index) && index.byte_count >= 32 << 10
            guard access(file.path + "-wal", R_OK) == 0, !hasIndex else { throw error }
            for suffix in ["", "-wal"] {
                copy.remove(suffix)
                try FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy.path + suffix)
                chmod(copy.path + suffix, 0o600)
            }
        }
    }
}

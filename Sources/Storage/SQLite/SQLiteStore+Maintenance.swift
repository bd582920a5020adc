import SQLDatabase

extension SQLiteStore {
    /// Opens a new database in its own folder under the system's temporary folder; closing deletes it. For tests and
    /// for data not needed after the process ends.
    package static func temporary(options: SQLiteOptions = SQLiteOptions()) throws -> SQLiteStore {
        let folder = try SQLiteTemporaryFolder()
        return try SQLiteStore(path: folder.path + "/store.sqlite", options: options, temporaryFolder: folder)
    }

    /// Checks the whole file and returns the damage found, in SQLite's words; empty if there is none.
    ///
    /// Reports at most 100 damages of the file, and each reference to a missing row.
    package func integrityCheck() throws -> [String] {
        try read { session in
            let damages = try session.query("PRAGMA integrity_check") { try $0.text(0) }.filter { $0 != "ok" }
            let orphans = try session.query("PRAGMA foreign_key_check") { row in
                "row of \(try row.text(0)) refers to a missing row of \(try row.text(2))"
            }
            return damages + orphans
        }
    }

    /// Writes a consistent copy of the database, with mode 0600, without blocking readers and writers. On return the
    /// copy is on disk; after an error there is none.
    ///
    /// Throws ``SQLError/Code/cannotOpen`` if there is already a file at `path`.
    package func snapshot(to path: String) throws {
        try copy(to: SQLiteFile(path: path), replaces: false)
    }

    /// The same, optionally replacing an older copy, which is kept until the new one is complete.
    func copy(to file: SQLiteFile, replaces: Bool) throws {
        try withReader("snapshot") { source in
            if !replaces { try file.requireMissing() }
            let unfinished = try file.makeUnfinished()
            defer { unfinished.remove() }
            let copy = try SQLiteConnection(path: unfinished.path, .full, context: "snapshot")
            try source.copy(to: copy)
            try copy.close()
            try unfinished.synchronize()
            try replaces ? unfinished.replace(file) : unfinished.publish(as: file)
        }
    }
}

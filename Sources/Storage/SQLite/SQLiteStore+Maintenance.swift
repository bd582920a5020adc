import SQLDatabase

extension SQLiteStore {
    /// Opens a new store in a folder of its own under the system's temporary folder; closing removes it. For tests and
    /// for work that needs no memory of the last run.
    package static func temporary(options: SQLiteOptions = SQLiteOptions()) throws -> SQLiteStore {
        let folder = SQLiteFile.temporaryFolderPath()
        return try SQLiteStore(path: folder + "/store.sqlite", options: options, temporaryFolder: folder)
    }

    /// Reads the whole file and returns what is wrong with it, in SQLite's words; nothing when all is well.
    ///
    /// Reports at most 100 damages of the file, and each reference to a row that does not exist.
    package func integrityCheck() throws -> [String] {
        try read { session in
            let damages = try session.query("PRAGMA integrity_check") { try $0.text(0) }.filter { $0 != "ok" }
            let orphans = try session.query("PRAGMA foreign_key_check") { row in
                "row of \(try row.text(0)) refers to a missing row of \(try row.text(2))"
            }
            return damages + orphans
        }
    }

    /// Writes a consistent copy of the store, with mode 0600, while readers and writers go on. When this returns the
    /// copy is on disk; when it throws there is none.
    ///
    /// Throws ``SQLError/Code/cannotOpen`` when there is a file at `path` already.
    package func snapshot(to path: String) throws {
        try copy(to: SQLiteFile(path: path), replaces: false)
    }

    /// The same, and on request in the place of an older copy, which stays until the new one is whole.
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

import CSQLite
import SQLDatabase

/// How an SQLite file is opened. The defaults suit a server that must not lose acknowledged data and has a small memory
/// footprint.
package struct SQLiteOptions: Sendable {
    /// Maximum concurrent readers; others wait. Default 4; values below 1 count as 1.
    package var readerCount = 4

    /// How long a call waits for another process's lock before it throws ``SQLError/Code/busy``. Default 5 s, in steps
    /// of a millisecond.
    package var busyTimeout = Duration.seconds(5)

    /// The page cache of the single writing connection, allocated on demand. Default 32 MiB: the busy indexes of a
    /// million users.
    package var writerCacheKibibytes = 32_768

    /// The page cache of each reading connection. Default 1 MiB, in addition to the kernel's cache.
    package var readerCacheKibibytes = 1024

    /// A checkpoint truncates the write-ahead log to this size.
    package static let journalSizeLimitBytes: Int64 = 64 << 20

    /// Whether the file may be a symbolic link. Default false: then the file, its log, its index and its journal must
    /// be regular files with a single hard link, or missing; opening throws `FileFailure` otherwise. If true, links are
    /// resolved when the file is opened.
    package var followsLinks = false

    package init() {}
}

extension SQLiteOptions {
    /// Opens the writing connection; creates a missing file.
    func openWriter(_ path: String) throws -> SQLiteConnection {
        let connection = try open(path, .full, cacheKibibytes: writerCacheKibibytes)
        try set("journal_size_limit", to: Self.journalSizeLimitBytes, on: connection)
        // Deleted data is overwritten. Debian's library does so by default; others do not.
        try set("secure_delete", to: 1, on: connection)
        // Changes nothing if the file already has this mode, so that opening does not modify it.
        let statement = try connection.statement("PRAGMA journal_mode = WAL")
        defer { statement.reset() }
        guard try statement.step(context: "open"), try SQLiteRow(statement: statement.handle).text(0) == "wal" else {
            throw SQLError(sqliteCode: SQLITE_CANTOPEN, context: "set WAL mode")
        }
        try connection.run(Self.synchronous, context: "open")
        return connection
    }

    /// Opens a reading connection.
    func openReader(_ path: String) throws -> SQLiteConnection {
        try open(path, .reading, cacheKibibytes: readerCacheKibibytes)
    }

    /// Opens a connection that copies the write-ahead log into the file.
    func openCheckpointer(_ path: String) throws -> SQLiteConnection {
        let connection = try open(path, .full, cacheKibibytes: readerCacheKibibytes)
        try connection.run(Self.synchronous, context: "open")
        return connection
    }

    private func open(_ path: String, _ access: SQLiteConnection.Access, cacheKibibytes: Int) throws -> SQLiteConnection
    {
        let connection = try SQLiteConnection(path: path, access, busyTimeout: busyTimeout, context: "open")
        try set("foreign_keys", to: 1, on: connection)
        // Mapped pages count as resident memory, and a bad disk block in a map kills the process, while a plain read
        // returns an error.
        try set("mmap_size", to: 0, on: connection)
        try set("cache_size", to: Int64(-cacheKibibytes), on: connection)
        // Reads the header, so that a file that is not a database is rejected here.
        try connection.run("SELECT 1 FROM sqlite_schema LIMIT 1", context: "open")
        return connection
    }

    /// Each commit is on disk before it returns: it survives a power failure.
    private static let synchronous = "PRAGMA synchronous = FULL"

    private func set(_ pragma: String, to value: Int64, on connection: SQLiteConnection) throws {
        try connection.run("PRAGMA \(pragma) = \(value)", context: "open")
    }
}

extension Duration {
    /// Rounded down to whole milliseconds and limited to the range of SQLite's timeouts, 0 to 24 days.
    var sqliteMilliseconds: CInt {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < Int64(CInt.max / 1000) else { return CInt.max }
        return CInt(seconds) * 1000 + CInt(attoseconds / 1_000_000_000_000_000)
    }
}

import CSQLite
import Dispatch
import Locking
package import SQLDatabase

/// An SQLite file in WAL mode: one writing connection and several reading ones.
///
/// Opening creates a missing file and switches another journal mode to WAL; otherwise it writes nothing. A nested
/// `write` on the same store is a programming error that stops the process, and closing the store in one of its
/// closures deadlocks.
package final class SQLiteStore: SQLStore {
    /// The file's absolute path.
    package let path: String
    let options: SQLiteOptions
    private let writer: SQLiteConnection
    /// Serialises the use of ``writer`` in the order of arrival.
    private let turn = DispatchQueue(label: "subguard.sqlite-writer")
    private let logLength = SQLiteLogLength()
    private let checkpoints: SQLiteCheckpoints
    private let readers: SQLiteReaders
    private let isClosed = Guarded(false)
    /// The running calls, for which closing waits.
    private let calls = DispatchGroup()
    /// Deleted with its contents when the store is closed.
    private let temporaryFolder: SQLiteTemporaryFolder?

    package var dialect: SQLDialect { .sqlite }

    /// Opens the file. Creates a missing file with mode 0600, and its folder with mode 0700.
    ///
    /// Throws ``SQLError``: `cannotOpen` for an invalid path, `corrupt` for a file that is not an SQLite database; and
    /// `FileFailure` for files that ``SQLiteOptions/followsLinks`` forbids, and for files and links that another user
    /// has put into a folder in which others may make files.
    package convenience init(path: String, options: SQLiteOptions = SQLiteOptions()) throws {
        try self.init(path: path, options: options, temporaryFolder: nil)
    }

    init(path: String, options: SQLiteOptions, temporaryFolder: SQLiteTemporaryFolder?) throws {
        let file = try SQLiteFile(path: path, options: options)
        try file.createIfMissing()
        // Afterwards: another user may have made the file first.
        try file.requireTrustworthy(options)
        self.path = file.path
        self.options = options
        self.temporaryFolder = temporaryFolder
        writer = try Self.openWriter(file, options)
        readers = SQLiteReaders(path: file.path, options: options)
        checkpoints = SQLiteCheckpoints(path: file.path, options: options)
        logLength.follow(writer.handle)
    }

    deinit { try? close() }

    package func read<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result {
        try withReader("read") { connection in
            try SQLiteSession.run(.read, on: connection) { try body($0) }
        }
    }

    @discardableResult
    package func write<Result>(_ body: (any SQLTransaction) throws -> Result) throws -> Result {
        let result = try withWriter("write") { connection in
            let result = try SQLiteSession.run(.write, on: connection) { try body($0) }
            if logLength.current >= SQLiteCheckpoints.framesOfAnEndlessLog {
                // The commit stands, whatever becomes of it.
                _ = try? SQLiteCheckpoints.copy(on: connection)
            }
            return result
        }
        checkpoints.start(frames: logLength.current) { [weak self] in self?.checkpoint() }
        return result
    }

    /// A failure is left to the next one: what is committed is in the log.
    private func checkpoint() {
        try? whileOpen("checkpoint") {
            guard try checkpoints.copy() else { return }
            _ = try turn.sync { try SQLiteCheckpoints.copy(on: writer) }
        }
    }

    /// Empties the write-ahead log, so that what was deleted can no longer be read in it. Writers wait only for the
    /// pages that came while the others were copied. Returns false, and does nothing more, while a reader or another
    /// process needs the log: call it again later.
    @discardableResult
    package func emptyLog() throws -> Bool {
        guard logLength.current > 0 else { return true }
        return try whileOpen("checkpoint") {
            try checkpoints.copyNow()
            return try turn.sync {
                guard try SQLiteCheckpoints.empty(on: writer, busyTimeout: options.busyTimeout) else { return false }
                logLength.reset()
                return true
            }
        }
    }

    /// Waits for running calls, merges the write-ahead log into the file and closes. A second call does nothing.
    ///
    /// Even after an error the store is closed, and committed data is safe in the log.
    package func close() throws {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        guard !wasClosed else { return }
        calls.wait()
        defer { temporaryFolder?.remove() }
        try readers.close()
        try checkpoints.close()
        try turn.sync {
            let code = sqlite3_wal_checkpoint_v2(writer.handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
            try writer.close()
            // Another process is reading; the last one to close merges the log.
            guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else {
                throw SQLError(sqliteCode: code, context: "close")
            }
        }
    }

    /// Lends a reading connection, outside of any transaction.
    func withReader<Result>(_ context: String, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try whileOpen(context) { try readers.withReader(body) }
    }

    /// Lends the writing connection, outside of any transaction.
    func withWriter<Result>(_ context: String, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try whileOpen(context) { try turn.sync { try body(writer) } }
    }

    private func whileOpen<Result>(_ context: String, _ body: () throws -> Result) throws -> Result {
        try isClosed.withLock { closed in
            guard !closed else { throw SQLError(code: .closed, number: 0, context: context) }
            calls.enter()
        }
        defer { calls.leave() }
        return try body()
    }

    /// Two processes that create the same file at once can collide in the switch to WAL, for which SQLite does not
    /// wait; this retries until the busy timeout.
    private static func openWriter(_ file: SQLiteFile, _ options: SQLiteOptions) throws -> SQLiteConnection {
        let deadline = ContinuousClock.now + options.busyTimeout
        while true {
            do {
                return try options.openWriter(file.path)
            } catch let error as SQLError where error.code == .busy && ContinuousClock.now < deadline {
                SQLiteFile.pause()
            }
        }
    }
}

/// The reading connections of one file, opened on demand.
final class SQLiteReaders: Sendable {
    private let path: String
    private let options: SQLiteOptions
    private let free: DispatchSemaphore
    private let idle = Guarded<[SQLiteConnection]>([])

    init(path: String, options: SQLiteOptions) {
        self.path = path
        self.options = options
        free = DispatchSemaphore(value: max(1, options.readerCount))
    }

    /// Waits for a connection and lends it to `body`, outside of any transaction.
    func withReader<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        free.wait()
        defer { free.signal() }
        // Last in, first out: its page cache is the warmest.
        let reader = try idle.withLock { $0.popLast() } ?? options.openReader(path)
        defer { idle.withLock { $0.append(reader) } }
        return try body(reader)
    }

    /// Closes the connections. Call it when none is lent.
    func close() throws {
        let readers = idle.withLock { readers in
            defer { readers = [] }
            return readers
        }
        for reader in readers { try reader.close() }
    }
}

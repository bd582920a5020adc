import Dispatch
import GRDB
import Synchronization

/// An SQLite file in WAL mode: one writing connection and a few reading ones.
///
/// Opening creates what is missing and switches a file in another journal mode to WAL; otherwise it writes nothing.
/// A `write` inside a `write` of the same store is a mistake that stops the process, and closing the store from inside
/// one of its closures never returns.
package final class SQLiteStore: SQLStore {
    /// The file's absolute path.
    package let path: String
    let options: SQLiteOptions
    private let writer: DatabaseQueue
    private let readers: SQLiteReaders
    private let isClosed = Mutex(false)
    /// The calls under way; closing waits for them.
    private let calls = DispatchGroup()
    /// Removed with all that is in it when the store is closed.
    private let temporaryFolder: String?

    package var dialect: SQLDialect { .sqlite }

    /// Opens the file. Creates it with mode 0600, and its folder with mode 0700, where they are missing.
    ///
    /// Throws ``SQLError``: `cannotOpen` for a path that leads nowhere, `corrupt` for a file that is no SQLite database; and
    /// `FileFailure` where ``SQLiteOptions/followsLinks`` forbids what is there.
    package convenience init(path: String, options: SQLiteOptions = SQLiteOptions()) throws {
        try self.init(path: path, options: options, temporaryFolder: nil)
    }

    init(path: String, options: SQLiteOptions, temporaryFolder: String?) throws {
        let file = try SQLiteFile(path: path)
        if !options.followsLinks { try file.requirePlain() }
        try file.createIfMissing()
        self.path = file.path
        self.options = options
        self.temporaryFolder = temporaryFolder
        writer = try Self.openWriter(file, options)
        readers = SQLiteReaders(path: file.path, options: options)
    }

    deinit { try? close() }

    package func read<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result {
        try withReader("read") { database in
            try SQLiteSession.run(.read, on: database) { try body($0) }
        }
    }

    @discardableResult
    package func write<Result>(_ body: (any SQLTransaction) throws -> Result) throws -> Result {
        try withWriter("write") { database in
            try SQLiteSession.run(.write, on: database) { try body($0) }
        }
    }

    /// Waits for the calls under way, moves the write-ahead log into the file and closes. A second call does nothing.
    ///
    /// When it throws, the store is closed nevertheless, and what was committed is safe in the log.
    package func close() throws {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        guard !wasClosed else { return }
        calls.wait()
        defer { SQLiteFile.removeFolder(temporaryFolder) }
        do {
            try readers.close()
            let checkpoint = Result { try writer.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
            try writer.close()
            _ = try checkpoint.get()
        } catch DatabaseError.SQLITE_BUSY {
            // Another process is reading; the log is moved when the last one closes.
        } catch {
            throw SQLError.mapped(error, context: "close")
        }
    }

    /// Lends a reading connection, outside of any transaction.
    func withReader<Result>(_ context: String, _ body: (Database) throws -> Result) throws -> Result {
        try whileOpen(context) { try readers.withReader(body) }
    }

    /// Lends the writing connection, outside of any transaction.
    func withWriter<Result>(_ context: String, _ body: (Database) throws -> Result) throws -> Result {
        try whileOpen(context) { try writer.writeWithoutTransaction(body) }
    }

    private func whileOpen<Result>(_ context: String, _ body: () throws -> Result) throws -> Result {
        try isClosed.withLock { closed in
            guard !closed else { throw SQLError(code: .closed, number: 0, context: context) }
            calls.enter()
        }
        defer { calls.leave() }
        do {
            return try body()
        } catch {
            throw SQLError.mapped(error, context: context)
        }
    }

    /// Two processes that create the same file at once can meet in the switch to WAL, where SQLite does not wait for
    /// the lock; so this tries again until the busy timeout is over.
    private static func openWriter(_ file: SQLiteFile, _ options: SQLiteOptions) throws -> DatabaseQueue {
        let deadline = ContinuousClock.now + options.busyTimeout
        while true {
            do {
                return try DatabaseQueue(path: file.path, configuration: options.writer)
            } catch DatabaseError.SQLITE_BUSY where ContinuousClock.now < deadline {
                SQLiteFile.pause()
            } catch {
                throw SQLError.mapped(error, context: "open")
            }
        }
    }
}

import CSQLite
import Dispatch
import Locking
import SQLDatabase

/// Copies what is committed from the write-ahead log into the file, beside the writer.
///
/// On its own, SQLite does that in the commit that makes the log long, which then waits for the file's pages to be
/// written and synchronised, with all commits behind it.
final class SQLiteCheckpoints: Sendable {
    /// Frames in the log, one per page written, that start a checkpoint. As SQLite's default.
    static let framesThatStart = 1000
    /// A log of so many frames (32 MB) is ended: the writer copies the few that came meanwhile, and the next commit
    /// begins the log anew. Otherwise it would grow for as long as commits follow each other.
    static let framesOfALongLog = 8000
    /// The writer then copies all of it, as without checkpoints beside it, which must have failed.
    static let framesOfAnEndlessLog = 4 * framesOfALongLog

    private struct State {
        var isRunning = false
        /// Frames at the beginning of the log that are in the file.
        var copied = 0
    }

    private let path: String
    private let options: SQLiteOptions
    private let queue = DispatchQueue(label: "subguard.sqlite-checkpoints", qos: .utility)
    private let state = Guarded(State())
    /// Used on ``queue`` only; opened by the first checkpoint.
    private let connection = Guarded<SQLiteConnection?>(nil)

    init(path: String, options: SQLiteOptions) {
        self.path = path
        self.options = options
    }

    /// Starts a checkpoint if the log is long enough and none is running.
    ///
    /// - Parameters:
    ///   - frames: the length of the log after a commit.
    ///   - run: calls ``copy()`` while the store is open.
    func start(frames: Int, run: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state in
            // Begun anew.
            if frames < state.copied { state.copied = 0 }
            guard !state.isRunning, frames - state.copied >= Self.framesThatStart else { return false }
            state.isRunning = true
            return true
        }
        guard starts else { return }
        queue.async { [self] in
            run()
            state.withLock { $0.isRunning = false }
        }
    }

    /// Copies what is in the log now, beside the writer, after a checkpoint that runs.
    func copyNow() throws {
        _ = try queue.sync { try copy() }
    }

    /// Copies what is in the log. Returns whether the writer should end the log.
    func copy() throws -> Bool {
        let connection = try connection.withLock { connection in
            let opened = try connection ?? options.openCheckpointer(path)
            connection = opened
            return opened
        }
        let log = try Self.copy(on: connection)
        state.withLock { $0.copied = log.copied }
        return log.frames >= Self.framesOfALongLog
    }

    /// Copies as much of the log as no reader holds up. Does nothing while another process is at it.
    @discardableResult
    static func copy(on connection: SQLiteConnection) throws -> (frames: Int, copied: Int) {
        var (frames, copied): (CInt, CInt) = (0, 0)
        let code = sqlite3_wal_checkpoint_v2(connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, &frames, &copied)
        guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else {
            throw SQLError(sqliteCode: code, context: "checkpoint")
        }
        return (max(0, Int(frames)), max(0, Int(copied)))
    }

    /// Copies the rest of the log and truncates the log to nothing. Returns false if a reader or another process needs
    /// the log for longer than 50 ms.
    static func empty(on connection: SQLiteConnection, busyTimeout: Duration) throws -> Bool {
        sqlite3_busy_timeout(connection.handle, 50)
        defer { sqlite3_busy_timeout(connection.handle, busyTimeout.sqliteMilliseconds) }
        let code = sqlite3_wal_checkpoint_v2(connection.handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else {
            throw SQLError(sqliteCode: code, context: "checkpoint")
        }
        return code == SQLITE_OK
    }

    /// Call it when no checkpoint is running.
    func close() throws {
        let opened = connection.withLock { connection in
            defer { connection = nil }
            return connection
        }
        try opened?.close()
    }
}

/// The length of the write-ahead log after the last commit of a connection, in frames.
final class SQLiteLogLength: Sendable {
    private let frames = Guarded(0)

    var current: Int { frames.withLock { $0 } }

    func reset() { frames.withLock { $0 = 0 } }

    /// Follows the commits of a connection, which must not outlive this object. Replaces SQLite's own checkpoints.
    func follow(_ handle: OpaquePointer) {
        sqlite3_wal_hook(
            handle,
            { context, _, _, frames in
                if let context {
                    Unmanaged<SQLiteLogLength>.fromOpaque(context).takeUnretainedValue()
                        .frames.withLock { $0 = Int(frames) }
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}

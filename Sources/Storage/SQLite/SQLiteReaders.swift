import Dispatch
import GRDB
import Synchronization

/// The reading connections of one file, opened when first needed.
///
/// GRDB's own pool is not used: it writes to every file that it opens (a table created and dropped), sets
/// `synchronous` to NORMAL, and prepares three statements for each read.
final class SQLiteReaders: Sendable {
    private let path: String
    private let configuration: Configuration
    private let free: DispatchSemaphore
    private let idle = Mutex<[DatabaseQueue]>([])

    init(path: String, options: SQLiteOptions) {
        self.path = path
        configuration = options.reader
        free = DispatchSemaphore(value: max(1, options.readerCount))
    }

    /// Waits for a connection and lends it to `body`, outside of any transaction.
    func withReader<Result>(_ body: (Database) throws -> Result) throws -> Result {
        free.wait()
        defer { free.signal() }
        // Last in, first out: its page cache is the warmest.
        let reader = try idle.withLock { $0.popLast() } ?? DatabaseQueue(path: path, configuration: configuration)
        defer { idle.withLock { $0.append(reader) } }
        return try reader.unsafeRead(body)
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

import Dispatch
import Locking
import SQLDatabase

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

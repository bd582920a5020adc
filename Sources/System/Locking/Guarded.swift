import Foundation

/// A value protected by a lock. Replaces `Mutex`, which iOS 17 and macOS 14 lack.
// proof: the value is reached through `withLock` alone, which holds the lock while it is lent.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Waits for the lock and passes the value to `body`. Not reentrant: a nested call deadlocks.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

import Foundation

/// A value that one caller at a time reads and changes. In the place of `Mutex`, which iOS 17 and macOS 14 do not have.
// proof: the value is reached through `withLock` alone, which holds the lock while it is lent.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Waits for the lock and lends the value to `body`. Calling it again from within `body` never returns.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

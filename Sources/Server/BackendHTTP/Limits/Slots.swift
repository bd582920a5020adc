import Synchronization

/// Limits how much of something that takes long happens at once.
package final class Slots: Sendable {
    private let count: Int
    private let taken = Mutex(0)

    package init(_ count: Int = 1) { self.count = count }

    /// Nil, and nothing is done, while all slots are taken.
    package func run<Result>(_ body: () throws -> Result) rethrows -> Result? {
        let isFree = taken.withLock { taken in
            guard taken < count else { return false }
            taken += 1
            return true
        }
        guard isFree else { return nil }
        defer { taken.withLock { $0 -= 1 } }
        return try body()
    }
}

import Dispatch
import Synchronization

/// A blocking call on a thread outside of the pool that runs the tests, so that a test may wait for it even where that
/// pool has a single thread.
final class BackgroundCall: Sendable {
    private let ended = DispatchGroup()
    private let failure = Mutex<(any Error)?>(nil)

    init(_ body: @escaping @Sendable () throws -> Void) {
        DispatchQueue.global().async(group: ended) { [self] in
            do {
                try body()
            } catch {
                failure.withLock { $0 = error }
            }
        }
    }

    /// Throws what the call threw.
    func wait() throws {
        ended.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

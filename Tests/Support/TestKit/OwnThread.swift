import Foundation
import Synchronization

/// Work on its own thread, for blocking clients: Dispatch and tasks run only a few blocking calls at once.
package final class OwnThread<Value: Sendable>: Sendable {
    /// The work has not ended before the timeout.
    package struct StillRunning: Error {}

    private let outcome = Mutex<Result<Value, any Error>?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts immediately.
    package init(_ work: @escaping @Sendable () throws -> Value) {
        let thread = Thread { [self] in
            let result = Result { try work() }
            outcome.withLock { $0 = result }
            ended.signal()
        }
        thread.stackSize = 512 * 1024
        thread.start()
    }

    /// Runs `work` on its own thread and waits without blocking a thread of the pool that tasks share: work that waits
    /// for a task would otherwise wait for ever on a machine of few cores.
    package static func run(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try work() }) }
            thread.start()
        }
    }

    package var hasEnded: Bool { outcome.withLock { $0 != nil } }

    /// Waits for the result; throws ``StillRunning`` after the timeout.
    package func value(timeoutSeconds: Double = 30) throws -> Value {
        guard ended.wait(timeout: .now() + timeoutSeconds) == .success else { throw StillRunning() }
        ended.signal()
        guard let result = outcome.withLock({ $0 }) else { throw StillRunning() }
        return try result.get()
    }

    /// Runs `work` with 0 ..< `count`, each on its own thread, and waits for all. Results are in the order of the
    /// numbers.
    package static func each(
        of count: Int, _ work: @escaping @Sendable (Int) throws -> Value
    ) -> [Result<Value, any Error>] {
        let threads = (0..<count).map { index in OwnThread { try work(index) } }
        return threads.map { thread in Result { try thread.value() } }
    }
}

import Dispatch
import HTTPServer
import Synchronization

/// Blocks handlers until the test opens it.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let arrivals = Mutex(0)
    private let parked = Mutex<[Reply]>([])

    /// The number of handlers that have reached the gate, whether or not they continued.
    var arrived: Int { arrivals.withLock { $0 } }

    /// Blocks the calling thread until the gate opens, at most 20 seconds, so that a failing test does not hang.
    func wait() {
        arrivals.withLock { $0 += 1 }
        _ = semaphore.wait(timeout: .now() + 20)
        semaphore.signal()
    }

    /// Keeps a deferred reply until the gate opens.
    func park(_ reply: Reply) {
        arrivals.withLock { $0 += 1 }
        parked.withLock { $0.append(reply) }
    }

    /// Releases all handlers, now and later; parked replies are answered "through".
    func open() {
        semaphore.signal()
        let replies = parked.withLock { parked in
            defer { parked = [] }
            return parked
        }
        for reply in replies { reply(.success(TestRoutes.text("through"))) }
    }
}

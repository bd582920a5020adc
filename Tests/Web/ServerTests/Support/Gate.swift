import Dispatch
import HTTPServer
import Synchronization

/// Holds handlers until the test lets them go.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let arrivals = Mutex(0)
    private let parked = Mutex<[Reply]>([])

    /// Handlers that have come to the gate, whether or not they went on.
    var arrived: Int { arrivals.withLock { $0 } }

    /// Blocks the calling thread until the gate opens, at most 20 seconds: a test that fails must not hang.
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

    /// Lets everybody through, now and later; parked replies are answered "through".
    func open() {
        semaphore.signal()
        let replies = parked.withLock { parked in
            defer { parked = [] }
            return parked
        }
        for reply in replies { reply(.success(TestRoutes.text("through"))) }
    }
}

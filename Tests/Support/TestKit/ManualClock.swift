import Synchronization

/// A clock that only tests move.
package final class ManualClock: Sendable {
    private let milliseconds: Mutex<Int64>

    /// `now` in milliseconds since 1970. The default is one minute before the end of a leap day: 2024-02-29T23:59:00Z.
    package init(now: Int64 = 1_709_251_140_000) { milliseconds = Mutex(now) }

    /// Milliseconds since 1970.
    package var now: Int64 {
        get { milliseconds.withLock { $0 } }
        set { milliseconds.withLock { $0 = newValue } }
    }

    package func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        milliseconds.withLock { $0 += seconds * 1000 + attoseconds / 1_000_000_000_000_000 }
    }
}

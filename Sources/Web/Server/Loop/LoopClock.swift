import Glibc
import HTTPWire

/// Time as a loop needs it: a cheap one that stands still between two wake-ups, and a fine one for latencies.
struct LoopClock {
    /// Milliseconds of the monotonic clock at the last wake-up.
    private(set) var now: Int64 = 0
    /// The line `Date: …`, made anew once a second.
    private(set) var dateLine: [UInt8] = []
    private var second = 0

    init() { tick() }

    mutating func tick() {
        now = Int64(truncatingIfNeeded: Self.nanoseconds(CLOCK_MONOTONIC_COARSE) / 1_000_000)
        let current = Int(Self.nanoseconds(CLOCK_REALTIME_COARSE) / 1_000_000_000)
        guard current != second else { return }
        second = current
        dateLine = Array("Date: \(HTTPDate.text(secondsSinceEpoch: max(0, current)))\r\n".utf8)
    }

    /// For measuring how long something took.
    static func nanoseconds() -> UInt64 { nanoseconds(CLOCK_MONOTONIC) }

    private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}

package import Glibc
import HTTPWire

/// Schedules checks of deadlines: a ring of buckets of a quarter second.
///
/// An entry is a hint: the connection holds the actual deadline, and if that was extended, the connection is entered
/// again when its hint comes up. Extending a deadline, which every request does, therefore costs nothing.
struct DeadlineWheel {
    struct Entry {
        let descriptor: Int32
        let generation: UInt64
    }

    static let ticksPerSecond: Int64 = 4
    private static let size: Int64 = 512

    private var buckets: [[Entry]] = Array(repeating: [], count: Int(size))
    private var current: Int64

    init(now: Int64) { current = Self.tick(now) }

    /// The tick in which a deadline in milliseconds is checked; never before it has passed.
    static func tick(_ milliseconds: Int64) -> Int64 { milliseconds * ticksPerSecond / 1000 + 1 }

    /// Returns the tick in which the entry comes up, at most the ring's length ahead.
    mutating func insert(_ entry: Entry, deadline: Int64) -> Int64 {
        let tick = min(max(Self.tick(deadline), current + 1), current + Self.size - 1)
        buckets[Int(tick % Self.size)].append(entry)
        return tick
    }

    /// Entries that have come up since the last call.
    mutating func advance(now: Int64) -> [Entry] {
        // `tick` rounds up for deadlines, so the current tick is one lower.
        let target = Self.tick(now) - 1
        var due: [Entry] = []
        while current < target {
            current += 1
            let index = Int(current % Self.size)
            if !buckets[index].isEmpty {
                due += buckets[index]
                buckets[index].removeAll(keepingCapacity: false)
            }
        }
        return due
    }
}

/// The clock of a loop: a cheap time updated at each wake-up, and an exact one for latencies.
package struct LoopClock {
    /// Milliseconds of the monotonic clock at the last wake-up.
    private(set) var now: Int64 = 0
    /// The line `Date: …`, updated once per second.
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

    /// The exact monotonic clock, for latencies.
    static func nanoseconds() -> UInt64 { nanoseconds(CLOCK_MONOTONIC) }

    /// A clock of the system, see clock_gettime(2).
    package static func nanoseconds(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}

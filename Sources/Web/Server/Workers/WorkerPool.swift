import Dispatch
import Synchronization

/// A fixed number of threads for blocking work, with a bounded queue. Dispatch's concurrent queue would start ever more
/// threads.
///
/// The queue is bounded by its length and by its waiting time: while the first entry has waited too long, new work is
/// rejected at once, and work that has waited too long is rejected when a worker is free. An overloaded server thus
/// reports overload instead of answering everything late.
final class WorkerPool: Sendable {
    private struct Waiting {
        let work: @Sendable () -> Void
        let tooLate: (@Sendable () -> Void)?
        /// Monotonic clock, in nanoseconds.
        let since: UInt64
    }

    private struct Line {
        var waiting: [Waiting?] = []
        var next = 0
        var idle: [Int]

        var oldest: Waiting? { next < waiting.count ? waiting[next] : nil }
    }

    private let lanes: [DispatchQueue]
    private let capacity: Int
    private let longestWait: UInt64
    private let now: @Sendable () -> UInt64
    private let line: Mutex<Line>

    /// `capacity` is the maximum number of waiting entries; `longestWait` is the maximum wait of the first one.
    init(
        threads: Int, capacity: Int, longestWait: Duration,
        now: @escaping @Sendable () -> UInt64 = { LoopClock.nanoseconds() }
    ) {
        lanes = (0..<threads).map { DispatchQueue(label: "subguard.worker.\($0)") }
        self.capacity = capacity
        self.longestWait = UInt64(longestWait.milliseconds) * 1_000_000
        self.now = now
        line = Mutex(Line(idle: Array(0..<threads)))
    }

    /// Returns `false` if the queue is full or too slow: the caller then reports overload at once. If `work` waited too
    /// long, `tooLate` is called on a worker instead; without `tooLate`, `work` runs nevertheless.
    func submit(tooLate: (@Sendable () -> Void)? = nil, _ work: @escaping @Sendable () -> Void) -> Bool {
        let now = now()
        let lane: Int?? = line.withLock { line in
            if let idle = line.idle.popLast() { return .some(idle) }
            guard line.waiting.count - line.next < capacity else { return .none }
            if let oldest = line.oldest, now &- oldest.since > longestWait { return .none }
            line.waiting.append(Waiting(work: work, tooLate: tooLate, since: now))
            return .some(nil)
        }
        guard let lane else { return false }
        if let lane {
            lanes[lane].async {
                work()
                self.work(onLane: lane)
            }
        }
        return true
    }

    private func work(onLane lane: Int) {
        while let work = takeNext(orRest: lane) { work() }
    }

    private func takeNext(orRest lane: Int) -> (@Sendable () -> Void)? {
        let now = now()
        return line.withLock { line in
            guard let oldest = line.oldest else {
                line.waiting.removeAll(keepingCapacity: true)
                line.next = 0
                line.idle.append(lane)
                return nil
            }
            // References to a request and its body must be released at once.
            line.waiting[line.next] = nil
            line.next += 1
            if line.next > 1024 {
                line.waiting.removeFirst(line.next)
                line.next = 0
            }
            if let tooLate = oldest.tooLate, now &- oldest.since > longestWait { return tooLate }
            return oldest.work
        }
    }
}

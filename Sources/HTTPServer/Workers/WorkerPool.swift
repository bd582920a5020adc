import Dispatch
import Synchronization

/// A fixed number of threads for work that may block, with a bounded line before them. Dispatch's own concurrent queue
/// would answer blocking work with ever more threads.
final class WorkerPool: Sendable {
    private struct Line {
        var waiting: [(@Sendable () -> Void)?] = []
        var next = 0
        var idle: [Int]
    }

    private let lanes: [DispatchQueue]
    private let capacity: Int
    private let line: Mutex<Line>

    init(threads: Int, capacity: Int) {
        lanes = (0..<threads).map { DispatchQueue(label: "subguard.worker.\($0)") }
        self.capacity = capacity
        line = Mutex(Line(idle: Array(0..<threads)))
    }

    /// `false` when the line is full: the caller answers at once that the server is overloaded.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        let lane: Int?? = line.withLock { line in
            if let idle = line.idle.popLast() { return .some(idle) }
            guard line.waiting.count - line.next < capacity else { return .none }
            line.waiting.append(work)
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
        line.withLock { line in
            guard line.next < line.waiting.count else {
                line.waiting.removeAll(keepingCapacity: true)
                line.next = 0
                line.idle.append(lane)
                return nil
            }
            let work = line.waiting[line.next]
            // What the work holds, a request and its body, must not live until the line is tidied up.
            line.waiting[line.next] = nil
            line.next += 1
            if line.next > 1024 {
                line.waiting.removeFirst(line.next)
                line.next = 0
            }
            return work
        }
    }
}

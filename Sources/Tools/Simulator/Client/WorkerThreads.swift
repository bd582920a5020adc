import Dispatch
import Foundation
import Synchronization

/// One worker on each of several threads, and the sum of their counts.
final class WorkerThreads<Count: Tally>: Sendable {
    /// Nanoseconds from the start to the first request, for opening connections.
    static var lead: Int64 { 200_000_000 }

    private let isStopped = Mutex(false)
    private let tallies: Mutex<[Count]>
    private let problem = Mutex<LoadError?>(nil)

    init(count: Int) { tallies = Mutex(Array(repeating: Count(), count: count)) }

    /// Ends the run soon; counts so far are kept.
    func stop() { isStopped.withLock { $0 = true } }

    var wasStopped: Bool { isStopped.withLock { $0 } }

    var total: Count {
        tallies.withLock { tallies in tallies.reduce(into: Count()) { $0.add($1) } }
    }

    /// Blocks until every worker has returned. Throws the last error of a worker.
    ///
    /// - Parameters:
    ///   - work: runs on the thread of this number. Calls `publish` several times a second with its counts, and ends
    ///     early if that returns true.
    ///   - progress: called five times a second with the sum.
    func run(
        _ work: @escaping @Sendable (_ thread: Int, _ publish: (Count) -> Bool) throws(LoadError) -> Void,
        progress: (Count) -> Void
    ) throws(LoadError) {
        let done = DispatchGroup()
        for thread in 0..<tallies.withLock({ $0.count }) {
            done.enter()
            let worker = Thread { [self] in
                defer { done.leave() }
                do throws(LoadError) {
                    try work(thread) { tally in
                        tallies.withLock { $0[thread] = tally }
                        return wasStopped
                    }
                } catch { problem.withLock { $0 = error } }
            }
            worker.stackSize = 1024 * 1024
            worker.start()
        }
        while done.wait(timeout: .now() + 0.2) == .timedOut { progress(total) }
        if let problem = problem.withLock({ $0 }) { throw problem }
    }
}

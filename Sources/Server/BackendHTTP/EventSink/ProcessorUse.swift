import Foundation

/// What a thread and the other threads of the process have had of the processors so far, in seconds.
///
/// Work that no request waits for gives way by it. A lower priority would not do: the thread would hold locks of the
/// database and of the allocator while it hardly runs.
struct ProcessorUse {
    /// How long the thread was ready to run and waited for a processor; 0 where the kernel does not say.
    let waited: Double
    /// How long the other threads of the process ran, on all processors.
    let others: Double
    let at: Double

    static func ofThisThread() -> ProcessorUse {
        // The nanoseconds that it ran, those that it waited, and the number of its time slices.
        let fields = (try? String(contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8)) ?? ""
        let numbers = fields.split(separator: " ").prefix(2).compactMap { Double($0) }
        return ProcessorUse(
            waited: numbers.count == 2 ? numbers[1] / 1e9 : 0,
            others: seconds(CLOCK_PROCESS_CPUTIME_ID) - seconds(CLOCK_THREAD_CPUTIME_ID), at: seconds(CLOCK_MONOTONIC))
    }

    /// How long the thread waited since then, if the other threads had at least this share of all processors; else 0.
    func waited(since before: ProcessorUse, whileOthersHad share: Double) -> Double {
        let all = (at - before.at) * Double(ProcessInfo.processInfo.activeProcessorCount)
        return others - before.others >= all * share ? waited - before.waited : 0
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

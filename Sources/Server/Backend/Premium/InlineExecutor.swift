import Dispatch
import Synchronization

/// Runs a task on the thread that waits for it, and on no other: neither can the threads that tasks usually share be held up
/// by it, nor it by them.
///
/// For asynchronous interfaces that only compute. Each call takes an executor of its own.
final class InlineExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let wake = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        wake.signal()
    }

    /// Returns what `body` returns, when it does.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let executor = InlineExecutor()
        let outcome = Outcome<Value>()
        Task(executorPreference: executor) {
            let value = await body()
            outcome.set(value)
            executor.wake.signal()
        }
        while true {
            executor.wake.wait()
            if let job = executor.takeJob() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
            if let value = outcome.value { return value }
        }
    }

    private func takeJob() -> UnownedJob? { jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    /// Carries the value from the task to who waits for it.
    private final class Outcome<Value: Sendable>: Sendable {
        private let stored = Mutex<Value?>(nil)

        func set(_ value: Value) { stored.withLock { $0 = value } }
        var value: Value? { stored.withLock { $0 } }
    }
}

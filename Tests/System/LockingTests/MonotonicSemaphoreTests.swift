import Dispatch
import Locking
import TestKit
import Testing

/// A test cannot set the clock, so these show that it counts and times out as `DispatchSemaphore` does.
@Suite struct MonotonicSemaphoreTests {
    @Test func countsSignalsThatCameBefore() {
        let semaphore = MonotonicSemaphore(value: 1)
        semaphore.signal()
        #expect(semaphore.wait(timeout: .now() + 60) == .success)
        #expect(semaphore.wait(timeout: .now()) == .success)
        #expect(semaphore.wait(timeout: .now()) == .timedOut)
    }

    @Test func timesOutNotBeforeTheDeadline() {
        let semaphore = MonotonicSemaphore(value: 0)
        let deadline = DispatchTime.now() + .milliseconds(50)
        #expect(semaphore.wait(timeout: deadline) == .timedOut)
        #expect(DispatchTime.now() >= deadline)
        semaphore.signal()
        #expect(semaphore.wait(timeout: deadline) == .success, "a signal counts after the deadline, too")
    }

    @Test(arguments: [false, true]) func aSignalEndsOneWait(_ hasDeadline: Bool) throws {
        let (semaphore, waiting) = (MonotonicSemaphore(value: 0), MonotonicSemaphore(value: 0))
        let threads = (0..<4).map { _ in
            OwnThread {
                waiting.signal()
                return semaphore.wait(timeout: hasDeadline ? .now() + 60 : .distantFuture)
            }
        }
        for _ in threads { #expect(waiting.wait(timeout: .now() + 60) == .success) }
        for _ in threads { semaphore.signal() }
        for thread in threads { #expect(try thread.value() == .success) }
        #expect(semaphore.wait(timeout: .now()) == .timedOut)
    }
}

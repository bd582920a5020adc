import Dispatch
import Synchronization
import TestKit
import Testing

@testable import HTTPServer

@Suite struct WorkerPoolTests {
    @Test func runsEverythingOnce() {
        let pool = WorkerPool(threads: 4, capacity: 10_000, longestWait: .seconds(60))
        let seen = Numbers()
        for number in 0..<10_000 { #expect(pool.submit { seen.add(number) }) }
        #expect(eventually { seen.all.count == 10_000 })
        #expect(Set(seen.all).count == 10_000)
    }

    @Test func refusesOnceTheFirstInTheLineHasWaitedTooLong() {
        let clock = Atomic<UInt64>(0)
        let pool = WorkerPool(
            threads: 1, capacity: 100, longestWait: .milliseconds(250), now: { clock.load(ordering: .acquiring) })
        let gate = DispatchSemaphore(value: 0)
        let ended = Numbers()
        #expect(pool.submit { gate.wait() })
        #expect(pool.submit { ended.add(1) })
        clock.store(250_000_000, ordering: .releasing)
        #expect(pool.submit { ended.add(2) })
        clock.store(250_000_001, ordering: .releasing)
        #expect(!pool.submit { ended.add(3) })
        // Queued work is done, and rejections end when the queue is empty.
        gate.signal()
        #expect(eventually { ended.all == [1, 2] })
        #expect(pool.submit { ended.add(4) })
        #expect(eventually { ended.all == [1, 2, 4] })
    }

    @Test func refusesWhoHasWaitedTooLongWhenAWorkerComesFree() {
        let clock = Atomic<UInt64>(0)
        let pool = WorkerPool(
            threads: 1, capacity: 100, longestWait: .milliseconds(250), now: { clock.load(ordering: .acquiring) })
        let gate = DispatchSemaphore(value: 0)
        let (served, refused) = (Numbers(), Numbers())
        #expect(pool.submit { gate.wait() })
        let isFirstTaken = pool.submit(tooLate: { refused.add(1) }, { served.add(1) })
        // Without `tooLate` the work is done, however late.
        #expect(pool.submit { served.add(2) })
        clock.store(200_000_000, ordering: .releasing)
        let isThirdTaken = pool.submit(tooLate: { refused.add(3) }, { served.add(3) })
        #expect(isFirstTaken && isThirdTaken)
        clock.store(300_000_000, ordering: .releasing)
        gate.signal()
        #expect(eventually { served.all == [2, 3] })
        #expect(refused.all == [1])
    }

    @Test func keepsTheOrderOnOneThread() {
        let pool = WorkerPool(threads: 1, capacity: 5000, longestWait: .seconds(60))
        let gate = Gate()
        let seen = Numbers()
        #expect(pool.submit { gate.wait() })
        // More than the queue's storage compacts at once.
        for number in 0..<5000 { #expect(pool.submit { seen.add(number) }) }
        gate.open()
        #expect(eventually { seen.all.count == 5000 })
        #expect(seen.all == Array(0..<5000))
    }

    @Test func runsNoMoreAtOnceThanItHasThreads() {
        let pool = WorkerPool(threads: 3, capacity: 10, longestWait: .seconds(60))
        let gate = Gate()
        for _ in 0..<10 { #expect(pool.submit { gate.wait() }) }
        #expect(eventually { gate.arrived == 3 })
        #expect(settled { gate.arrived } == 3)
        gate.open()
        #expect(eventually { gate.arrived == 10 })
    }

    @Test func refusesWhatDoesNotFitTheLine() {
        let pool = WorkerPool(threads: 1, capacity: 2, longestWait: .seconds(60))
        let gate = Gate()
        let seen = Numbers()
        #expect(pool.submit { gate.wait() })
        #expect(pool.submit { seen.add(1) })
        #expect(pool.submit { seen.add(2) })
        #expect(!pool.submit { seen.add(3) })
        gate.open()
        #expect(eventually { seen.all == [1, 2] })
        // The queue is empty again.
        #expect(eventually { pool.submit { seen.add(4) } })
        #expect(eventually { seen.all.last == 4 })
    }

    /// Finished work must not be kept until the queue is compacted: it holds requests with their bodies.
    @Test func letsGoOfWorkThatIsDone() {
        let pool = WorkerPool(threads: 1, capacity: 100, longestWait: .seconds(60))
        let first = Gate()
        let second = Gate()
        weak var freed: Numbers?
        #expect(pool.submit { first.wait() })
        do {
            let held = Numbers()
            freed = held
            #expect(pool.submit { held.add(1) })
        }
        #expect(pool.submit { second.wait() })
        #expect(pool.submit {})
        first.open()
        #expect(eventually { second.arrived == 1 })
        #expect(freed == nil)
        second.open()
    }

    private final class Numbers: Sendable {
        private let numbers = Mutex<[Int]>([])

        var all: [Int] { numbers.withLock { $0 } }

        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }
}

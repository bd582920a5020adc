import Testing

@testable import LoadTester

/// The schedule has no clock; the tests pass in the times.
@Suite struct LoadScheduleTests {
    private let millisecond: Int64 = 1_000_000

    @Test func requestsAreDueAtTheRateWhateverTheServerDoes() {
        var schedule = LoadSchedule(start: 5_000, duration: .seconds(1), requestsPerSecond: 200)
        var due: [Int64] = []
        // A loop that polls every 3 ms, of which the interval of 5 ms is not a multiple.
        for now in stride(from: 0, through: 1_100 * millisecond, by: 3_000_000) {
            while let moment = schedule.take(at: now) { due.append(moment) }
        }
        #expect(due == (0..<200).map { 5_000 + Int64($0) * 5 * millisecond })
        #expect(schedule.isExhausted(at: 0))
    }

    @Test func afterAStandstillEverythingMissedIsDueAtItsOwnMoment() {
        var schedule = LoadSchedule(start: 0, duration: .seconds(10), requestsPerSecond: 100)
        #expect(schedule.take(at: 0) == 0)
        #expect(schedule.take(at: 9 * millisecond) == nil)
        let late = 505 * millisecond
        #expect(schedule.backlog(at: late) == 50)
        var waited: [Int64] = []
        while let due = schedule.take(at: late) { waited.append((late - due) / millisecond) }
        #expect(waited.first == 495)
        #expect(waited.last == 5)
        #expect(waited.count == 50)
        #expect(schedule.backlog(at: late) == 0)
        #expect(schedule.nextDue == 510 * millisecond)
    }

    @Test(arguments: [1, 2, 3, 7])
    func threadsShareTheRequestsAndLoseNone(_ threads: Int) {
        let all = (0..<threads).flatMap { thread in
            var schedule = LoadSchedule(
                start: 77, duration: .milliseconds(1_234), requestsPerSecond: 333, thread: thread, of: threads)
            var due: [Int64] = []
            while let moment = schedule.take(at: .max / 4) { due.append(moment) }
            return due
        }
        var alone = LoadSchedule(start: 77, duration: .milliseconds(1_234), requestsPerSecond: 333)
        var expected: [Int64] = []
        while let moment = alone.take(at: .max / 4) { expected.append(moment) }
        #expect(expected.count == 411)
        #expect(all.count == expected.count)
        // Sums of fractions may differ by a nanosecond.
        #expect(zip(all.sorted(), expected).allSatisfy { abs($0 - $1) <= 1 })
    }

    @Test func moreThreadsThanRequestsLeaveSomeWithNone() {
        let schedule = LoadSchedule(start: 0, duration: .seconds(1), requestsPerSecond: 1, thread: 2, of: 3)
        #expect(schedule.nextDue == nil)
        #expect(schedule.isExhausted(at: 0))
    }

    @Test func inAClosedLoopARequestIsDueWheneverAskedUntilTheEnd() {
        var schedule = LoadSchedule(start: 1_000, duration: .seconds(1), requestsPerSecond: nil)
        #expect(schedule.take(at: 999) == nil)
        #expect(schedule.take(at: 1_000) == 1_000)
        #expect(schedule.take(at: 1_000) == 1_000)
        #expect(schedule.take(at: schedule.end - 1) == schedule.end - 1)
        #expect(schedule.take(at: schedule.end) == nil)
        #expect(!schedule.isExhausted(at: schedule.end - 1))
        #expect(schedule.isExhausted(at: schedule.end))
        #expect(schedule.backlog(at: schedule.end) == 0)
    }
}

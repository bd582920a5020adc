import TestKit
import Testing

@testable import HTTPServer

@Suite struct DeadlineWheelTests {
    private static func entry(_ number: Int) -> DeadlineWheel.Entry {
        DeadlineWheel.Entry(descriptor: Int32(number), generation: UInt64(number) + 1)
    }

    @Test func givesNothingWithoutEntries() {
        var wheel = DeadlineWheel(now: 1234)
        #expect(wheel.advance(now: 1234).isEmpty)
        #expect(wheel.advance(now: 1_000_000).isEmpty)
    }

    @Test(arguments: [0, 1, 249, 250, 251, 12_340, 1_709_251_199_999])
    func givesAnEntryAfterItsDeadlineAndNotBefore(_ start: Int64) {
        for delay in [Int64(0), 1, 249, 250, 251, 999, 1000, 30_000, 60_000] {
            var wheel = DeadlineWheel(now: start)
            _ = wheel.insert(Self.entry(7), deadline: start + delay)
            #expect(wheel.advance(now: start + delay).isEmpty, "\(delay) from \(start)")
            let due = wheel.advance(now: start + delay + 500)
            #expect(due.map(\.descriptor) == [7], "\(delay) from \(start)")
            #expect(due.map(\.generation) == [8])
            #expect(wheel.advance(now: start + delay + 1_000_000).isEmpty)
        }
    }

    @Test func givesEntriesOfOneBucketTogether() {
        var wheel = DeadlineWheel(now: 0)
        for number in 0..<10 { _ = wheel.insert(Self.entry(number), deadline: 1000) }
        #expect(wheel.advance(now: 2000).map(\.descriptor) == Array(0..<10))
    }

    @Test func givesAnEntryBeyondTheRingAtItsEnd() {
        // The entry is a hint: it comes up early, and its owner enters it again.
        var wheel = DeadlineWheel(now: 0)
        _ = wheel.insert(Self.entry(1), deadline: 86_400_000)
        #expect(wheel.advance(now: 120_000).isEmpty)
        #expect(wheel.advance(now: 130_000).count == 1)
    }

    @Test func givesAnEntryOfThePastSoon() {
        var wheel = DeadlineWheel(now: 10_000)
        _ = wheel.insert(Self.entry(1), deadline: 0)
        #expect(wheel.advance(now: 10_500).count == 1)
    }

    /// Compares with a simple list, over a long time with random steps.
    @Test func neverIsEarlyNorMuchTooLate() {
        var random = SeededRandom(seed: 60)
        var now: Int64 = 1_000
        var wheel = DeadlineWheel(now: now)
        var waiting: [Int32: Int64] = [:]
        for number in 0..<20_000 {
            if Bool.random(using: &random) {
                let deadline = now + Int64.random(in: 0...100_000, using: &random)
                waiting[Int32(number)] = deadline
                _ = wheel.insert(Self.entry(number), deadline: deadline)
            }
            now += Int64.random(in: 0...700, using: &random)
            for entry in wheel.advance(now: now) {
                guard let deadline = waiting.removeValue(forKey: entry.descriptor) else {
                    Issue.record("\(entry.descriptor) came up twice")
                    continue
                }
                if deadline >= now { Issue.record("\(entry.descriptor) came up \(deadline - now) ms early") }
            }
            for (descriptor, deadline) in waiting where deadline < now - 500 {
                Issue.record("\(descriptor) is \(now - deadline) ms late")
            }
            if number % 500 == 0 { waiting = waiting.filter { $0.value >= now - 500 } }
        }
    }
}

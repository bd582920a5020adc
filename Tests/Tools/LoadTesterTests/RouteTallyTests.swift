import Histogram
import LatencyHistogram
import Testing

@testable import DeviceSimulation
@testable import LoadTester

@Suite struct RouteTallyTests {
    @Test func percentilesAreThoseOfTheValuesToThreeDigits() {
        var tally = RouteTally()
        // Each value from 1 ms to 1,000 ms once, in classes that do not matter for the whole.
        for value in 1...1_000 { tally.record(Int64(value) * 1_000_000, status: value.isMultiple(of: 3) ? 503 : 202) }
        for (percent, expected) in [
            (50.0, 500_000.0), (90, 900_000), (95, 950_000), (99, 990_000), (99.9, 999_000), (100, 1_000_000),
        ] { #expect(abs(Double(tally.latency.value(at: percent)) - expected) <= expected / 1000) }
        #expect(tally.latencies[.success]?.totalCount == 667)
        #expect(tally.latencies[.failure]?.totalCount == 333)
    }

    @Test func withoutASingleAnswerAllIsZero() {
        #expect(RouteTally().latency.value(at: 99) == 0)
        #expect(RouteTally().latency.value(at: 100) == 0)
    }

    @Test(
        arguments: [
            (200, StatusClass.success), (204, .success), (304, .redirect), (400, .refusal), (429, .refusal),
            (500, .failure), (599, .failure), (nil, .none),
        ] as [(Int?, StatusClass)])
    func statusesHaveTheirClass(_ status: Int?, _ expected: StatusClass) {
        #expect(StatusClass(status: status) == expected)
    }

    @Test func talliesOfThreadsAddUp() {
        var one = LoadTally()
        one.change(.analytics) {
            $0.record(1_000_000, status: 202)
            $0.statuses = [202: 3, 503: 1]
        }
        one.change(slice: 0) { $0.count(.success(202), nanoseconds: 5) }
        var other = LoadTally()
        other.change(.analytics) { $0.statuses = [202: 4] }
        other.change(.search) {
            $0.record(900_000_000_000, status: nil)
            $0.faults = [.timeout: 2]
        }
        other.change(slice: 1) {
            for _ in 0..<5 { $0.count(.success(503), nanoseconds: 7_000_000, acceptedEvents: 2) }
            $0.count(.failure(.timeout), nanoseconds: -9)
        }
        one.add(other)
        let total = one.total
        #expect(total.statuses == [202: 7, 503: 1])
        #expect(total.faults == [.timeout: 2])
        #expect(total.latency.totalCount == 2)
        #expect(total.latency.value(at: 100) >= 899_000_000)
        #expect(one.slices.map { $0.answers() } == [1, 5])
        #expect(one.slices.map { $0.answers(from: 400) } == [0, 5])
        #expect(one.slices.map(\.faultCount) == [0, 1])
        #expect(one.slices.map(\.acceptedEvents) == [0, 10])
    }
}

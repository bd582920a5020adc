import ArgumentParser
import Testing

@testable import DeviceSimulation
@testable import LoadTester

@Suite struct ThresholdTests {
    /// A thousand requests: 990 with 202 in 1 to 990 ms, 7 with 503, 3 without an answer.
    private func failures(_ change: (inout Thresholds) throws -> Void = { _ in }) throws -> [String] {
        var plan = try LoadPlan.parse([])
        try change(&plan.thresholds)
        var tally = LoadTally()
        tally.change(.analytics) {
            $0.requests = 1_000
            for value in 1...990 { $0.record(Int64(value) * 1_000_000, status: 202) }
            $0.statuses = [202: 990, 503: 7]
            $0.faults = [.timeout: 2, .closed: 1]
        }
        return LoadResult(plan: plan, tally: tally, measuredSeconds: 1, processorCores: 0).failures
    }

    private func allowance(_ text: String) throws -> Thresholds.Allowance {
        try Thresholds.Allowance(text)
    }

    @Test func refusalsAndTimeoutsFailUnlessTheyAreAllowed() throws {
        #expect(
            try failures() == [
                "--errors: more than 0: connection closed: 1, no answer in time: 2", "--refused: more than 0: 503: 7",
            ])
        #expect(
            try failures {
                $0.errors = try allowance("0.3%")
                $0.refused = try allowance("7")
            } == [])
        #expect(
            try failures {
                $0.errors = try allowance("0.29%")
                $0.refused = try allowance("6")
            }.count == 2)
    }

    @Test func latenciesAreHeldToTheirBounds() throws {
        func bound(_ change: (inout Thresholds) -> Void) throws -> [String] {
            try failures {
                $0.errors = try allowance("100%")
                $0.refused = try allowance("100%")
                change(&$0)
            }
        }
        #expect(try bound { $0.p95 = .milliseconds(945) } == [])
        #expect(try bound { $0.p95 = .milliseconds(930) }.first?.hasPrefix("--p95: 94") == true)
        #expect(try bound { $0.p99 = .milliseconds(985) } == [])
        #expect(try bound { $0.p99 = .microseconds(500) }.first?.hasSuffix("more than 0.50 ms") == true)
        #expect(try bound { ($0.p95, $0.p99) = (.milliseconds(1), .milliseconds(1)) }.count == 2)
    }

    @Test(arguments: ["", "-1", "1.5", "x", "101%", "-1%", "%", "5 %", "nan%"])
    func refusesWhatIsNoAllowance(_ text: String) {
        #expect(throws: (any Error).self) { try allowance(text) }
    }

    @Test func whateverIsWrongIsNamed() throws {
        let plan = try LoadPlan.parse(["--p99", "1s"])
        var tally = LoadTally()
        tally.client.note("a batch of 1")
        tally.client.note("a batch of 2")
        let result = LoadResult(plan: plan, tally: tally, measuredSeconds: 1, processorCores: 0, wasStopped: true)
        #expect(
            result.failures == [
                "interrupted: the run was stopped early",
                "the server's counts disagree with what was sent in 2 answers: a batch of 1", "no request succeeded",
                "--p99: nothing was measured",
            ])
    }
}

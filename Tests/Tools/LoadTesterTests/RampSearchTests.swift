import ArgumentParser
import Histogram
import Testing

@testable import DeviceSimulation
@testable import LoadTester

@Suite struct RampSearchTests {
    /// Simulates a server that holds up to `limit`; returns the finished search.
    private func search(limit: Double, start: Double) -> RampSearch {
        var search = RampSearch(start: start)
        while let rate = search.next {
            search.steps.append(RampStep(rate: rate, p99Microseconds: 0, failure: rate <= limit ? nil : "late"))
        }
        return search
    }

    @Test(arguments: [1_000.0, 1_001, 12_345, 999_999], [100.0, 1_000])
    func findsTheLimitToAFewPercent(_ limit: Double, _ start: Double) throws {
        let search = search(limit: limit, start: start)
        let best = try #require(search.best)
        #expect(best <= limit)
        #expect(best >= limit / 1.05)
        #expect(search.steps.count <= 20)
    }

    @Test func aStartThatIsTooHighIsHalved() throws {
        let best = try #require(search(limit: 70, start: 1_000).best)
        #expect((66...70).contains(best))
    }

    @Test func endsWithNothingWhenNothingHolds() {
        let search = search(limit: 0, start: 1_000)
        #expect(search.best == nil)
        #expect(search.steps.map(\.rate) == [1_000, 500, 250, 125, 62.5, 31.25, 15.625])
    }

    @Test func endsWhenEverythingHolds() {
        #expect(search(limit: .infinity, start: 1).steps.count == 40)
    }

    @Test func aStepHoldsOnlyWhenBoundAndRateAreKeptWithoutAFault() throws {
        let plan = try LoadPlan.parse(["--request-rate", "100", "--connections", "2", "--p99", "20ms"])
        let ramp = RampRun(plan)
        func holds(_ change: (inout LoadTally) -> Void = { _ in }) -> Bool {
            var tally = LoadTally()
            tally.change(.analytics) {
                $0.record(19_000_000, status: 202)
                $0.statuses = [202: 96]
            }
            tally[.measuredAnswers] = 96
            change(&tally)
            return ramp.judge(
                LoadResult(plan: plan, tally: tally, measuredSeconds: 1, processorCores: 0), rate: 100
            ).holds
        }
        #expect(holds())
        #expect(!holds { $0.change(.analytics) { $0.record(21_000_000, status: 202) } })
        #expect(!holds { $0[.measuredAnswers] = 95 })
        #expect(!holds { $0.change(.analytics) { $0.statuses[503] = 1 } })
        #expect(!holds { $0.change(.search) { $0.faults[.timeout] = 1 } })
        #expect(!holds { $0.client.note("a batch of 1") })
    }

    @Test func aClosedLoopCannotBeRamped() throws {
        let plan = try LoadPlan.parse(["--ramp", "--closed"])
        #expect(#expect(throws: LoadOptionError.self) { try plan.check() }?.option == "--ramp")
    }
}

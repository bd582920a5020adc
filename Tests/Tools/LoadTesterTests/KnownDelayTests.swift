import ArgumentParser
import Histogram
import LatencyHistogram
import Testing

@testable import DeviceSimulation
@testable import LoadTester

/// The load tool against a server that takes as long as the test says.
@Suite(.serialized) struct KnownDelayTests {
    private func run(
        _ server: StubServer, _ change: (inout LoadPlan) -> Void = { _ in }
    ) throws -> LoadResult {
        var plan = try reads(server)
        change(&plan)
        return try LoadRun(plan, try plan.endpoints()).result()
    }

    /// Two seconds with 100 reads a second.
    private func reads(_ server: StubServer) throws -> LoadPlan {
        try LoadPlan.parse([
            "--url", "http://127.0.0.1:\(server.port)", "--seed", "3", "--profile", "catalogue", "--request-rate",
            "100",
            "--duration", "2s", "--warm-up", "0s",
        ])
    }

    @Test(arguments: [LoadPlan.Pace.requests(perSecond: 100), .closed])
    func noLatencyIsBelowTheDelay(_ pace: LoadPlan.Pace) throws {
        let server = try StubServer { _ in StubServer.Reply(seconds: 0.02) }
        let result = try run(server) {
            $0.closed = pace == .closed
            $0.duration = .seconds(1)
        }
        #expect(result.failures == [])
        let latency = result.total.latency
        #expect(latency.value(at: 0) >= 19_900, "less than the server takes: \(latency.value(at: 0)) µs")
        #expect(latency.value(at: 50) >= 20_000)
        // A busy machine adds to it, but not to half of all requests as much as ten times the delay.
        #expect(latency.value(at: 50) < 200_000)
        if pace != .closed {
            #expect(result.total.requests == 100)
            #expect(server.requests == 100)
        }
    }

    /// Requests that were due while the server stood still count with the time they waited, although they were sent
    /// later: no coordinated omission.
    @Test func aStandstillIsChargedToEveryRequestThatWasDue() throws {
        let server = try StubServer { $0 == 50 ? StubServer.Reply(seconds: 0.5, stopsAll: true) : StubServer.Reply() }
        let result = try run(server) { $0.connections = 4 }
        #expect(result.failures == [])
        #expect(result.total.requests == 200)
        let due = result.total.latency.count(within: 100_000...60_000_000)
        let sent = result.tally.fromSent.count(within: 100_000...60_000_000)
        // 40 were due in its first 400 ms; at most one for each connection was sent then.
        #expect(due >= 38)
        #expect(sent < due)
        #expect(result.tally[.largestBacklog] >= 30)
    }

    @Test func refusalsHaveTheirOwnPercentilesAndFailTheRun() throws {
        let server = try StubServer {
            $0.isMultiple(of: 10) ? StubServer.Reply(status: 503, seconds: 0.06) : StubServer.Reply(seconds: 0.001)
        }
        let result = try run(server) { $0.duration = .seconds(1) }
        #expect(result.failures == ["--refused: more than 0: 503: 10"])
        let classes = result.total.latencies
        #expect(classes[.failure]?.totalCount == 10)
        #expect(classes[.failure]?.value(at: 0) ?? 0 >= 59_000)
        #expect(classes[.success]?.totalCount == 90)
        let routes = result.tally.routes
        #expect(routes[.catalogue]?.requests == 50)
        #expect(routes[.search]?.requests == 50)
    }

    @Test func aRequestWithoutAnAnswerIsAnErrorAndNamed() throws {
        let server = try StubServer { StubServer.Reply(seconds: $0 == 3 ? 6 : 0) }
        let result = try run(server) {
            ($0.duration, $0.timeout) = (.milliseconds(500), .seconds(2))
        }
        #expect(result.failures == ["--errors: more than 0: no answer in time: 1"])
        #expect(result.total.latencies[.none]?.value(at: 0) ?? 0 >= 1_999_000)
    }

    @Test func severalServersShareTheConnections() throws {
        let (one, two) = (try StubServer { _ in StubServer.Reply() }, try StubServer { _ in StubServer.Reply() })
        let result = try run(one) {
            $0.url.append("http://127.0.0.1:\(two.port)")
            $0.duration = .seconds(1)
        }
        #expect(result.failures == [])
        #expect(one.requests + two.requests == 100)
        #expect((30...70).contains(one.requests), "\(one.requests)")
    }

    @Test func theRampFindsTheKnee() throws {
        // Two connections and 20 ms: 100 requests a second at most.
        let server = try StubServer { _ in StubServer.Reply(seconds: 0.02) }
        var plan = try reads(server)
        (plan.requestRate, plan.duration, plan.connections) = (30, .milliseconds(600), 2)
        plan.thresholds.p99 = .milliseconds(150)
        let endpoints = try plan.endpoints()
        let result = try RampRun(plan).result(
            run: { plan throws(RunError) in try LoadRun(plan, endpoints).result() }, told: { _ in },
            isStopped: { false })
        let steps = try #require(result?.ramp)
        let tooFast = try #require(steps.first { !$0.holds }?.failure)
        #expect(tooFast.hasPrefix("--p99: ") || tooFast.contains("due requests"), "\(tooFast)")
        let knee = try #require(steps.filter(\.holds).map(\.rate).max())
        #expect(knee <= 130, "\(steps)")
    }

    /// The requests that run at that moment are no timeouts.
    @Test func anInterruptIsAFailure() throws {
        let server = try StubServer { StubServer.Reply(seconds: $0 > 20 ? 1 : 0) }
        var plan = try reads(server)
        plan.duration = .seconds(10)
        let result = try LoadRun(plan, try plan.endpoints()).result { _, seconds in seconds < 0.6 }
        #expect(result.failures == ["interrupted: the run was stopped early"])
        #expect(result.measuredSeconds < 5)
    }
}

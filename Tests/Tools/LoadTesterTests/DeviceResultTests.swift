import ArgumentParser
import Histogram
import JSONWire
import Testing

@testable import DeviceSimulation
@testable import LoadTester

@Suite struct DeviceResultTests {
    private func result(_ change: (inout LoadTally) -> Void = { _ in }) throws -> LoadResult {
        let plan = try LoadPlan.parse(["--devices", "1000", "--seed", "12", "--p99", "100ms"])
        var tally = LoadTally()
        tally[.deviceDays] = 30_000
        tally.change(.revalidation) {
            $0.requests = 15_000
            $0.statuses = [304: 15_000]
            for value in 1...1000 { $0.record(Int64(value) * 90_000, status: 304) }
        }
        tally[.bytesSent] = 6_000_000
        tally[.bytesReceived] = 60_000_000
        tally[.recorded] = 500
        tally[.settled] = 500
        tally[.sent] = 510
        tally.client.reported = EventCounts(accepted: 500, duplicates: 10)
        tally[.users] = 90
        tally[.subscriptions] = -3
        change(&tally)
        var result = LoadResult(plan: plan, tally: tally)
        result.usage = ServerUsage(processorSeconds: 6, storeBytes: 3_000_000)
        result.dashboard = ["total_users": 90, "subscriptions_tracked": -3, "premium_conversions": 0]
        return result
    }

    @Test func aCleanRunHasNoFailure() throws { #expect(try result().failures == []) }

    private static let faults: [(@Sendable (inout LoadTally) -> Void, String)] = [
        ({ $0[.settled] = 499 }, "1 are lost"), ({ $0[.waiting] = 1 }, "lost"),
        ({ $0.client.reported.duplicates = 11 }, "responses count"),
        (
            {
                $0.client.reported.rejected = 1
                $0.client.reported.accepted = 499
            }, "rejected"
        ),
        ({ $0[.suggestionsWaiting] = 2 }, "2 suggestions are lost"),
        ({ $0[.users] = 91 }, "total_users 90 of 91"),
        ({ $0[.subscriptions] = -2 }, "subscriptions_tracked -3 of -2"),
        ({ $0[.conversions] = 1 }, "premium_conversions 0 of 1"),
        ({ $0.change(.delta) { $0.faults[.timeout] = 1 } }, "no answer in time: 1"),
        ({ $0.change(.analytics) { $0.unusable = 2 } }, "unusable response: 2"),
        ({ $0.change(.whole) { for _ in 0..<100 { $0.record(500_000_000, status: 200) } } }, "--p99"),
    ]

    @Test(arguments: DeviceResultTests.faults)
    func whateverIsWrongFailsTheRun(_ change: @Sendable (inout LoadTally) -> Void, _ words: String) throws {
        let failures = try result(change).failures
        #expect(failures.count == 1)
        #expect(failures.first?.contains(words) == true, "\(failures)")
    }

    @Test func aBoundThatNothingWasMeasuredForIsMissed() throws {
        #expect(try result { $0.routes = [:] }.failures == ["--p99: nothing was measured of the catalogue"])
    }

    @Test func theReportTellsTheCostOfADeviceAndDay() throws {
        let report = ReportDocument.of(try result(), writtenAt: "")
        #expect(ReportTables.text(report).contains("sent  ") && ReportTables.text(report).contains("510"))
        #expect(report["failures"]?.arrayValue?.isEmpty == true)
        #expect(report["events"]?.objectValue?["sent"]?.integerValue == 510)
        #expect(report["routes"]?.objectValue?["revalidation"]?.objectValue?["requests"]?.integerValue == 15_000)
        #expect(report["catalogue_p99_us"]?.integerValue.map { $0 > 80_000 && $0 < 92_000 } == true)
        #expect(report["dashboard"]?.objectValue?["subscriptions_tracked"]?.objectValue?["server"]?.integerValue == -3)
        let day = try #require(report["device_day"]?.objectValue)
        #expect(day["processor_us"] == .number("200.000"))
        #expect(day["bytes_received"] == .number("2000.000"))
        #expect(day["store_bytes"] == .number("100.000"))
        var unmeasured = try result()
        unmeasured.usage = ServerUsage()
        let other = ReportDocument.of(unmeasured, writtenAt: "")
        #expect(other["device_day"]?.objectValue?["processor_us"]?.isNull == true)
    }

    @Test func anErrorWithinTheAllowanceIsNoFailure() throws {
        var result = try result { $0.change(.delta) { $0.faults[.timeout] = 15 } }
        #expect(result.failures == ["--errors: more than 0: no answer in time: 15"])
        result.plan.thresholds.errors = try Thresholds.Allowance("0.1%")
        #expect(result.failures == [])
    }

    @Test func theProcessTableIsReadBehindAnyName() {
        let stat = "42 (a) b (c) R 1 42 42 0 -1 4194304 500 0 0 0 150 50 0 0 20 0 8 0 100 1 2 3"
        #expect(ServerUsage.processorSeconds(stat: stat) == 2)
        #expect(ServerUsage.processorSeconds(stat: "42 nothing") == nil)
        #expect(ServerUsage.processorSeconds(stat: "42 (x) R 1") == nil)
    }

    private static let spoilers: [(String, @Sendable (inout LoadPlan) -> Void)] = [
        ("--devices", { $0.devices = 0 }), ("--days", { $0.days = 391 }), ("--days", { $0.days = 0 }),
        ("--duration", { $0.duration = .milliseconds(100) }), ("--timeout", { $0.timeout = .zero }),
        ("--threads", { $0.threads = 65 }), ("--p99", { $0.thresholds.p99 = .zero }), ("--token", { $0.token = "a b" }),
    ]

    @Test(arguments: DeviceResultTests.spoilers)
    func namesTheOptionThatIsOutOfRange(_ option: String, _ spoil: @Sendable (inout LoadPlan) -> Void) throws {
        var plan = try LoadPlan.parse(["--devices", "100"])
        try plan.check()
        spoil(&plan)
        #expect(#expect(throws: LoadOptionError.self) { try plan.check() }?.option == option)
    }
}

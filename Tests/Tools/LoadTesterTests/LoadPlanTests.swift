import ArgumentParser
import Testing

@testable import LoadTester

@Suite struct LoadPlanTests {
    private func plan() throws -> LoadPlan { try LoadPlan.parse(["--url", "http://localhost:8080"]) }

    private static let spoilers: [(String, @Sendable (inout LoadPlan) -> Void)] = [
        ("--rate", { $0.rate = 0 }),
        ("--rate", { $0.rate = .nan }),
        ("--rate", { ($0.rate, $0.profile) = (5, .catalogue) }),
        ("--request-rate", { $0.requestRate = -5 }),
        ("--duration", { $0.duration = .milliseconds(99) }),
        ("--warm-up", { $0.warmUp = .seconds(3601) }),
        ("--timeout", { $0.timeout = .zero }),
        ("--connections", { $0.connections = 0 }),
        ("--threads", { $0.threads = 65 }),
        ("--threads", { $0.threads = 17 }),
        ("--duplicates", { $0.duplicates = 100.5 }),
        (
            "--duplicates",
            {
                $0.duplicates = 60
                $0.bad = 40.5
            }
        ),
        ("--bad", { $0.bad = -1 }),
        ("--gzip", { $0.gzip = .infinity }),
        ("--p95", { $0.thresholds.p95 = .zero }),
        ("--url", { $0.url = Array(repeating: "http://localhost:8080", count: 17) }),
        ("--users", { $0.users = 0 }),
        ("--days", { $0.days = 400 }),
    ]

    @Test(arguments: LoadPlanTests.spoilers)
    func namesTheOptionThatIsOutOfRange(_ option: String, _ spoil: @Sendable (inout LoadPlan) -> Void) throws {
        var plan = try plan()
        try plan.check()
        spoil(&plan)
        let error = #expect(throws: LoadOptionError.self) { try plan.check() }
        #expect(error?.option == option)
        #expect(error?.description.hasPrefix("\(option): ") == true)
    }

    @Test(arguments: ["", "100:", "a:1", "100:80,", "0:1", "1001:1", "5:0", "5:1:1", "5:1,5:2", "-1", "5;6"])
    func refusesABatchMixThatIsNone(_ text: String) {
        #expect(throws: (any Error).self) { try BatchMix(text) }
    }

    @Test func readsABatchMixAndItsMean() throws {
        let mix = try BatchMix("1:10,100:80,1000:10")
        #expect(mix == BatchMix.usual)
        #expect(mix.mean == 180.1)
        #expect("\(mix)" == "1:10,100:80,1000:10")
        #expect("\(try BatchMix("7"))" == "7:1")
    }

    @Test func paceCountsEventsOverAllRequests() throws {
        var plan = try plan()
        plan.batchSizes = try BatchMix("100")
        plan.rate = 5_000
        #expect(plan.requestsPerSecond == 50)
        plan.profile = .mixed
        #expect(plan.requestsPerSecond == 100)
        plan.closed = true
        #expect(plan.requestsPerSecond == nil)
    }

    @Test(arguments: [
        ("20ms", 20_000_000), ("1.5s", 1_500_000_000), ("2m", 120_000_000_000), ("500us", 500_000), ("0s", 0),
    ])
    func readsDurations(_ text: String, _ nanoseconds: Int64) throws {
        #expect(try DurationText.parse(text).nanoseconds == nanoseconds)
    }

    @Test(arguments: ["", "s", "20", "20 ms", "-1s", "1e99s", "nans", "5d", "1,5s", "٣s"])
    func refusesWhatIsNoDuration(_ text: String) {
        #expect(throws: (any Error).self) { try DurationText.parse(text) }
    }

    @Test(
        arguments: [
            "", "localhost", "https://", "http://", "http://h:0", "http://h:65536", "http://h/api",
            "http://me:secret@h", "http://h?x=1", "ftp://h",
        ])
    func refusesATargetThatIsNone(_ text: String) {
        let error = #expect(throws: LoadOptionError.self) { try LoadTarget(text) }
        #expect(error?.option == "--url")
    }

    @Test func readsTargets() throws {
        #expect(try LoadTarget("http://[::1]:81/").authority == "[::1]:81")
        #expect(try LoadTarget("HTTP://db.example").authority == "db.example:80")
        #expect(try LoadTarget("HTTPS://db.example/").url == "https://db.example:443")
    }

    @Test(
        arguments: [
            ("127.0.0.1", true), ("127.9.8.7", true), ("10.1.2.3", true), ("172.16.0.1", true),
            ("172.31.255.255", true),
            ("192.168.7.7", true), ("[::1]", true), ("[fd00::5]", true), ("[::ffff:10.0.0.1]", true),
            ("172.32.0.1", false), ("172.15.0.1", false), ("192.169.0.1", false), ("169.254.169.254", false),
            ("8.8.8.8", false), ("0.0.0.0", false), ("[fe80::1]", false), ("[2001:db8::1]", false),
            ("[::ffff:8.8.8.8]", false), ("[::]", false),
        ])
    func loadsOnlyThisMachineAndPrivateNetworks(_ host: String, _ isAllowed: Bool) throws {
        let target = try LoadTarget("http://\(host):9")
        if isAllowed {
            _ = try Endpoint(target, isOwned: false)
        } else {
            let error = #expect(throws: LoadOptionError.self) { try Endpoint(target, isOwned: false) }
            #expect(error?.reason.contains("--i-own-this-server") == true)
            _ = try Endpoint(target, isOwned: true)
        }
    }
}

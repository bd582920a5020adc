import ArgumentParser
import Simulator

extension LoadPlan.Profile: ExpressibleByArgument {}
extension LoadPlan.IDKind: ExpressibleByArgument {}

struct LoadOptions: ParsableArguments {
    @Option(help: "The server, http only: http://HOST:PORT.")
    var url = "http://127.0.0.1:8080"

    @Option(help: "Events a second. (default: 1000)")
    var rate: Double?

    @Option(help: "Requests a second, instead of --rate.")
    var requestRate: Double?

    @Flag(help: "Send the next request after each response, to find the maximum rate. Latencies are then too low.")
    var closed = false

    @Option(help: "How long to measure; with --devices, the time for all days. (default: 10s; 2s a day)")
    var duration: String?

    @Option(help: "How long to send and verify traffic before measuring.")
    var warmUp = "0s"

    @Option(help: "How long to wait for a response. (default: 10s; with --devices 30s)")
    var timeout: String?

    @Option(help: "Keep-alive connections; each carries one request at a time.")
    var connections = 16

    @Option(help: "Threads of the load tool.")
    var threads = 1

    @Option(help: "What to request: analytics batches, reads of the catalogue, or both in turn.")
    var profile = LoadPlan.Profile.ingest

    @Option(help: "Batch sizes with weights, SIZE:WEIGHT,…")
    var batchSizes = BatchMix.usual.text

    @Option(help: "Versions of the event ids.")
    var ids = LoadPlan.IDKind.v4

    @Option(help: "Percentage of events that repeat an earlier one.")
    var duplicates = 0.0

    @Option(help: "Percentage of events that break a rule.")
    var bad = 0.0

    @Option(help: "Percentage of batches in gzip; costs the load tool CPU time.")
    var gzip = 0.0

    @Option(help: "Percentage of events with properties.")
    var properties = 100.0

    @Option(help: "Number of users to whom the events belong.")
    var users = 10_000

    @Option(help: "Days over which timestamps are spread, or for which devices are simulated. (default: 0; 32)")
    var days: Int?

    @Option(help: "The same seed sends the same traffic, so use it once per database. (default: random)")
    var seed: UInt64?

    @Flag(help: "Find the highest rate with a p99 within --p99: double from --rate, then bisect; --duration per step.")
    var ramp = false

    @Option(
        name: .customLong("p99"), help: "Maximum p99 of --ramp, or the catalogue with --devices. (default: 20ms; none)"
    )
    var p99: String?

    @Option(help: ArgumentHelp("Write the figures as JSON.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write a page with plots.", valueName: "file"))
    var report: String?

    @Flag(name: .customLong("i-own-this-server"), help: "Load a server outside this machine and private networks.")
    var ownsServer = false

    /// Validates all options. Host names are resolved when the load starts.
    func check() throws(LoadOptionError) { _ = try plan(seed: 0) }

    var p99Bound: Duration {
        get throws(LoadOptionError) { try DurationText.parse(p99 ?? "20ms", option: "--p99") }
    }

    func plan(seed: UInt64) throws(LoadOptionError) -> LoadPlan {
        var plan = LoadPlan(target: try LoadTarget(url), seed: self.seed ?? seed)
        plan.pace = try pace()
        plan.duration = try DurationText.parse(duration ?? "10s", option: "--duration")
        plan.warmUp = try DurationText.parse(warmUp, option: "--warm-up")
        plan.timeout = try DurationText.parse(timeout ?? "10s", option: "--timeout")
        plan.connections = connections
        plan.threads = threads
        plan.profile = profile
        plan.batchSizes = try BatchMix(batchSizes)
        plan.ids = ids
        plan.duplicates = duplicates
        plan.bad = bad
        plan.gzip = gzip
        plan.properties = properties
        plan.users = users
        plan.days = days ?? 0
        try plan.check()
        if ramp { _ = try RampRun(plan, p99Bound: try p99Bound) }
        guard ramp || p99 == nil else {
            throw LoadOptionError("--p99", "is the bound of --ramp or --devices, and both are missing")
        }
        return plan
    }

    private func pace() throws(LoadOptionError) -> LoadPlan.Pace {
        if closed {
            guard rate == nil, requestRate == nil else {
                throw LoadOptionError("--closed", "has no rate; leave out --rate and --request-rate")
            }
            return .closed
        }
        if let requestRate {
            guard rate == nil else {
                throw LoadOptionError("--request-rate", "stands instead of --rate, not beside it")
            }
            return .requests(perSecond: requestRate)
        }
        if rate == nil, profile == .catalogue { return .requests(perSecond: 100) }
        return .events(perSecond: rate ?? 1000)
    }
}

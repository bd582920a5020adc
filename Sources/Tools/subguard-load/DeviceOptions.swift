import ArgumentParser
import Foundation
import Simulator

/// The options of `load` that simulate devices instead of sending a rate.
struct DeviceOptions: ParsableArguments {
    private static let tokenVariable = "SUBGUARD_TOKEN"

    @Option(help: "Simulate N devices instead, each on its own connection. (default with --history: 4000)")
    var devices: Int?

    @Flag(
        help: ArgumentHelp(
            "Send the history of some thousand devices, then print the dashboard.",
            discussion: """
                A second run with the same seed (default: 7) sends the same events, which all count as duplicates. Needs \
                --token.
                """))
    var history = false

    @Option(
        help:
            "Past weeks in which the devices of --history sign up, 1 to \(HistoryPlan.weeks.upperBound). (default: 14)"
    )
    var weeks: Int?

    @Option(
        help: ArgumentHelp(
            "Access token with the permission metrics.read: compare the dashboard with the counts of the devices.",
            discussion: "Prefer \(Self.tokenVariable): other users of this machine can read arguments."))
    var token: String?

    @Option(help: "Process id of the server on this machine, to report its CPU time per device and day.")
    var serverPid: Int32?

    @Option(help: ArgumentHelp("The server's SQLite file, to report its growth per device and day.", valueName: "file"))
    var serverStore: String?

    /// Nil if no devices are simulated. Throws the first option that is out of range or cannot be combined.
    func plan(_ options: LoadOptions, seed: UInt64) throws(LoadOptionError) -> DevicePlan? {
        guard weeks == nil else { throw LoadOptionError("--weeks", "goes with --history, which is missing") }
        guard let devices else {
            for (option, isGiven) in [
                ("--token", token != nil), ("--server-pid", serverPid != nil), ("--server-store", serverStore != nil),
            ] where isGiven { throw LoadOptionError(option, "goes with --devices, which is missing") }
            return nil
        }
        try Self.refuse(Self.rateOptions(options), with: "--devices")
        var plan = DevicePlan(target: try LoadTarget(options.url), devices: devices, seed: options.seed ?? seed)
        if let days = options.days { plan.days = days }
        guard plan.days > 0 else { throw LoadOptionError("--days", "must be 1 or more for devices") }
        if let duration = options.duration {
            plan.duration = try DurationText.parse(duration, option: "--duration")
        } else {
            plan.duration = DevicePlan.usualDay * plan.days
        }
        if let timeout = options.timeout { plan.timeout = try DurationText.parse(timeout, option: "--timeout") }
        plan.threads = options.threads
        if let p99 = options.p99 { plan.p99Bound = try DurationText.parse(p99, option: "--p99") }
        plan.token = credential
        plan.serverProcess = serverPid
        plan.serverStore = serverStore
        try plan.check()
        return plan
    }

    /// The request of `--history`. Throws the first option that is out of range or cannot be combined.
    func historyOrder(_ options: LoadOptions) throws(LoadOptionError) -> HistoryOrder {
        try Self.refuse(
            Self.rateOptions(options) + [
                ("--days", options.days != nil), ("--duration", options.duration != nil), ("--p99", options.p99 != nil),
                ("--threads", options.threads != 1), ("--json", options.json != nil),
                ("--server-pid", serverPid != nil), ("--server-store", serverStore != nil),
            ], with: "--history")
        guard let credential, !credential.isEmpty, credential.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw LoadOptionError(
                "--token",
                "is missing or malformed: `subguardd token create --role analyst --name demo` makes one; "
                    + "give it as \(Self.tokenVariable)")
        }
        let order = HistoryOrder(
            target: try LoadTarget(options.url), devices: devices ?? 4000, weeks: weeks ?? 14, seed: options.seed ?? 7,
            token: credential, timeout: try DurationText.parse(options.timeout ?? "30s", option: "--timeout"))
        guard HistoryPlan.devices.contains(order.devices) else {
            throw LoadOptionError("--devices", "must be 1 to \(HistoryPlan.devices.upperBound) devices")
        }
        guard HistoryPlan.weeks.contains(order.weeks) else {
            throw LoadOptionError(
                "--weeks", "must be 1 to \(HistoryPlan.weeks.upperBound): older events are rejected by the server")
        }
        return order
    }

    /// The flag overrides the environment variable; nil if both are missing or empty.
    private var credential: String? {
        let text = token ?? ProcessInfo.processInfo.environment[Self.tokenVariable] ?? ""
        return text.isEmpty && token == nil ? nil : text
    }

    /// The options of a constant rate, and whether each was given.
    private static func rateOptions(_ options: LoadOptions) -> [(option: String, isGiven: Bool)] {
        [
            ("--rate", options.rate != nil), ("--request-rate", options.requestRate != nil),
            ("--closed", options.closed), ("--ramp", options.ramp), ("--report", options.report != nil),
            ("--warm-up", options.warmUp != "0s"), ("--connections", options.connections != 16),
            ("--profile", options.profile != .ingest), ("--batch-sizes", options.batchSizes != BatchMix.usual.text),
            ("--ids", options.ids != .v4), ("--duplicates", options.duplicates != 0), ("--bad", options.bad != 0),
            ("--gzip", options.gzip != 0), ("--properties", options.properties != 100),
            ("--users", options.users != 10_000),
        ]
    }

    private static func refuse(
        _ options: [(option: String, isGiven: Bool)], with other: String
    ) throws(LoadOptionError) {
        for (option, isGiven) in options where isGiven {
            throw LoadOptionError(option, "does not go with \(other), whose devices behave as the client does")
        }
    }
}

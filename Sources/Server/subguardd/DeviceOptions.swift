import ArgumentParser
import Foundation
import LoadTool

/// The options of `load` that make it a simulator of devices.
struct DeviceOptions: ParsableArguments {
    private static let tokenVariable = "SUBGUARD_TOKEN"

    @Option(help: "Simulate so many devices instead, each on a connection of its own.")
    var devices: Int?

    @Option(
        help: ArgumentHelp(
            "With the permission metrics.read: compare the dashboard with what the devices believe.",
            discussion: "Better given as \(Self.tokenVariable): other users of this machine can read arguments."))
    var token: String?

    @Option(help: "The server's process on this machine, for its CPU time a device and day.")
    var serverPid: Int32?

    @Option(help: ArgumentHelp("The server's SQLite file, for what it grows a device and day.", valueName: "file"))
    var serverStore: String?

    /// Nil when no devices are to be simulated. Throws the first option that is out of range or does not go with them.
    func plan(_ options: LoadOptions, seed: UInt64) throws(LoadOptionError) -> DevicePlan? {
        guard let devices else {
            for (option, isGiven) in [
                ("--token", token != nil), ("--server-pid", serverPid != nil), ("--server-store", serverStore != nil),
            ] where isGiven { throw LoadOptionError(option, "goes with --devices, which is missing") }
            return nil
        }
        try refuseOthers(options)
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
        let variable = ProcessInfo.processInfo.environment[Self.tokenVariable]
        plan.token = token ?? (variable?.isEmpty == false ? variable : nil)
        plan.serverProcess = serverPid
        plan.serverStore = serverStore
        try plan.check()
        return plan
    }

    private func refuseOthers(_ options: LoadOptions) throws(LoadOptionError) {
        for (option, isGiven) in [
            ("--rate", options.rate != nil), ("--request-rate", options.requestRate != nil),
            ("--closed", options.closed), ("--ramp", options.ramp), ("--report", options.report != nil),
            ("--warm-up", options.warmUp != "0s"), ("--connections", options.connections != 16),
            ("--profile", options.profile != .ingest), ("--batch-sizes", options.batchSizes != BatchMix.usual.text),
            ("--ids", options.ids != .v4), ("--duplicates", options.duplicates != 0), ("--bad", options.bad != 0),
            ("--gzip", options.gzip != 0), ("--properties", options.properties != 100),
            ("--users", options.users != 10_000),
        ] where isGiven { throw LoadOptionError(option, "does not go with --devices, which behave as the client does") }
    }
}

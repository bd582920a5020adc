import Foundation
import Simulator

/// The history requested by `--history`.
struct HistoryOrder {
    let target: LoadTarget
    let devices: Int
    let weeks: Int
    let seed: UInt64
    /// Whether the records of ``DemoRecords`` are sent too.
    let isDemo: Bool
    /// Requires the permission `metrics.read`.
    let token: String
    /// The timeout of each request.
    let timeout: Duration
    let serverProcess: Int32?
    let serverStore: String?
}

extension LoadOptions {
    enum Order {
        case rate(LoadPlan)
        case devices(DevicePlan)
        case history(HistoryOrder)
    }

    /// What is requested. Throws the first option that is out of range or cannot be combined. Host names are resolved
    /// when the load starts.
    func order(seed: UInt64) throws(LoadOptionError) -> Order {
        if insecure, caFile != nil {
            throw LoadOptionError("--insecure", "accepts any certificate; leave out --ca-file")
        }
        if history { return .history(try historyOrder()) }
        if demo { throw LoadOptionError("--demo", "goes with --history, which is missing") }
        if let weeks { throw LoadOptionError("--weeks", "\(weeks) goes with --history, which is missing") }
        if let devices { return .devices(try devicePlan(devices, seed: seed)) }
        if token != nil { throw LoadOptionError("--token", "goes with --devices or --history, which are missing") }
        return .rate(try loadPlan(seed: seed))
    }

    func endpoints(_ targets: [LoadTarget]) throws(LoadOptionError) -> [Endpoint] {
        let needsTLS = targets.contains(where: \.isSecure)
        if !needsTLS, insecure || caFile != nil {
            throw LoadOptionError(insecure ? "--insecure" : "--ca-file", "goes with https, and no --url has it")
        }
        let tls = needsTLS ? try ClientTLS(authorities: caFile, isInsecure: insecure) : nil
        var endpoints: [Endpoint] = []
        for target in targets { endpoints.append(try Endpoint(target, isOwned: ownsServer, tls: tls)) }
        return endpoints
    }

    private var targets: [LoadTarget] {
        get throws(LoadOptionError) {
            var targets: [LoadTarget] = []
            for text in url.isEmpty ? ["http://127.0.0.1:8080"] : url { targets.append(try LoadTarget(text)) }
            return targets
        }
    }

    private func thresholds() throws(LoadOptionError) -> Thresholds {
        var thresholds = Thresholds()
        if let p95 { thresholds.p95 = try DurationText.parse(p95, option: "--p95") }
        if let p99 = p99 ?? (ramp ? "20ms" : nil) { thresholds.p99 = try DurationText.parse(p99, option: "--p99") }
        thresholds.errors = try Thresholds.Allowance(errors, option: "--errors")
        thresholds.refused = try Thresholds.Allowance(refused, option: "--refused")
        return thresholds
    }

    private func loadPlan(seed: UInt64) throws(LoadOptionError) -> LoadPlan {
        let targets = try targets
        var plan = LoadPlan(target: targets[0], seed: self.seed ?? seed)
        plan.targets = targets
        plan.profile = profile ?? .ingest
        plan.pace = try pace(plan.profile)
        plan.duration = try DurationText.parse(duration ?? "30s", option: "--duration")
        if let warmUp {
            plan.warmUp = try DurationText.parse(warmUp, option: "--warm-up")
        } else {
            plan.warmUp = min(plan.duration / 10, .seconds(3))
        }
        plan.timeout = try DurationText.parse(timeout ?? "10s", option: "--timeout")
        plan.connections = connections ?? plan.connections
        plan.threads = threads
        if let batchSizes { plan.batchSizes = try BatchMix(batchSizes) }
        plan.duplicates = duplicates ?? 0
        plan.bad = bad ?? 0
        plan.gzip = gzip ?? 0
        plan.users = users ?? plan.users
        plan.days = days ?? 0
        if let signingKeyFile {
            guard let text = try? String(contentsOfFile: signingKeyFile, encoding: .utf8) else {
                throw LoadOptionError("--signing-key-file", "\(signingKeyFile) cannot be read")
            }
            plan.signingKey = try SigningKey(text)
        }
        plan.thresholds = try thresholds()
        (plan.serverProcess, plan.serverStore) = (serverPid, serverStore)
        try plan.check()
        if ramp { _ = try RampRun(plan) }
        return plan
    }

    private func pace(_ profile: LoadPlan.Profile) throws(LoadOptionError) -> LoadPlan.Pace {
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

    private func devicePlan(_ devices: Int, seed: UInt64) throws(LoadOptionError) -> DevicePlan {
        // A device cannot use a refusal, so each is one of the errors.
        try refuse(rateOptions + [("--refused", refused != "0")], with: "--devices")
        let targets = try targets
        var plan = DevicePlan(target: targets[0], devices: devices, seed: self.seed ?? seed)
        plan.targets = targets
        if let days { plan.days = days }
        guard plan.days > 0 else { throw LoadOptionError("--days", "must be 1 or more for devices") }
        plan.duration = DevicePlan.usualDay * plan.days
        if let duration { plan.duration = try DurationText.parse(duration, option: "--duration") }
        if let timeout { plan.timeout = try DurationText.parse(timeout, option: "--timeout") }
        plan.threads = threads
        plan.thresholds = try thresholds()
        plan.token = credential
        (plan.serverProcess, plan.serverStore) = (serverPid, serverStore)
        try plan.check()
        return plan
    }

    private func historyOrder() throws(LoadOptionError) -> HistoryOrder {
        try refuse(
            rateOptions + [
                ("--days", days != nil), ("--duration", duration != nil), ("--p95", p95 != nil), ("--p99", p99 != nil),
                ("--errors", errors != "0"), ("--refused", refused != "0"), ("--threads", threads != 1),
                ("--json", json != nil), ("--report", report != nil), ("--url", url.count > 1),
            ], with: "--history")
        guard let credential, !credential.isEmpty, credential.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw LoadOptionError(
                "--token",
                "is missing or malformed: `subguardd token create --role analyst --name demo` makes one; "
                    + "give it as \(Self.tokenVariable)")
        }
        let order = HistoryOrder(
            target: try targets[0], devices: devices ?? 4000, weeks: weeks ?? 14, seed: seed ?? 7, isDemo: demo,
            token: credential,
            timeout: try DurationText.parse(timeout ?? "30s", option: "--timeout"), serverProcess: serverPid,
            serverStore: serverStore)
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
    private var rateOptions: [(option: String, isGiven: Bool)] {
        [
            ("--rate", rate != nil), ("--request-rate", requestRate != nil), ("--closed", closed), ("--ramp", ramp),
            ("--warm-up", warmUp != nil), ("--connections", connections != nil), ("--profile", profile != nil),
            ("--batch-sizes", batchSizes != nil), ("--duplicates", duplicates != nil),
            ("--bad", bad != nil), ("--gzip", gzip != nil), ("--users", users != nil),
            ("--signing-key-file", signingKeyFile != nil),
        ]
    }

    private func refuse(_ options: [(option: String, isGiven: Bool)], with other: String) throws(LoadOptionError) {
        for (option, isGiven) in options where isGiven {
            throw LoadOptionError(option, "does not go with \(other), whose devices behave as the client does")
        }
    }
}

extension LoadPlan {
    private enum Kind: String, CaseIterable {
        case rate = "a constant rate"
        case devices = "--devices"
        case history = "--history"
    }

    private struct Rule {
        let option: String
        let isKept: Bool
        let words: String

        init(_ option: String, _ isKept: Bool, _ words: String) {
            (self.option, self.isKept, self.words) = (option, isKept, words)
        }

        init<Value: Comparable>(_ option: String, _ value: Value, _ low: Value, _ high: Value, _ bounds: String) {
            self.init(option, value >= low && value <= high, "must be \(bounds)")
        }
    }

    /// Throws the first option that is out of range or conflicts with another. Host names are not resolved.
    package func check() throws(LoadOptionError) {
        let serverCount = try targets.count
        let kind = history ? Kind.history : isOfDevices ? .devices : .rate
        for (option, isGiven, kinds) in particular where isGiven && !kinds.contains(kind) {
            let words = kinds.map(\.rawValue).joined(separator: " or ")
            throw LoadOptionError(option, "goes only with \(words)")
        }
        let rules = history ? historyRules : isOfDevices ? deviceRules : rateRules(serverCount)
        if let broken = (commonRules + rules).first(where: { !$0.isKept }) {
            throw LoadOptionError(broken.option, broken.words)
        }
    }

    /// The options that do not go with every kind of run, and whether each was given.
    private var particular: [(String, Bool, [Kind])] {
        let ofRate: [(String, Bool)] = [
            ("--rate", rate != nil), ("--request-rate", requestRate != nil), ("--closed", closed), ("--ramp", ramp),
            ("--warm-up", warmUp != nil), ("--connections", connections != 16), ("--profile", profile != .ingest),
            ("--batch-sizes", batchSizes != .usual), ("--duplicates", duplicates != 0), ("--bad", bad != 0),
            ("--gzip", gzip != 0), ("--users", users != 10_000), ("--signing-key-file", signingKey != nil),
            // A device cannot use a refusal, so each is one of the errors.
            ("--refused", thresholds.refused != .none),
        ]
        let measured: [(String, Bool)] = [
            ("--days", days != nil), ("--duration", duration != nil), ("--p95", thresholds.p95 != nil),
            ("--p99", thresholds.p99 != nil), ("--errors", thresholds.errors != .none), ("--threads", threads != 1),
            ("--json", json != nil), ("--report", report != nil), ("--url", url.count > 1),
        ]
        return ofRate.map { ($0.0, $0.1, [Kind.rate]) } + measured.map { ($0.0, $0.1, [Kind.rate, .devices]) }
            + [
                ("--demo", demo, [Kind.history]), ("--weeks", weeks != nil, [.history]),
                ("--token", token != nil, [.devices, .history]),
            ]
    }

    private var commonRules: [Rule] {
        [
            Rule("--insecure", !insecure || caFile == nil, "accepts any certificate; leave out --ca-file"),
            Rule("--p95", thresholds.p95.map { $0 > .zero } ?? true, "must be greater than 0"),
            Rule("--p99", thresholds.p99.map { $0 > .zero } ?? true, "must be greater than 0"),
            Rule("--timeout", requestTimeout, .milliseconds(10), .seconds(600), "10ms to 10m"),
            Rule("--threads", threads, 1, 64, "1 to 64 threads"),
        ]
    }

    private var historyRules: [Rule] {
        let (devices, weeks) = (HistoryPlan.devices.upperBound, HistoryPlan.weeks.upperBound)
        return [
            Rule(
                "--token", credential.map(Self.isToken) ?? false,
                "is missing or malformed: `subguardd token create --role analyst --name demo` makes one; "
                    + "give it as \(Self.tokenVariable)"),
            Rule("--devices", deviceCount, 1, devices, "1 to \(devices) devices"),
            Rule("--weeks", weekCount, 1, weeks, "1 to \(weeks): older events are rejected by the server"),
        ]
    }

    private var deviceRules: [Rule] {
        [
            Rule("--devices", deviceCount, 1, 200_000, "1 to 200000 devices"),
            // Events of the first day are one day older when the last ones are sent.
            Rule("--days", dayCount, 1, 390, "1 to 390 days"),
            Rule(
                "--duration",
                dayLength >= .milliseconds(50) && dayLength <= .seconds(86_400) && length <= .seconds(7 * 86_400),
                "must leave 50ms to 24h for each of the \(dayCount) days, a week in all"),
            Rule("--threads", threads <= deviceCount, "each thread needs a device; there are \(deviceCount)"),
            Rule(
                "--token", credential.map(Self.isToken) ?? true,
                "must be a token printed by `subguardd token create`"),
        ]
    }

    private func rateRules(_ serverCount: Int) -> [Rule] {
        let percentages = [("--duplicates", duplicates), ("--bad", bad), ("--gzip", gzip)]
        let shared = [("--threads", threads), ("--url", serverCount)]
        return [
            Rule(
                "--closed", !closed || rate == nil && requestRate == nil,
                "has no rate; leave out --rate and --request-rate"),
            Rule("--ramp", !closed || !ramp, "paces the load; --closed does not"),
            Rule("--request-rate", rate == nil || requestRate == nil, "stands instead of --rate, not beside it"),
            Rule(
                "--rate", rate == nil || profile != .catalogue,
                "counts events, and the catalogue has none; use --request-rate"),
            Rule("--rate", rate ?? 1, 0.1, 100_000_000, "0.1 to 100000000 events a second"),
            Rule("--request-rate", requestRate ?? 1, 0.1, 1_000_000, "0.1 to 1000000 requests a second"),
            Rule("--duration", length, .milliseconds(100), .seconds(86_400), "100ms to 24h"),
            Rule("--warm-up", warmUpLength, .zero, .seconds(3600), "0s to 1h"),
            Rule("--connections", connections, 1, 10_000, "1 to 10000 connections"),
        ]
            + shared.map { Rule($0.0, $0.1 <= connections, "each needs a connection; there are \(connections)") }
            + percentages.map { Rule($0.0, $0.1, 0, 100, "0 to 100 percent") }
            + [
                Rule("--duplicates", duplicates + bad <= 100, "with --bad it is more than 100 percent"),
                Rule("--users", users, 1, 100_000_000, "1 to 100000000 users"),
                Rule("--days", dayCount, 0, 399, "0 to 399 days; the server takes no older events"),
            ]
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

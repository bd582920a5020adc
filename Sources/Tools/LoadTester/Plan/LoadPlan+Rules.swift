import DeviceSimulation
import Foundation

extension LoadPlan {
    private enum Kind: String {
        case rate = "a constant rate"
        case devices = "--devices"
        case history = "--history"
    }

    private typealias Rule = (option: String, isKept: Bool, words: String)

    /// The rule of an option with a range; kept if the option is not given.
    private func rule<Value: Comparable>(
        _ option: String, _ value: Value?, in range: ClosedRange<Value>, _ bounds: String
    ) -> Rule { (option, value.map(range.contains) ?? true, "must be \(bounds)") }

    /// Throws the first option that is out of range or conflicts with another. Host names are not resolved.
    package func check() throws(LoadOptionError) {
        let serverCount = try targets.count
        let rules = history.isChosen ? historyRules : isOfDevices ? deviceRules : rateRules(serverCount)
        if let broken = (particularRules + commonRules + rules).first(where: { !$0.isKept }) {
            throw LoadOptionError(broken.option, broken.words)
        }
    }

    /// Whether the report can be written, which would otherwise be seen after the run.
    private func isPlace(_ path: String?) -> Bool {
        guard let path else { return true }
        if access(path, F_OK) == 0 { return access(path, W_OK) == 0 }
        return access(URL(fileURLWithPath: path).deletingLastPathComponent().path, W_OK) == 0
    }

    private var isServerFound: Bool { (try? ServerUsage.read(process: serverPid, store: nil)) != nil }
    private var isStoreFound: Bool { (try? ServerUsage.read(process: nil, store: serverStore)) != nil }

    /// The options that do not go with every kind of run, and whether each was given.
    private var particularRules: [Rule] {
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
        let ofHistory = [("--demo", history.demo), ("--weeks", history.weeks != nil)]
        let kind = history.isChosen ? Kind.history : isOfDevices ? .devices : .rate
        let kinds: [([(String, Bool)], [Kind])] = [
            (ofRate, [.rate]), (measured, [.rate, .devices]), (ofHistory, [.history]),
            ([("--token", token != nil)], [.devices, .history]),
        ]
        return kinds.flatMap { options, kinds in
            let words = "goes only with " + kinds.map(\.rawValue).joined(separator: " or ")
            return options.map { ($0.0, !$0.1 || kinds.contains(kind), words) }
        }
    }

    private var commonRules: [Rule] {
        [
            ("--insecure", !insecure || caFile == nil, "accepts any certificate; leave out --ca-file"),
            ("--p95", thresholds.p95.map { $0 > .zero } ?? true, "must be greater than 0"),
            ("--p99", thresholds.p99.map { $0 > .zero } ?? true, "must be greater than 0"),
            rule("--timeout", requestTimeout, in: .milliseconds(10) ... .seconds(600), "10ms to 10m"),
            rule("--threads", threads, in: 1...64, "1 to 64 threads"),
            ("--json", isPlace(json), "cannot be written"), ("--report", isPlace(report), "cannot be written"),
            ("--server-pid", isServerFound, "there is no such process on this machine"),
            ("--server-store", isStoreFound, "cannot be read"),
        ]
    }

    private var historyRules: [Rule] {
        let (devices, weeks) = (HistoryPlan.devices, HistoryPlan.weeks)
        return [
            (
                "--token", credential.map(Self.isToken) ?? false,
                "is missing or malformed: `subguardd token create --role analyst --name demo` makes one; "
                    + "give it as \(Self.tokenVariable)"
            ),
            rule("--devices", deviceCount, in: devices, "1 to \(devices.upperBound) devices"),
            rule("--weeks", history.weeks, in: weeks, "1 to \(weeks.upperBound): the server rejects older events"),
        ]
    }

    private var deviceRules: [Rule] {
        [
            rule("--devices", deviceCount, in: 1...200_000, "1 to 200000 devices"),
            // Events of the first day are one day older when the last ones are sent.
            rule("--days", dayCount, in: 1...390, "1 to 390 days"),
            (
                "--duration",
                dayLength >= .milliseconds(50) && dayLength <= .seconds(86_400) && length <= .seconds(7 * 86_400),
                "must leave 50ms to 24h for each of the \(dayCount) days, a week in all"
            ),
            ("--threads", threads <= deviceCount, "each thread needs a device; there are \(deviceCount)"),
            ("--token", credential.map(Self.isToken) ?? true, "must be a token printed by `subguardd token create`"),
        ]
    }

    private func rateRules(_ serverCount: Int) -> [Rule] {
        var rules: [Rule] = [
            (
                "--closed", !closed || rate == nil && requestRate == nil,
                "has no rate; leave out --rate and --request-rate"
            ),
            ("--ramp", !closed || !ramp, "paces the load; --closed does not"),
            ("--request-rate", rate == nil || requestRate == nil, "stands instead of --rate, not beside it"),
            (
                "--rate", rate == nil || profile != .catalogue,
                "counts events, and the catalogue has none; use --request-rate"
            ),
            rule("--rate", rate, in: 0.1...100_000_000, "0.1 to 100000000 events a second"),
            rule("--request-rate", requestRate, in: 0.1...1_000_000, "0.1 to 1000000 requests a second"),
            rule("--duration", length, in: .milliseconds(100) ... .seconds(86_400), "100ms to 24h"),
            rule("--warm-up", warmUpLength, in: .zero ... .seconds(3600), "0s to 1h"),
            rule("--connections", connections, in: 1...10_000, "1 to 10000 connections"),
        ]
        for (option, count) in [("--threads", threads), ("--url", serverCount)] {
            rules.append((option, count <= connections, "each needs a connection; there are \(connections)"))
        }
        for (option, percent) in [("--duplicates", duplicates), ("--bad", bad), ("--gzip", gzip)] {
            rules.append(rule(option, percent, in: 0...100, "0 to 100 percent"))
        }
        rules += [
            ("--duplicates", duplicates + bad <= 100, "with --bad it is more than 100 percent"),
            rule("--users", users, in: 1...100_000_000, "1 to 100000000 users"),
            rule("--days", dayCount, in: 0...399, "0 to 399 days; the server takes no older events"),
        ]
        return rules
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

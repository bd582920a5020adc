extension LoadPlan {
    /// Throws the first option that is out of range or conflicts with another. Host names are not resolved.
    package func check() throws(LoadOptionError) {
        let serverCount = try targets.count
        try checkCombinations()
        try thresholds.check()
        try check(requestTimeout, in: .milliseconds(10) ... .seconds(600), "--timeout", "10ms to 10m")
        try check(threads, in: 1...64, "--threads", "1 to 64 threads")
        if history {
            try checkHistory()
        } else if isOfDevices {
            try checkDevices()
        } else {
            try checkTraffic(serverCount)
        }
    }

    // MARK: Combinations

    private func checkCombinations() throws(LoadOptionError) {
        if insecure, caFile != nil {
            throw LoadOptionError("--insecure", "accepts any certificate; leave out --ca-file")
        }
        if history { return try refuse(ofRate + ofRuns, with: "--history") }
        if demo { throw LoadOptionError("--demo", "goes with --history, which is missing") }
        if let weeks { throw LoadOptionError("--weeks", "\(weeks) goes with --history, which is missing") }
        // A device cannot use a refusal, so each is one of the errors.
        if isOfDevices {
            return try refuse(ofRate + [("--refused", thresholds.refused != .none)], with: "--devices")
        }
        if token != nil { throw LoadOptionError("--token", "goes with --devices or --history, which are missing") }
        if closed, rate != nil || requestRate != nil {
            throw LoadOptionError("--closed", "has no rate; leave out --rate and --request-rate")
        }
        if closed, ramp { throw LoadOptionError("--ramp", "paces the load; --closed does not") }
        if requestRate != nil, rate != nil {
            throw LoadOptionError("--request-rate", "stands instead of --rate, not beside it")
        }
    }

    /// The options of a constant rate, and whether each was given.
    private var ofRate: [(option: String, isGiven: Bool)] {
        [
            ("--rate", rate != nil), ("--request-rate", requestRate != nil), ("--closed", closed), ("--ramp", ramp),
            ("--warm-up", warmUp != nil), ("--connections", connections != 16), ("--profile", profile != .ingest),
            ("--batch-sizes", batchSizes != .usual), ("--duplicates", duplicates != 0), ("--bad", bad != 0),
            ("--gzip", gzip != 0), ("--users", users != 10_000), ("--signing-key-file", signingKey != nil),
        ]
    }

    /// The options of measured runs, and whether each was given.
    private var ofRuns: [(option: String, isGiven: Bool)] {
        [
            ("--days", days != nil), ("--duration", duration != nil), ("--p95", thresholds.p95 != nil),
            ("--p99", thresholds.p99 != nil), ("--errors", thresholds.errors != .none),
            ("--refused", thresholds.refused != .none), ("--threads", threads != 1), ("--json", json != nil),
            ("--report", report != nil), ("--url", url.count > 1),
        ]
    }

    private func refuse(_ options: [(option: String, isGiven: Bool)], with other: String) throws(LoadOptionError) {
        for (option, isGiven) in options where isGiven {
            throw LoadOptionError(option, "does not go with \(other), whose devices behave as the client does")
        }
    }

    // MARK: Ranges

    private func checkHistory() throws(LoadOptionError) {
        guard let credential, Self.isToken(credential) else {
            throw LoadOptionError(
                "--token",
                "is missing or malformed: `subguardd token create --role analyst --name demo` makes one; "
                    + "give it as \(Self.tokenVariable)")
        }
        let (devices, weeks) = (HistoryPlan.devices, HistoryPlan.weeks)
        try check(deviceCount, in: devices, "--devices", "1 to \(devices.upperBound) devices")
        try check(
            weekCount, in: weeks, "--weeks", "1 to \(weeks.upperBound): older events are rejected by the server")
    }

    private func checkDevices() throws(LoadOptionError) {
        try check(deviceCount, in: 1...200_000, "--devices", "1 to 200000 devices")
        // Events of the first day are one day older when the last ones are sent.
        try check(dayCount, in: 1...390, "--days", "1 to 390 days")
        guard (.milliseconds(50) ... .seconds(86_400)).contains(dayLength), length <= .seconds(7 * 86_400) else {
            throw LoadOptionError(
                "--duration", "must leave 50ms to 24h for each of the \(dayCount) days, a week in all")
        }
        guard threads <= deviceCount else {
            throw LoadOptionError("--threads", "each thread needs a device; there are \(deviceCount)")
        }
        if let credential, !Self.isToken(credential) {
            throw LoadOptionError("--token", "must be a token printed by `subguardd token create`")
        }
    }

    private func checkTraffic(_ serverCount: Int) throws(LoadOptionError) {
        switch pace {
        case .closed: break
        case .events where profile == .catalogue:
            throw LoadOptionError("--rate", "counts events, and the catalogue has none; use --request-rate")
        case .events(let rate):
            try check(rate, in: 0.1...100_000_000, "--rate", "0.1 to 100000000 events a second")
        case .requests(let rate):
            try check(rate, in: 0.1...1_000_000, "--request-rate", "0.1 to 1000000 requests a second")
        }
        try check(length, in: .milliseconds(100) ... .seconds(86_400), "--duration", "100ms to 24h")
        try check(warmUpLength, in: .zero ... .seconds(3600), "--warm-up", "0s to 1h")
        try check(connections, in: 1...10_000, "--connections", "1 to 10000 connections")
        for (option, count) in [("--threads", threads), ("--url", serverCount)] where count > connections {
            throw LoadOptionError(option, "each needs a connection; there are \(connections)")
        }
        for (option, percent) in [("--duplicates", duplicates), ("--bad", bad), ("--gzip", gzip)] {
            try check(percent, in: 0...100, option, "0 to 100 percent")
        }
        guard duplicates + bad <= 100 else {
            throw LoadOptionError("--duplicates", "with --bad it is more than 100 percent")
        }
        try check(users, in: 1...100_000_000, "--users", "1 to 100000000 users")
        try check(dayCount, in: 0...399, "--days", "0 to 399 days; the server takes no older events")
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private func check<Value: Comparable>(
        _ value: Value, in range: ClosedRange<Value>, _ option: String, _ bounds: String
    ) throws(LoadOptionError) {
        guard range.contains(value) else { throw LoadOptionError(option, "must be \(bounds)") }
    }
}

/// An option with an unusable value.
package struct LoadOptionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name on the command line, including its hyphens.
    package let option: String
    package let reason: String

    package init(_ option: String, _ reason: String) {
        self.option = option
        self.reason = reason
    }

    package var description: String { "\(option): \(reason)" }
}

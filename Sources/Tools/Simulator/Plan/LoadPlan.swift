/// Which traffic to send, to which server, and for how long. ``check()`` validates it.
package struct LoadPlan: Sendable {
    package enum Profile: String, CaseIterable, Sendable {
        /// Analytics batches.
        case ingest
        /// Reads of the catalogue: a page, and searches.
        case catalogue
        /// Both, alternating.
        case mixed
    }

    /// When a request is due.
    package enum Pace: Sendable, Equatable {
        /// On a schedule, at a constant rate of events.
        case events(perSecond: Double)
        /// On a schedule, at a constant rate of requests.
        case requests(perSecond: Double)
        /// As soon as a connection is free. Finds the maximum throughput; its latencies favour a slow server.
        case closed
    }

    /// The connections are divided among the servers.
    package var targets: [LoadTarget]
    package var pace = Pace.events(perSecond: 1000)
    package var duration = Duration.seconds(10)
    /// Sent before the measurement; verified, but excluded from latencies and throughput.
    package var warmUp = Duration.zero
    /// Timeout of a request from its sending, and of the final wait for responses.
    package var timeout = Duration.seconds(10)
    package var connections = 16
    package var threads = 1
    package var profile = Profile.ingest
    package var batchSizes = BatchMix.usual
    /// Percentage of events with the id of an already accepted event.
    package var duplicates = 0.0
    /// Percentage of events that break a rule of the contract.
    package var bad = 0.0
    /// Percentage of batches compressed with gzip.
    package var gzip = 0.0
    package var users = 10_000
    /// Maximum age of timestamps in days, evenly distributed.
    package var days = 0
    package var seed: UInt64
    /// Signs the batches; nil for unsigned ones.
    package var signingKey: SigningKey?
    package var thresholds = Thresholds()
    /// The server's process on this machine, for its CPU time.
    package var serverProcess: Int32?
    /// The server's SQLite file on this machine, for its growth.
    package var serverStore: String?

    package init(target: LoadTarget, seed: UInt64) {
        targets = [target]
        self.seed = seed
    }

    /// Requests per second over all threads; nil for a closed loop.
    package var requestsPerSecond: Double? {
        switch pace {
        case .closed: nil
        case .requests(let rate): rate
        case .events(let rate): rate / eventsPerRequest
        }
    }

    /// The mean over all requests, including catalogue reads.
    package var eventsPerRequest: Double {
        switch profile {
        case .ingest: batchSizes.mean
        case .catalogue: 0
        case .mixed: batchSizes.mean / 2
        }
    }

    /// How many batches a thread sends on schedule, and the exact number of their events: those of the warm-up, then those
    /// of the measurement. Empty where no rate of events is given.
    func quotas(ofThread thread: Int) -> [(batches: Int, events: Int)] {
        guard case .events(let rate) = pace, let requestsPerSecond, thread < threads else { return [] }
        func batches(_ thread: Int, until end: Duration) -> Int {
            let requests = LoadSchedule.count(end, requestsPerSecond: requestsPerSecond, thread: thread, of: threads)
            // Of mixed traffic, the second of two requests is a read.
            return profile == .mixed ? (requests + 1) / 2 : requests
        }
        func events(ofThreads count: Int, until end: Duration) -> Int {
            let all = (0..<threads).map { batches($0, until: end) }
            let share = Double(all.prefix(count).reduce(0, +)) / Double(max(1, all.reduce(0, +)))
            return Int((rate * end.inSeconds * share).rounded())
        }
        var (batchesBefore, eventsBefore) = (0, 0)
        return [warmUp, warmUp + duration].map { end in
            let count = batches(thread, until: end)
            let sum = events(ofThreads: thread + 1, until: end) - events(ofThreads: thread, until: end)
            defer { (batchesBefore, eventsBefore) = (count, sum) }
            return (count - batchesBefore, sum - eventsBefore)
        }
    }

    /// Throws the first option that is out of range or conflicts with another.
    package func check() throws(LoadOptionError) {
        switch pace {
        case .closed: break
        case .events(let rate):
            guard profile != .catalogue else {
                throw LoadOptionError("--rate", "counts events, and the catalogue has none; use --request-rate")
            }
            try Self.check(rate, in: 0.1...100_000_000, "--rate", "events a second")
        case .requests(let rate): try Self.check(rate, in: 0.1...1_000_000, "--request-rate", "requests a second")
        }
        try Self.check(duration, in: .milliseconds(100) ... .seconds(86_400), "--duration", "100ms to 24h")
        try Self.check(warmUp, in: .zero ... .seconds(3600), "--warm-up", "0s to 1h")
        try Self.check(timeout, in: .milliseconds(10) ... .seconds(600), "--timeout", "10ms to 10m")
        try Self.check(Double(connections), in: 1...10_000, "--connections", "connections")
        try Self.check(Double(threads), in: 1...64, "--threads", "threads")
        guard threads <= connections else {
            throw LoadOptionError("--threads", "each thread needs a connection; there are \(connections)")
        }
        for (option, percent) in [
            ("--duplicates", duplicates), ("--bad", bad), ("--gzip", gzip),
        ] { try Self.check(percent, in: 0...100, option, "percent") }
        guard targets.count <= connections else {
            throw LoadOptionError("--url", "each server needs a connection; there are \(connections)")
        }
        try thresholds.check()
        guard duplicates + bad <= 100 else {
            throw LoadOptionError("--duplicates", "with --bad it is more than 100 percent")
        }
        try Self.check(Double(users), in: 1...100_000_000, "--users", "users")
        try Self.check(Double(days), in: 0...399, "--days", "days; the server takes no older events")
    }

    private static func check(
        _ value: Double, in range: ClosedRange<Double>, _ option: String, _ unit: String
    ) throws(LoadOptionError) {
        guard range.contains(value) else {
            throw LoadOptionError(
                option, "must be \(NumberText.plain(range.lowerBound)) to \(NumberText.plain(range.upperBound)) \(unit)"
            )
        }
    }

    private static func check(
        _ value: Duration, in range: ClosedRange<Duration>, _ option: String, _ bounds: String
    ) throws(LoadOptionError) {
        guard range.contains(value) else { throw LoadOptionError(option, "must be \(bounds)") }
    }
}

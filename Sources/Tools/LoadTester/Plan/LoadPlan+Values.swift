import DeviceSimulation
import Foundation
import HTTPServerTLS

/// What follows from the options, with their defaults.
extension LoadPlan {
    /// When a request is due.
    enum Pace: Sendable, Equatable {
        /// On a schedule, at a constant rate of events.
        case events(perSecond: Double)
        /// On a schedule, at a constant rate of requests.
        case requests(perSecond: Double)
        /// As soon as a connection is free. Finds the maximum throughput; its latencies favour a slow server.
        case closed
    }

    /// The same for the whole process.
    private static let randomSeed = UInt64.random(in: 1...0xFFFF_FFFF)

    /// Whether devices are simulated or their history is sent, rather than traffic at a constant rate.
    var isOfDevices: Bool { devices != nil || history.isChosen }

    var deviceCount: Int { devices ?? 4000 }

    var seedNumber: UInt64 { seed ?? (history.isChosen ? 7 : Self.randomSeed) }

    /// Maximum age of timestamps in days, evenly distributed. For devices the simulated days, all of them past calendar
    /// days, because the server does not count future events yet.
    var dayCount: Int { days ?? (isOfDevices ? 32 : 0) }

    /// Of the measurement; for devices, the real time of all days. Pending data is then sent within one more day.
    var length: Duration { duration ?? .seconds(isOfDevices ? 2 * dayCount : 30) }

    /// Real time of a simulated day.
    var dayLength: Duration { length / max(1, dayCount) }

    /// Sent before the measurement; verified, but excluded from latencies and throughput.
    var warmUpLength: Duration { isOfDevices ? .zero : warmUp ?? min(length / 10, .seconds(3)) }

    /// Timeout of a request from its sending, and of the final wait for responses.
    var requestTimeout: Duration { timeout ?? .seconds(isOfDevices ? 30 : 10) }

    /// The length of the slices of the time series, at most a few hundred of them.
    var slice: Duration {
        let whole = (isOfDevices ? length : warmUpLength + length + requestTimeout).inSeconds
        return whole <= 30 ? .milliseconds(250) : .seconds(max(1, (whole / 300).rounded(.up)))
    }

    var pace: Pace {
        if closed { return .closed }
        if let requestRate { return .requests(perSecond: requestRate) }
        if rate == nil, profile == .catalogue { return .requests(perSecond: 100) }
        return .events(perSecond: rate ?? 1000)
    }

    /// Requests per second over all threads; nil for a closed loop.
    var requestsPerSecond: Double? {
        switch pace {
        case .closed: nil
        case .requests(let rate): rate
        // Of mixed traffic, half of the requests are reads.
        case .events(let rate): rate / (profile == .mixed ? batchSizes.mean / 2 : batchSizes.mean)
        }
    }

    /// The flag overrides the environment variable; nil if both are missing or empty.
    var credential: String? {
        let text = token ?? ProcessInfo.processInfo.environment[Self.tokenVariable] ?? ""
        return text.isEmpty && token == nil ? nil : text
    }

    /// The servers by their addresses on the command line. The connections or devices are divided among them.
    var targets: [LoadTarget] {
        get throws(LoadOptionError) {
            try (url.isEmpty ? ["http://127.0.0.1:8080"] : url).map(LoadTarget.init)
        }
    }

    var urls: [String] { (try? targets.map(\.url)) ?? url }

    /// The servers with their resolved addresses.
    func endpoints() throws(LoadOptionError) -> [Endpoint] {
        let targets = try targets
        var tls: TLSClient?
        if targets.contains(where: \.isSecure) {
            tls = TLSClient(authorities: caFile, isInsecure: insecure)
            guard tls != nil else {
                throw caFile.map { LoadOptionError("--ca-file", "\($0) cannot be read or has no certificate") }
                    ?? LoadOptionError("--url", "OpenSSL has no certificates or no memory for https")
            }
        } else if insecure || caFile != nil {
            throw LoadOptionError(insecure ? "--insecure" : "--ca-file", "goes with https, and no --url has it")
        }
        return try targets.map { target throws(LoadOptionError) in
            try Endpoint(target, isOwned: ownsServer, tls: tls)
        }
    }
}

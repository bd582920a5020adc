/// The resources for ten million such devices, extrapolated from the measured ones. Unmeasured values are nil.
package struct DeviceScale: Sendable, Equatable {
    package static let devices = 10_000_000
    /// The busiest hour relative to the daily mean: people use their phones in the morning and in the evening.
    package static let peakFactor = 3.0
    /// Maximum utilisation of a core at the peak.
    package static let busyShare = 0.7
    private static let secondsPerDay = 86_400.0

    /// Per device and day.
    package let processorSeconds: Double?
    package let requests: Double
    package let bytesSent: Double
    package let bytesReceived: Double
    package let storeBytes: Double?

    package init(_ result: DeviceResult) {
        let days = Double(max(1, result.tally.deviceDays))
        processorSeconds = result.usage.processorSeconds.map { $0 / days }
        requests = Double(result.tally.calls.values.reduce(0) { $0 + $1.requests }) / days
        bytesSent = Double(result.tally.bytesSent) / days
        bytesReceived = Double(result.tally.bytesReceived) / days
        storeBytes = result.usage.storeBytes.map { Double($0) / days }
    }

    /// Busy cores, averaged over a day.
    package var meanCores: Double? { processorSeconds.map { $0 * Double(Self.devices) / Self.secondsPerDay } }
    /// Cores required at the peak.
    package var coresNeeded: Double? { meanCores.map { $0 * Self.peakFactor / Self.busyShare } }
    package var requestsPerSecond: Double { requests * Double(Self.devices) / Self.secondsPerDay }
    package var bytesSentPerDay: Double { bytesSent * Double(Self.devices) }
    package var bytesReceivedPerDay: Double { bytesReceived * Double(Self.devices) }
    package var storeBytesPerDay: Double? { storeBytes.map { $0 * Double(Self.devices) } }

    /// The values with their formulas, as readable lines.
    package var lines: [String] {
        let each = "× 10,000,000"
        var lines = [
            "requests        \(NumberText.fixed(requests, 3)) a device-day \(each) / 86,400 s = "
                + "\(NumberText.fixed(requestsPerSecond)) /s on average",
            "to devices      \(NumberText.fixed(bytesReceived)) bytes a device-day \(each) = "
                + "\(NumberText.fixed(bytesReceivedPerDay / 1e9, 1)) GB a day",
            "from devices    \(NumberText.fixed(bytesSent)) bytes a device-day \(each) = "
                + "\(NumberText.fixed(bytesSentPerDay / 1e9, 1)) GB a day",
        ]
        if let processorSeconds, let meanCores, let coresNeeded {
            lines.append(
                "server's CPU    \(NumberText.fixed(processorSeconds * 1e6, 1)) µs a device-day \(each) / 86,400 s = "
                    + "\(NumberText.fixed(meanCores, 3)) cores on average; × \(NumberText.plain(Self.peakFactor)) at the peak "
                    + "/ \(NumberText.plain(Self.busyShare)) busy = \(NumberText.fixed(coresNeeded, 2)) cores")
        } else {
            lines.append("server's CPU    not measured: --server-pid")
        }
        if let storeBytes, let storeBytesPerDay {
            lines.append(
                "disk            \(NumberText.fixed(storeBytes, 1)) bytes a device-day \(each) = "
                    + "\(NumberText.fixed(storeBytesPerDay / 1e9, 2)) GB a day, until events are purged")
        } else {
            lines.append("disk            not measured: --server-store")
        }
        return lines
    }
}

/// Which devices to simulate, for how long, and against which server. ``check()`` validates it.
package struct DevicePlan: Sendable {
    package static let usualDays = 32
    /// Default real time per simulated day, unless the total duration is given.
    package static let usualDay = Duration.seconds(2)

    /// The devices are divided among the servers.
    package var targets: [LoadTarget]
    package var devices: Int
    /// Simulated days, all of them past calendar days, because the server does not count future events yet.
    package var days = DevicePlan.usualDays
    /// Real time of all days. Pending data is then sent within one more day.
    package var duration: Duration
    /// Timeout of a request, from its sending.
    package var timeout = Duration.seconds(30)
    package var threads = 1
    package var seed: UInt64
    /// Those of latency are for the calls of the catalogue.
    package var thresholds = Thresholds()
    /// Requires the permission `metrics.read`; compares the dashboard's figures with the devices' own counts.
    package var token: String?
    /// The server's process on this machine, for its CPU time.
    package var serverProcess: Int32?
    /// The server's SQLite file on this machine, for its growth.
    package var serverStore: String?

    package init(target: LoadTarget, devices: Int, seed: UInt64) {
        targets = [target]
        self.devices = devices
        self.seed = seed
        duration = Self.usualDay * Self.usualDays
    }

    /// Real time of a simulated day.
    package var dayLength: Duration { duration / days }

    /// Throws the first option that is out of range.
    package func check() throws(LoadOptionError) {
        guard (1...200_000).contains(devices) else { throw LoadOptionError("--devices", "must be 1 to 200000 devices") }
        // Events of the first day are one day older when the last ones are sent.
        guard (1...390).contains(days) else { throw LoadOptionError("--days", "must be 1 to 390 days") }
        guard (.milliseconds(50) ... .seconds(86_400)).contains(dayLength), duration <= .seconds(7 * 86_400) else {
            throw LoadOptionError("--duration", "must leave 50ms to 24h for each of the \(days) days, a week in all")
        }
        guard (.milliseconds(10) ... .seconds(600)).contains(timeout) else {
            throw LoadOptionError("--timeout", "must be 10ms to 10m")
        }
        guard (1...64).contains(threads), threads <= devices else {
            throw LoadOptionError("--threads", "must be 1 to 64 threads, a device each at least")
        }
        try thresholds.check()
        if let token, token.isEmpty || !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            throw LoadOptionError("--token", "must be a token printed by `subguardd token create`")
        }
    }
}

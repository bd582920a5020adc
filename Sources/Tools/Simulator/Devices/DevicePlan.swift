/// Which devices to simulate, for how long, and against whom. ``check()`` tells whether it makes sense.
package struct DevicePlan: Sendable {
    package static let usualDays = 32
    /// Real time that a simulated day takes, unless the whole duration is given.
    package static let usualDay = Duration.seconds(2)

    package var target: LoadTarget
    package var devices: Int
    /// Simulated days. Their last one ends with the run: earlier events lie in the past, in which a server counts them.
    package var days = DevicePlan.usualDays
    /// Real time that the days take. What still waits then is sent within one day more.
    package var duration: Duration
    /// How long a request may take from its sending.
    package var timeout = Duration.seconds(30)
    package var threads = 1
    package var seed: UInt64
    /// Of every call of the catalogue; nil judges none.
    package var p99Bound: Duration?
    /// With the permission `metrics.read`: compares the dashboard's figures with the devices' own.
    package var token: String?
    /// The server's process on this machine, whose CPU time is read.
    package var serverProcess: Int32?
    /// The server's SQLite file on this machine, whose growth is read.
    package var serverStore: String?

    package init(target: LoadTarget, devices: Int, seed: UInt64) {
        self.target = target
        self.devices = devices
        self.seed = seed
        duration = Self.usualDay * Self.usualDays
    }

    /// Real time of a simulated day.
    package var dayLength: Duration { duration / days }

    /// Throws the first option that is out of range.
    package func check() throws(LoadOptionError) {
        guard (1...200_000).contains(devices) else { throw LoadOptionError("--devices", "must be 1 to 200000 devices") }
        // The events of the first day are by one day older than that when the last ones are sent.
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
        if let p99Bound, p99Bound <= .zero { throw LoadOptionError("--p99", "must be more than nothing") }
        if let token, token.isEmpty || !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            throw LoadOptionError("--token", "must be the text that `subguardd token create` printed")
        }
    }
}

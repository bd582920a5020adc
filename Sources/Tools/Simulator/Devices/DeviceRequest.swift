/// A request that a device wants to send.
package struct DeviceRequest: Sendable {
    /// What happens to the response.
    package enum Fate: Sendable {
        case read
        /// The response arrives, but the device does not process it, because the app was terminated.
        case thrownAway
        /// The device disconnects as soon as the request is sent.
        case cut
    }

    package let route: LoadRoute
    package let path: String
    package var entityTag: String?
    package var body: [UInt8]?
    package var fate = Fate.read

    /// The request as sent, with the fields of the real client.
    func made(for target: LoadTarget) -> MadeRequest {
        // URL loading systems add the coding automatically.
        var fields = "Accept: application/json\r\nAccept-Language: en\r\nAccept-Encoding: gzip\r\n"
        if let entityTag { fields += "If-None-Match: \(entityTag)\r\n" }
        return MadeRequest(
            body == nil ? "GET" : "POST", path, to: target, agent: "subguard/load", fields: fields, body: body)
    }
}

/// Retry delays, the same as in the real client.
package enum BackOff {
    package static let attempts = 4
    static let firstPause: Int64 = 500_000_000
    static let longestPause: Int64 = 8_000_000_000
    /// Beyond this `Retry-After`, the device waits until the next visit.
    static let longestRequestedSeconds = 30
    /// Statuses after which a retry may succeed.
    static let passing: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// Nanoseconds until the next attempt after `failed` failures; nil to give up.
    ///
    /// - Parameter chance: at least 0, less than 1. Delays up to the bound are uniformly distributed, so that
    ///   simultaneous failures are not retried together.
    package static func pause(afterAttempt failed: Int, retryAfter: Int? = nil, chance: Double) -> Int64? {
        guard failed < attempts else { return nil }
        let jitter = Int64(Double(min(longestPause, firstPause << Int64(failed - 1))) * chance)
        guard let retryAfter else { return jitter }
        guard retryAfter <= longestRequestedSeconds else { return nil }
        return Int64(max(0, retryAfter)) * 1_000_000_000 + min(jitter, 1_000_000_000)
    }
}

/// When a call that failed is sent again: as the real client does it.
package enum BackOff {
    package static let attempts = 4
    static let firstPause: Int64 = 500_000_000
    static let longestPause: Int64 = 8_000_000_000
    /// A server that asks for a longer pause is left alone until the next visit.
    static let longestRequestedSeconds = 30
    /// Answers after which another attempt may succeed.
    static let passing: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// Nanoseconds until the next attempt, of which `failed` have failed; nil when there is to be none.
    ///
    /// - Parameter chance: from 0 up to 1. Any pause up to the bound is as likely, so that what failed together does not
    ///   come back together.
    package static func pause(afterAttempt failed: Int, retryAfter: Int? = nil, chance: Double) -> Int64? {
        guard failed < attempts else { return nil }
        let bound = min(longestPause, firstPause << Int64(min(max(failed - 1, 0), 20)))
        let jitter = Int64(Double(bound) * min(max(chance, 0), 1))
        guard let retryAfter else { return jitter }
        guard retryAfter <= longestRequestedSeconds else { return nil }
        return Int64(max(0, retryAfter)) * 1_000_000_000 + min(jitter, 1_000_000_000)
    }
}

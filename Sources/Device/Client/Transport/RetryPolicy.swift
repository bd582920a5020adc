/// When a request that may be repeated is sent again, and after which pause.
public struct RetryPolicy: Sendable, Hashable {
    /// How often it is sent at most, the first time included. Default: 4.
    public var attempts = 4
    /// The longest pause after the first failure; it doubles with each further one. Default: half a second.
    public var firstPause = Duration.milliseconds(500)
    /// Default: 8 seconds.
    public var longestPause = Duration.seconds(8)
    /// A server that asks for a longer one is left alone until the next synchronisation. Default: 30 seconds.
    public var longestRequestedPause = Duration.seconds(30)

    public init() {}

    /// Once and never again.
    public static var once: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 1
        return policy
    }

    /// The pause before the next attempt, or nil when there is to be none. Anything between nothing and the bound is
    /// as likely ("full jitter"), so that devices which failed together do not come back together.
    ///
    /// - Parameters:
    ///   - attempt: how many have failed, from 1.
    ///   - retryAfter: seconds for which the server wants to be left alone; the pause is at least that.
    ///   - chance: from 0 up to 1.
    public func pause(afterAttempt attempt: Int, retryAfter: Int?, chance: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        let bound = min(longestPause, firstPause * (1 << min(attempt - 1, 20)))
        let jitter = bound * min(max(chance, 0), 1)
        guard let retryAfter else { return jitter }
        let requested = Duration.seconds(max(retryAfter, 0))
        return requested <= longestRequestedPause ? requested + min(jitter, .seconds(1)) : nil
    }
}

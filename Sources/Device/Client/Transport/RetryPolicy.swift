import Foundation

/// How often, and after which pause, a repeatable request is retried.
public struct RetryPolicy: Sendable, Hashable {
    /// Maximum number of attempts, including the first. Default: 4.
    public var attempts = 4
    /// Maximum pause after the first failure; doubles with each further one. Default: 500 ms.
    public var firstPause = Duration.milliseconds(500)
    /// Upper limit of the pause. Default: 8 seconds.
    public var longestPause = Duration.seconds(8)
    /// If the server requests a longer pause, the call fails. Default: 30 seconds.
    public var longestRequestedPause = Duration.seconds(30)

    /// The defaults.
    public init() {}

    /// A single attempt.
    public static var once: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 1
        return policy
    }

    /// The pause before the next attempt; nil when there is none. Random between 0 and the maximum ("full jitter"), so
    /// that devices that failed together do not retry together.
    ///
    /// - Parameters:
    ///   - attempt: number of failed attempts, from 1.
    ///   - retryAfter: the minimum pause requested by the server, in seconds.
    ///   - chance: a random number from 0 to 1.
    public func pause(afterAttempt attempt: Int, retryAfter: Int?, chance: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        let bound = min(longestPause, firstPause * (1 << min(attempt - 1, 20)))
        let jitter = bound * min(max(chance, 0), 1)
        guard let retryAfter else { return jitter }
        let requested = Duration.seconds(max(retryAfter, 0))
        return requested <= longestRequestedPause ? requested + min(jitter, .seconds(1)) : nil
    }
}

/// The field `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date in any of the three forms of HTTP.
enum RetryAfter {
    /// Upper limit.
    private static let maximumSeconds = 1_000_000_000

    /// Seconds from the response; 0 for a past date, nil when malformed.
    ///
    /// - Parameters:
    ///   - sentAt: the `Date` field of the response; dates are compared with the server's clock.
    ///   - now: seconds since 1970, for a response without `Date`.
    static func seconds(_ text: String, sentAt: String?, now: Double) -> Int? {
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(Int(text) ?? .max, maximumSeconds)
        }
        guard let end = date(text) else { return nil }
        let start = sentAt.flatMap { date($0) }?.timeIntervalSince1970 ?? now
        return Int(min(max((end.timeIntervalSince1970 - start).rounded(.up), 0), Double(maximumSeconds)))
    }

    /// Seconds by which an HTTP date is ahead of `now` (seconds since 1970); negative when it is behind, nil when
    /// malformed.
    static func secondsAhead(of text: String, now: Int64) -> Int64? {
        date(text).map { Int64($0.timeIntervalSince1970) - now }
    }

    /// RFC 9110 section 5.6.7: the current format and the two obsolete ones.
    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.isLenient = false
        for form in ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"] {
            formatter.dateFormat = form
            // asctime pads the day with a blank.
            if let date = formatter.date(from: text.replacing("  ", with: " ")) { return date }
        }
        return nil
    }
}

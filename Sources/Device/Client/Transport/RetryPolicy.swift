import Foundation

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

/// The field `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date in any of the three forms of HTTP.
enum RetryAfter {
    /// A longer one is no longer told apart.
    private static let maximumSeconds = 1_000_000_000

    /// Seconds from the moment of the answer, 0 for one that has passed; nil for a text that is neither.
    ///
    /// - Parameters:
    ///   - sentAt: the answer's field `Date`. A date is held against the clock that made it, as far as that is told.
    ///   - now: in seconds since 1970, for an answer without one.
    static func seconds(_ text: String, sentAt: String?, now: Double) -> Int? {
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(Int(text) ?? .max, maximumSeconds)
        }
        guard let end = date(text) else { return nil }
        let start = sentAt.flatMap { date($0) }?.timeIntervalSince1970 ?? now
        return Int(min(max((end.timeIntervalSince1970 - start).rounded(.up), 0), Double(maximumSeconds)))
    }

    /// How many seconds a date of HTTP is ahead of `now`, in seconds since 1970; negative when it is behind. Nil for a text
    /// that is no date.
    static func secondsAhead(of text: String, now: Int64) -> Int64? {
        date(text).map { Int64($0.timeIntervalSince1970) - now }
    }

    /// RFC 9110 section 5.6.7: the form of today, and the two that a recipient must still take.
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

import Foundation

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

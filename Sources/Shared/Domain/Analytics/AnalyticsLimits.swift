/// The bounds of what analytics accept.
public enum AnalyticsLimits {
    /// Events in one request.
    public static let batchSize = 1...1000
    /// How far a timestamp may lie ahead of the server's clock: 24 hours.
    public static let maximumSecondsAhead: Int64 = 24 * 60 * 60
    /// How far a timestamp may lie behind the server's clock, in days of 24 hours.
    public static let maximumDaysBehind = 400
    /// Hexadecimal digits of a SHA-256.
    public static let userIDLength = 64
    /// Of a property with a short text.
    public static let maximumTextBytes = 64

    /// Whether an event of that time is taken by a server whose clock says `receivedAt`; both bounds are inclusive.
    public static func accepts(timestamp: UTCInstant, receivedAt: UTCInstant) -> Bool {
        timestamp >= receivedAt.adding(days: -maximumDaysBehind)
            && timestamp <= receivedAt.adding(seconds: maximumSecondsAhead)
    }

    /// Whether the bytes are 64 lower-case hexadecimal digits.
    public static func isUserID(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == userIDLength
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
                default: false
                }
            }
    }
}

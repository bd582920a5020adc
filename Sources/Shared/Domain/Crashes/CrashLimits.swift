/// The bounds of what is taken and kept of crashes and sessions.
public enum CrashLimits {
    /// Crashes, or session counts, in one request of `POST /api/v1/crashes`.
    public static let batchSize = 0...100
    /// Frames of one crash there.
    public static let framesPerCrash = 0...CrashRegistry.maximumFrames
    /// Sessions that one count there may stand for.
    public static let sessionsPerCount: ClosedRange<Int64> = 1...10_000
    /// How far a start may lie ahead of the server's clock: 24 hours.
    public static let maximumSecondsAhead: Int64 = 24 * 60 * 60
    /// How far a crash or the start of a session may lie behind the server's clock, in days of 24 hours.
    public static let maximumDaysBehind = 30
    /// How long a session may still change after it was first heard of, in days of 24 hours.
    public static let sessionUpdateDays = 5

    /// Whether something of that time is taken by a server whose clock says `receivedAt`; both bounds are inclusive.
    public static func accepts(timestamp: UTCInstant, receivedAt: UTCInstant) -> Bool {
        timestamp >= receivedAt.adding(days: -maximumDaysBehind)
            && timestamp <= receivedAt.adding(seconds: maximumSecondsAhead)
    }
}

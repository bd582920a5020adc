/// The one table of what is kept of a crash report. Whatever is not in it is dropped before anything is stored: users,
/// requests, breadcrumbs, tags, variables, source lines, server names and all the rest.
public enum CrashRegistry {
    public static let fields: [CrashField] = [
        CrashField("platform", .word, "which kind of program crashed"),
        CrashField("level", .word, "how bad it is"),
        CrashField("release", .release, "in which releases it happens"),
        CrashField("dist", .version, "which build of the release"),
        CrashField("environment", .word, "test or production"),
        CrashField("fingerprint[]", .text(maximumBytes: 160), "how the program wants it grouped"),
        CrashField("message", .text(maximumBytes: maximumTextBytes), "what happened"),
        CrashField("logentry.message", .text(maximumBytes: maximumTextBytes), "what happened, without its values"),
        CrashField("logentry.formatted", .text(maximumBytes: maximumTextBytes), "what happened"),
        CrashField("exception.values[].type", .symbol(maximumBytes: 160), "what happened"),
        CrashField("exception.values[].module", .symbol(maximumBytes: 160), "where the error is declared"),
        CrashField("exception.values[].value", .text(maximumBytes: maximumTextBytes), "what happened"),
        CrashField("exception.values[].mechanism.type", .word, "how it was noticed"),
        CrashField("exception.values[].mechanism.handled", .flag, "whether the program went on"),
        CrashField(frames + "function", .symbol(maximumBytes: 160), "where it happened"),
        CrashField(frames + "module", .symbol(maximumBytes: 160), "where it happened"),
        CrashField(frames + "filename", .symbol(maximumBytes: 160), "where it happened"),
        CrashField(frames + "lineno", .number, "where it happened"),
        CrashField(frames + "in_app", .flag, "whether the frame is the program's own"),
        CrashField("contexts.os.name", .symbol(maximumBytes: 64), "on which system it happens"),
        CrashField("contexts.os.version", .version, "on which system it happens"),
        CrashField("contexts.device.family", .symbol(maximumBytes: 64), "on which devices it happens"),
        CrashField("contexts.device.model", .symbol(maximumBytes: 64), "on which devices it happens"),
        CrashField("contexts.device.arch", .word, "on which devices it happens"),
        CrashField("contexts.app.app_version", .version, "in which versions it happens"),
        CrashField("contexts.app.app_build", .version, "in which versions it happens"),
        CrashField("contexts.runtime.name", .word, "under which runtime it happens"),
        CrashField("contexts.runtime.version", .version, "under which runtime it happens"),
        CrashField("sdk.name", .word, "who reported it"),
        CrashField("sdk.version", .version, "who reported it"),
    ]

    /// Of a message or a value.
    public static let maximumTextBytes = 1024
    /// Innermost frames that are kept of each exception.
    public static let maximumFrames = 40
    /// Exceptions of a chain that are kept, the last ones.
    public static let maximumExceptions = 5

    private static let frames = "exception.values[].stacktrace.frames[]."
}

/// A field of a crash report that the server keeps.
public struct CrashField: Sendable, Hashable {
    /// What values are taken, and what is done to them before anything else sees them.
    public enum Kind: Sendable, Hashable {
        /// Free text of at most so many bytes. Everything that looks personal or secret is masked.
        case text(maximumBytes: Int)
        /// A name out of the program, such as a function or a file. Addresses, mail addresses, query strings, known
        /// kinds of token and home directories are masked; long mangled names are left alone.
        case symbol(maximumBytes: Int)
        /// 1…32 letters, digits and `. _ -`; anything else is dropped.
        case word
        /// 1…40 letters, digits, blanks and `. _ + - ( )`; anything else is dropped.
        case version
        /// A version, a commit, or `package@version`; anything else is dropped.
        case release
        /// A whole number from 0 on.
        case number
        case flag
    }

    /// Where it stands in an event of the Sentry protocol, a list marked `[]`: `exception.values[].type`.
    public let path: String
    public let kind: Kind
    /// Why it is kept, in words for the privacy page.
    public let purpose: String

    init(_ path: String, _ kind: Kind, _ purpose: String) {
        self.path = path
        self.kind = kind
        self.purpose = purpose
    }
}

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

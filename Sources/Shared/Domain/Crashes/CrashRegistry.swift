/// The allow-list of crash report fields. Everything else is dropped before anything is stored: users, requests,
/// breadcrumbs, tags, variables, source lines, server names and more.
package enum CrashRegistry {
    /// Every field that is kept of a crash report.
    package static let fields: [CrashField] =
        ofEvents + frames(of: "exception.values[].stacktrace.") + frames(of: "stacktrace.") + ofContexts

    private static let ofEvents = [
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
    ]

    private static let ofContexts = [
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

    /// Maximum size of a message or value.
    package static let maximumTextBytes = 1024
    /// Number of innermost frames stored per exception.
    package static let maximumFrames = 40
    /// Number of exceptions stored per chain, counted from the last.
    package static let maximumExceptions = 5

    /// The fields of a frame. The stack trace of an event without an exception is that of its crashed or current
    /// thread.
    private static func frames(of trace: String) -> [CrashField] {
        [
            CrashField(trace + "frames[].function", .symbol(maximumBytes: 160), "where it happened"),
            CrashField(trace + "frames[].module", .symbol(maximumBytes: 160), "where it happened"),
            CrashField(trace + "frames[].filename", .symbol(maximumBytes: 160), "where it happened"),
            CrashField(trace + "frames[].lineno", .number, "where it happened"),
            CrashField(trace + "frames[].in_app", .flag, "whether the frame is the program's own"),
            CrashField(trace + "frames[].package", .symbol(maximumBytes: 160), "in which image it happened"),
            CrashField(trace + "frames[].image_offset", .number, "where in the image it happened"),
            CrashField(trace + "frames[].debug_id", .version, "which build of the image it is"),
            CrashField(trace + "frames[].arch", .word, "which build of the image it is"),
        ]
    }
}

/// A field of a crash report that the server stores.
package struct CrashField: Sendable, Hashable {
    /// The accepted values, and how they are masked before they are stored or logged.
    package enum Kind: Sendable, Hashable {
        /// Free text of at most `maximumBytes`. Anything that looks personal or secret is masked.
        case text(maximumBytes: Int)
        /// A name from the program, such as a function or a file. Addresses, email addresses, query strings, known
        /// token formats and home directories are masked; long mangled names are kept.
        case symbol(maximumBytes: Int)
        /// 1…32 letters, digits and `. _ -`; anything else is dropped.
        case word
        /// 1…40 letters, digits, blanks and `. _ + - ( )`; anything else is dropped.
        case version
        /// A version, a commit, or `package@version`; anything else is dropped.
        case release
        /// A whole number, 0 or greater.
        case number
        case flag
    }

    /// The path in a Sentry event; `[]` marks a list: `exception.values[].type`.
    package let path: String
    package let kind: Kind
    /// Why it is stored, as shown in the privacy report.
    package let purpose: String

    init(_ path: String, _ kind: Kind, _ purpose: String) {
        self.path = path
        self.kind = kind
        self.purpose = purpose
    }
}

/// The severity, in the words of the Sentry protocol.
public enum CrashLevel: String, Sendable, Hashable, CaseIterable {
    /// A detail for finding faults; the lowest severity.
    case debug
    /// Nothing is wrong.
    case info
    /// Unexpected, but nothing failed.
    case warning
    /// Something failed, and the program went on.
    case error
    /// The program ended.
    case fatal
}

/// Limits on crash reports and session counts.
package enum CrashLimits {
    /// Crashes, or session counts, in one request of `POST /api/v1/crashes`.
    package static let batchSize = 0...100
    /// Frames per crash in that call.
    package static let framesPerCrash = 0...CrashRegistry.maximumFrames
    /// Sessions per count in that call.
    package static let sessionsPerCount: ClosedRange<Int64> = 1...10_000
    /// Maximum distance of a start ahead of the server's clock: 24 hours.
    package static let maximumSecondsAhead: Int64 = 24 * 60 * 60
    /// Maximum distance of a crash or session start behind the server's clock, in days of 24 hours.
    package static let maximumDaysBehind = 30
    /// How long a session may be updated after it was first received, in days of 24 hours.
    package static let sessionUpdateDays = 5

    /// Whether a server accepts a timestamp received at `receivedAt`; both bounds are inclusive.
    package static func accepts(timestamp: UTCInstant, receivedAt: UTCInstant) -> Bool {
        timestamp >= receivedAt.adding(days: -maximumDaysBehind)
            && timestamp <= receivedAt.adding(seconds: maximumSecondsAhead)
    }
}

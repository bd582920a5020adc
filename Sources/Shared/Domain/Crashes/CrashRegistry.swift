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

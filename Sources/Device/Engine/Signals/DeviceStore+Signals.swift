import Foundation
public import SubGuardDomain

/// What is queued for the next report.
public struct SignalCounts: Sendable, Hashable {
    /// Ended sessions.
    public var sessions: Int
    /// Reports of crashes and handled errors, 20 at most.
    public var crashes: Int

    /// Takes the fields as they are; nothing is checked.
    public init(sessions: Int, crashes: Int) {
        self.sessions = sessions
        self.crashes = crashes
    }
}

/// Sessions of the app and its crash reports, until they are sent. They name no user, device or subscription.
///
/// They are files in a folder beside the database, so that a session costs no transaction and a crash is recorded
/// without one. Nothing is recorded once consent was revoked.
extension DeviceStore.Signals {
    /// Begins a session of this process and notes those that ended without ``RunningSession/end()``: one that ended
    /// by a signal of a fault counts as crashed and gets a crash report; others, such as those the system ended, count
    /// as sessions without a crash, unless they ran in the background.
    ///
    /// Returns nil when nothing is recorded: after consent was revoked, for a read-only database, or when the folder
    /// cannot be written.
    ///
    /// - Parameters:
    ///   - version: of the app, such as `1.4.0`: up to 96 letters, digits and ` ._+()/-`.
    ///   - name: what runs, in at most 64 bytes; the message of a crash report.
    ///   - watchesFaults: installs handlers for the signals of faults (SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT,
    ///     SIGFPE) that record the signal and then let it take its course. At most one session of a process has them.
    ///   - isBackground: work in the background is no use of the app, and counts only if it crashes.
    ///   - moment: the present time and zone.
    public func begin(
        version: String, name: String = "", watchesFaults: Bool = false, isBackground: Bool = false, at moment: Moment
    ) throws -> RunningSession? {
        guard try isRecording, CrashField.Kind.release.accepts(version) else { return nil }
        let folder = SignalFolder(folderPath)
        guard folder.make() else { return nil }
        folder.collectEnded(at: moment.now)
        guard
            let marker = SessionMarker(
                folder, id: store.makeID(moment), version: version, name: name, isBackground: isBackground,
                at: moment.now)
        else { return nil }
        if watchesFaults { FaultWatch.begin(marker.descriptor) }
        return RunningSession(
            folder: folder, marker: marker, startedAt: moment.now, version: version, isBackground: isBackground)
    }

    /// Queues a crash or a handled error. Texts are scrubbed of what looks personal or secret before they are stored.
    /// Of more than 20 reports the oldest are dropped. Does nothing where nothing is recorded.
    public func report(_ crash: CrashDetails, version: String, at moment: Moment) throws {
        guard try isRecording, CrashField.Kind.release.accepts(version) else { return }
        let folder = SignalFolder(folderPath)
        guard folder.make() else { return }
        try folder.add(crash, id: store.makeID(moment), version: version, at: moment.now)
    }

    /// What is queued to be sent.
    public func counts() -> SignalCounts { SignalFolder(folderPath).counts() }

    /// Ended sessions and crashes, in files that later sessions do not change, for
    /// ``settle(_:)`` once a server acknowledged them.
    package func batches(at moment: Moment) -> [SignalBatch] {
        SignalFolder(folderPath).batches(sealedAs: store.makeID(moment))
    }

    /// The same to be looked at: nothing is sealed, so those of the newest file have no id yet.
    package func preview() -> [SignalBatch] { SignalFolder(folderPath).preview() }

    /// Removes what a server acknowledged. Idempotent.
    package func settle(_ batch: SignalBatch) { SignalFolder(folderPath).remove(batch.file) }

    /// Removes everything recorded. Sessions that are running are not counted later.
    func forget() { SignalFolder(folderPath).empty() }

    private var folderPath: String { store.path + ".signals" }

    private var isRecording: Bool {
        get throws { try store.isWritable && store.analytics.consent() != .revoked }
    }
}

/// A session of this process. ``end()`` ends it; if the process ends before, the next session of the app notes that.
public final class RunningSession: Sendable {
    private let folder: SignalFolder
    private let marker: SessionMarker
    /// When it began.
    public let startedAt: UTCInstant
    /// Of the app.
    public let version: String
    private let isBackground: Bool

    init(folder: SignalFolder, marker: SessionMarker, startedAt: UTCInstant, version: String, isBackground: Bool) {
        self.folder = folder
        self.marker = marker
        self.startedAt = startedAt
        self.version = version
        self.isBackground = isBackground
    }

    /// Counts the session as ended without a crash, unless it ran in the background. Idempotent.
    public func end() {
        // Only who removes the marker counts the session.
        guard marker.remove(), !isBackground else { return }
        folder.noteEnded(EndedSession(startedAt: startedAt, isCrashed: false, version: version))
    }
}

/// A crash or a handled error, as an app knows it.
public struct CrashDetails: Sendable, Hashable {
    /// The cause, such as the name of a signal or an error type. At most 160 bytes are kept.
    public var type: String
    /// At most 1,024 bytes are kept.
    public var message: String?
    /// Fatal by default.
    public var level: CrashLevel
    /// Whether the app went on.
    public var isHandled: Bool
    /// Innermost first; at most 40 are kept.
    public var frames: [Frame]
    /// Such as `ios`.
    public var platform: String?
    /// Such as `17.5`.
    public var osVersion: String?

    /// One call on the stack.
    public struct Frame: Sendable, Hashable {
        /// The function, as the system names it.
        public var function: String?
        /// The binary.
        public var module: String?
        /// In the source.
        public var line: Int64?
        /// Whether the frame belongs to the app itself.
        public var isOwn: Bool?

        /// Takes the fields as they are; they are cut and scrubbed when the crash is reported.
        public init(function: String?, module: String? = nil, line: Int64? = nil, isOwn: Bool? = nil) {
            self.function = function
            self.module = module
            self.line = line
            self.isOwn = isOwn
        }
    }

    /// Takes the fields as they are; they are cut and scrubbed when the crash is reported.
    public init(
        type: String, message: String? = nil, level: CrashLevel = .fatal, isHandled: Bool = false, frames: [Frame] = [],
        platform: String? = nil, osVersion: String? = nil
    ) {
        self.type = type
        self.message = message
        self.level = level
        self.isHandled = isHandled
        self.frames = frames
        self.platform = platform
        self.osVersion = osVersion
    }
}

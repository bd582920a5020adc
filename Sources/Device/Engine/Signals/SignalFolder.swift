import CFileStatus
import FileAccess
package import Foundation
package import JSONWire
package import SubGuardDomain

/// A session that has ended.
package struct EndedSession: Sendable, Hashable {
    package let startedAt: UTCInstant
    package let isCrashed: Bool
    package let version: String

    init(startedAt: UTCInstant, isCrashed: Bool, version: String) {
        self.startedAt = startedAt
        self.isCrashed = isCrashed
        self.version = version
    }

    /// The hour in which it began, which is all that is sent.
    package var hour: UTCInstant { startedAt.startOfHour }

    /// `1732000000000 0 1.4.0`
    init?(line: Substring) {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let start = Int64(parts[0]), CrashField.Kind.release.accepts(String(parts[2])) else {
            return nil
        }
        self.init(
            startedAt: UTCInstant(millisecondsSinceEpoch: start), isCrashed: parts[1] == "1", version: String(parts[2]))
    }

    var line: String { "\(startedAt.millisecondsSinceEpoch) \(isCrashed ? 1 : 0) \(version)\n" }
}

/// Signals of one file.
package struct SignalBatch: Sendable {
    package enum Content: Sendable {
        /// In the order in which they ended.
        case sessions([EndedSession])
        /// The object that the server's contract names `Crash`, as stored.
        case crash(JSONObject)
    }

    let file: String
    /// Of the file; what is sent has ids derived from it, so that it counts once however often it is sent. Nil for a
    /// file that is still written.
    package let id: UUID?
    package let content: Content
}

/// The folder beside the database:
/// - `running-<id>`: the marker of a session, locked by its process (``SessionMarker``);
/// - `ended`: a line for each session that has ended;
/// - `sessions-<id>`: the same, renamed to be sent;
/// - `crash-<id>`: a crash report.
///
/// Failures to write are ignored: a full disk must not fail what the user is doing.
struct SignalFolder: Sendable {
    let path: String

    /// About 6,000 sessions; further ones are not counted until a server has answered.
    private static let maximumEndedBytes = 160 << 10
    private static let maximumCrashes = 20

    init(_ path: String) { self.path = path }

    func make() -> Bool { PrivateFolder.make(path) }

    func file(_ name: String) -> String { path + "/" + name }

    func remove(_ name: String) { unlink(file(name)) }

    /// The names with a prefix, sorted.
    func names(_ prefix: String) -> [String] {
        PrivateFolder.names(in: path).filter { $0.hasPrefix(prefix) }.sorted()
    }

    func empty() {
        for prefix in ["running-", "sessions-", "crash-"] { names(prefix).forEach(remove) }
        remove("ended")
    }

    // MARK: Sessions

    func noteEnded(_ session: EndedSession) {
        withEnded(create: true) { descriptor in
            var status = file_status()
            guard file_status_of_descriptor(descriptor, &status), status.byte_count < Self.maximumEndedBytes else {
                return
            }
            let line = Array(session.line.utf8)
            _ = write(descriptor, line, line.count)
        }
    }

    /// Runs `body` with the file `ended` open and locked, so that none is added to a file that is being renamed.
    private func withEnded(create: Bool, _ body: (Int32) -> Void) {
        guard PrivateFolder.isOwn(path) else { return }
        for _ in 0..<100 {
            let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (create ? O_CREAT : 0)
            let descriptor = open(file("ended"), flags, 0o600)
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX) == 0 else { return }
            var opened = file_status()
            var named = file_status()
            guard file_status_of_descriptor(descriptor, &opened), opened.is_regular else { return }
            // Renamed while this process waited for the lock: once more with the new one.
            guard file_status_of_link(file("ended"), &named), named.number == opened.number else { continue }
            return body(descriptor)
        }
    }

    /// Counts the sessions whose process is gone.
    func collectEnded(at now: UTCInstant) {
        for name in names("running-") {
            guard let (marker, text) = SessionMarker.abandoned(file(name)), marker.remove() else { continue }
            guard let ended = AbandonedSession(text), ended.fault != nil || !ended.isBackground else { continue }
            noteEnded(ended.session)
            guard let fault = ended.fault, let id = UUID(strict: String(name.dropFirst("running-".count))) else {
                continue
            }
            let message = ended.name.isEmpty ? nil : ended.name
            try? add(
                CrashDetails(type: fault, message: message, platform: Self.platform), id: id,
                version: ended.session.version,
                // When the signal was recorded; not after now, should the clock have been ahead.
                at: min(marker.modifiedAt ?? now, now))
        }
    }

    private static var platform: String {
        #if os(Linux)
            "linux"
        #elseif os(macOS)
            "macos"
        #else
            "ios"
        #endif
    }

    // MARK: Crashes

    /// - Parameter id: of the file, in the order of time. What is sent has a random one, which tells nothing, and is
    ///   chosen here, so that the report counts once however often it is sent.
    func add(_ crash: CrashDetails, id: UUID, version: String, at instant: UTCInstant) throws {
        for name in names("crash-").dropLast(Self.maximumCrashes - 1) { remove(name) }
        let object = crash.object(id: UUID(), version: version, at: instant.startOfHour)
        try WholeFile.write(JSONValue.object(object).serialized(), to: file("crash-\(id.lowercased)"))
    }

    // MARK: Sending

    func counts() -> SignalCounts {
        let sessions = (names("sessions-") + ["ended"]).reduce(0) { $0 + self.sessions(of: $1).count }
        return SignalCounts(sessions: sessions, crashes: names("crash-").count)
    }

    func batches(sealedAs id: UUID) -> [SignalBatch] {
        withEnded(create: false) { _ in _ = rename(file("ended"), file("sessions-\(id.lowercased)")) }
        return sealed()
    }

    /// What ``batches(sealedAs:)`` would give, without sealing anything.
    func preview() -> [SignalBatch] {
        let open = sessions(of: "ended")
        return sealed() + (open.isEmpty ? [] : [SignalBatch(file: "ended", id: nil, content: .sessions(open))])
    }

    private func sealed() -> [SignalBatch] {
        let sessions = names("sessions-").compactMap { name in
            UUID(strict: String(name.dropFirst("sessions-".count))).map {
                SignalBatch(file: name, id: $0, content: .sessions(self.sessions(of: name)))
            }
        }
        return sessions
            + names("crash-").compactMap { name in
                guard let id = UUID(strict: String(name.dropFirst("crash-".count))) else { return nil }
                let object = bytes(of: name).flatMap { try? JSONValue.parse($0).objectValue }
                return SignalBatch(file: name, id: id, content: .crash(object ?? JSONObject()))
            }
    }

    private func sessions(of name: String) -> [EndedSession] {
        guard let bytes = bytes(of: name) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap(EndedSession.init(line:))
    }

    /// Of a regular file in this user's own folder; nil for anything else, such as a pipe, which would be waited for.
    private func bytes(of name: String) -> [UInt8]? {
        guard PrivateFolder.isOwn(path) else { return nil }
        return try? OpenFolder(FilePath.target(of: path)).open(name).bytes(maximumBytes: 1 << 20)
    }
}

extension UTCInstant {
    /// Times of sessions and crashes are no finer, so that they match no event.
    fileprivate var startOfHour: UTCInstant {
        UTCInstant(secondsSinceEpoch: secondsSinceEpoch - (secondsSinceEpoch % 3600 + 3600) % 3600)
    }
}

extension CrashDetails {
    /// The object of the contract, scrubbed. A text that is not of its field's kind is left out.
    fileprivate func object(id: UUID, version: String, at instant: UTCInstant) -> JSONObject {
        var scrubber = CrashScrubber()
        func kept(_ text: String?, _ path: String) -> JSONValue? {
            text.flatMap { text in CrashField.kept(at: path)?.kind.scrubbed(text, &scrubber) }.map { .string($0) }
        }
        var object: JSONObject = [
            "id": .string(id.lowercased), "timestamp": .string(instant.rfc3339),
            "type": kept(type, "exception.values[].type") ?? "unknown", "level": .string(level.rawValue),
            "handled": .bool(isHandled), "app_version": .string(version),
        ]
        let frames = frames.prefix(CrashRegistry.maximumFrames).compactMap { frame -> JSONValue? in
            var object = JSONObject()
            let place = "exception.values[].stacktrace.frames[]."
            if let function = kept(frame.function, place + "function") { object.set("function", function) }
            if let module = kept(frame.module, place + "module") { object.set("module", module) }
            if let line = frame.line, line >= 0 { object.set("line", .integer(line)) }
            if let isOwn = frame.isOwn { object.set("in_app", .bool(isOwn)) }
            return object.members.isEmpty ? nil : .object(object)
        }
        let optional = [
            ("message", kept(message, "exception.values[].value")), ("platform", kept(platform, "platform")),
            ("os_version", kept(osVersion, "contexts.os.version")), ("frames", frames.isEmpty ? nil : .array(frames)),
        ]
        for case (let name, let value?) in optional { object.set(name, value) }
        return object
    }
}

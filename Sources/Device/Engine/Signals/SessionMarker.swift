import CFileStatus
import Foundation
import SubGuardDomain

/// The file that stands for a running session. Its process holds a lock on it, which the system releases when the
/// process ends, however it ends.
final class SessionMarker: Sendable {
    let path: String
    let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        FaultWatch.end(descriptor)
        close(descriptor)
    }

    /// Makes and locks the marker; nil when it cannot be written.
    convenience init?(
        _ folder: SignalFolder, id: UUID, version: String, name: String, isBackground: Bool, at now: UTCInstant
    ) {
        let path = folder.file("running-\(id.lowercased)")
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        self.init(path: path, descriptor: descriptor)
        let name = String(decoding: name.utf8.prefix(64), as: UTF8.self).split(separator: "\n").first ?? ""
        let mark = isBackground ? "background\n" : ""
        let line = Array("\(now.millisecondsSinceEpoch) \(version)\n\(name)\n\(mark)".utf8)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, write(descriptor, line, line.count) == line.count else {
            unlink(path)
            return nil
        }
    }

    /// The marker of a process that is gone, and its text. Nil for one that runs.
    static func abandoned(_ path: String) -> (SessionMarker, String)? {
        let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let marker = SessionMarker(path: path, descriptor: descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        // Empty: between being made and being locked, by a process that runs.
        guard count > 0 else { return nil }
        return (marker, String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// Returns false when another process removed it before, and counted the session.
    func remove() -> Bool {
        var status = file_status()
        // Only the holder of the lock removes it, so it cannot go between the two calls.
        guard file_status_of_descriptor(descriptor, &status), status.link_count > 0 else { return false }
        return unlink(path) == 0
    }

    /// When it was last written to.
    var modifiedAt: UTCInstant? {
        var status = file_status()
        guard file_status_of_descriptor(descriptor, &status) else { return nil }
        return UTCInstant(
            millisecondsSinceEpoch: status.modified_seconds * 1000 + status.modified_nanoseconds / 1_000_000)
    }
}

/// What a marker says about a session that did not end by itself.
struct AbandonedSession {
    let session: EndedSession
    let name: String
    /// Whether it counts only with a fault.
    let isBackground: Bool
    /// The name of the signal that ended it, such as `SIGSEGV`; nil when none was recorded.
    let fault: String?

    /// The lines are `start version`, the name, `background` if it was, and `signal N` if there was one.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 2, let start = lines[0].split(separator: " ", maxSplits: 1).first.flatMap({ Int64($0) })
        else { return nil }
        let version = lines[0].drop { $0 != " " }.dropFirst()
        guard CrashField.Kind.release.accepts(String(version)) else { return nil }
        name = String(lines[1])
        isBackground = lines[2...].contains("background")
        fault = lines.dropFirst(2).first { $0.hasPrefix("signal ") }
            .flatMap { Int32($0.dropFirst("signal ".count)) }.map { FaultWatch.name(of: $0) }
        session = EndedSession(
            startedAt: UTCInstant(millisecondsSinceEpoch: start), isCrashed: fault != nil, version: String(version))
    }
}

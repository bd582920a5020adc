import Foundation

/// The folder of a demo. It is locked while this value exists, and only a folder that a demo made is used or removed.
final class DemoFolder {
    private let folder: URL
    private var lock: Int32 = -1

    /// Absolute.
    var path: String { folder.path }

    private var mark: URL { folder.appendingPathComponent(".subguard-demo") }
    private var filled: URL { folder.appendingPathComponent("filled") }

    init(_ path: String) throws {
        folder = URL(fileURLWithPath: path)
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        guard FileManager.default.fileExists(atPath: mark.path) else {
            throw DemoFault("\(folder.path) is not the folder of a demo; it is left as it is")
        }
        try takeLock()
    }

    deinit { if lock >= 0 { close(lock) } }

    /// Whether a demo was sent to its end.
    var isFilled: Bool { FileManager.default.fileExists(atPath: filled.path) }

    /// Makes the folder; a demo that was not filled to its end begins again. Returns the path of its database.
    func prepare() throws -> String {
        if !isFilled {
            try remove()
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data().write(to: mark)
            try takeLock()
        }
        return folder.appendingPathComponent("subguard.sqlite").path
    }

    func markFilled() throws { try Data().write(to: filled) }

    func remove() throws {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        try FileManager.default.removeItem(at: folder)
    }

    private func takeLock() throws {
        if lock >= 0 { close(lock) }
        lock = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw DemoFault("the demo in \(folder.path) is running; stop it with Ctrl-C first")
        }
    }
}

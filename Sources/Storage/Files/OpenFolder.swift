package import CFileStatus
import Foundation

/// An open folder, with operations that are safe even while others change it.
///
/// Every name is resolved in the open folder, never by a path, and symbolic links are not followed. Files are opened
/// without blocking, and used only if they are regular and have a single hard link.
///
/// Root opens folders component by component and follows a link only if only root could have created it. Names must not
/// contain a slash.
package final class OpenFolder: Sendable {
    /// The path as given, for messages.
    package let path: String
    /// Whether only root can change the folder while the process has another user's rights. Other parts of the program,
    /// such as SQLite, then cannot open files in it by path.
    package var needsRoot: Bool { actsAsRoot && ProcessIdentity.canActAsRoot }
    let descriptor: Int32
    /// Whether each call regains root's rights.
    let actsAsRoot: Bool

    init(path: String, descriptor: Int32, actsAsRoot: Bool) {
        self.path = path
        self.descriptor = descriptor
        self.actsAsRoot = actsAsRoot
    }

    deinit { close(descriptor) }

    // MARK: - What is there

    /// Owner and permissions of the folder itself.
    package func status() throws(FileFailure) -> file_status {
        var status = file_status()
        guard file_status_of_descriptor(descriptor, &status) else { throw FileFailure(path: path, errno: errno) }
        return status
    }

    /// The status of an entry; nil if there is none or it cannot be read. Does not follow symbolic links.
    package func status(of name: String) -> file_status? {
        act {
            var status = file_status()
            return file_status_in(descriptor, name, &status) ? status : nil
        }
    }

    package func contains(_ name: String) -> Bool { status(of: name) != nil }

    /// The names in the folder, unordered; empty if it cannot be read.
    package func names() -> [String] {
        act {
            let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard copy >= 0 else { return [] }
            guard let stream = fdopendir(copy) else {
                close(copy)
                return []
            }
            defer { closedir(stream) }
            var names: [String] = []
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != ".", name != ".." { names.append(name) }
            }
            return names
        }
    }

    // MARK: - Files

    /// Opens a file. Throws ``FileFailure`` for a link, for anything but a regular file, and for several hard links.
    package func open(_ name: String, writes: Bool = false) throws(FileFailure) -> OpenFile {
        let flags = (writes ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        return try file(name, openat: act { withErrno { openat(descriptor, name, flags) } })
    }

    /// Creates a file under an unused name. ``finish(_:)`` sets its owner.
    package func create(_ name: String, mode: UInt32 = 0o600) throws(FileFailure) -> OpenFile {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        return try file(name, openat: act { withErrno { openat(descriptor, name, flags, mode_t(mode)) } })
    }

    /// Syncs a new file to disk and, as the last step, gives it to the owner of the folder if root created it in
    /// another user's folder.
    package func finish(_ file: OpenFile) throws(FileFailure) {
        try file.synchronize()
        let folder = try status()
        guard geteuid() == 0, folder.owner != 0 else { return }
        guard fchown(file.descriptor, folder.owner, folder.group) == 0 else {
            throw FileFailure(path: file.path, errno: errno)
        }
    }

    /// Throws ``FileFailure`` unless the name is unused or refers to a regular file with a single hard link. For files
    /// that are opened by path elsewhere.
    package func requirePlainFile(_ name: String) throws(FileFailure) {
        guard let status = status(of: name) else { return }
        try Self.requirePlain(status, path(of: name))
    }

    private func file(_ name: String, openat result: (descriptor: Int32, errno: Int32)) throws(FileFailure) -> OpenFile
    {
        guard result.descriptor >= 0 else { throw failure(name, result.errno) }
        let file = OpenFile(path: path(of: name), descriptor: result.descriptor)
        try Self.requirePlain(file.status(), file.path)
        return file
    }

    private static func requirePlain(_ status: file_status, _ path: String) throws(FileFailure) {
        guard !status.is_symbolic_link else { throw FileFailure(path: path, reason: .symbolicLink) }
        guard status.is_regular else { throw FileFailure(path: path, reason: .notAFile) }
        guard status.link_count <= 1 else {
            throw FileFailure(path: path, reason: .hardLinks(Int(clamping: status.link_count)))
        }
    }

    // MARK: - Folders in it

    /// Opens a folder in this one.
    package func folder(_ name: String) throws(FileFailure) -> OpenFolder {
        let result = act { withErrno { openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) } }
        guard result.descriptor >= 0 else { throw failure(name, result.errno) }
        let inner = OpenFolder(path: path(of: name), descriptor: result.descriptor, actsAsRoot: false)
        // Root's rights are only used for folders that only root can change.
        guard actsAsRoot, let status = try? inner.status(), status.owner == 0, status.permissions & 0o022 == 0 else {
            return inner
        }
        return OpenFolder(path: inner.path, descriptor: fcntl(inner.descriptor, F_DUPFD_CLOEXEC, 0), actsAsRoot: true)
    }

    /// Creates a folder with access for its owner only, or opens the existing one. A folder created by root in another
    /// user's folder belongs to that user.
    package func makeFolder(_ name: String) throws(FileFailure) -> OpenFolder {
        let result = act { withErrno { mkdirat(descriptor, name, 0o700) } }
        guard result.descriptor == 0 else {
            guard result.errno == EEXIST else { throw failure(name, result.errno) }
            return try folder(name)
        }
        let made = try folder(name)
        let (above, status) = (try status(), try made.status())
        // Empty and owned by root: just created, or equivalent.
        if geteuid() == 0, above.owner != 0, status.owner == 0, made.names().isEmpty,
            fchown(made.descriptor, above.owner, above.group) != 0
        {
            throw FileFailure(path: made.path, errno: errno)
        }
        return made
    }

    // MARK: - Names

    /// Renames a file or folder, replacing an existing file, and syncs the name to disk.
    package func rename(_ name: String, to target: OpenFolder, as newName: String) throws(FileFailure) {
        // With root's rights only if only root can change both folders.
        let call = { self.withErrno { renameat(self.descriptor, name, target.descriptor, newName) } }
        let result = target.actsAsRoot ? act(call) : call()
        guard result.descriptor == 0 else { throw FileFailure(path: target.path(of: newName), errno: result.errno) }
        try target.synchronize()
    }

    /// Gives two names each other's files at once, and syncs them to disk. On a file system that cannot do that, the
    /// first name has no file for a moment.
    package func exchange(_ name: String, with other: String) throws(FileFailure) {
        let result = act { withErrno { file_exchange(descriptor, name, other) } }
        guard result.descriptor != 0 else { return try synchronize() }
        guard [EINVAL, ENOSYS, ENOTSUP].contains(result.errno) else {
            throw FileFailure(path: path(of: name), errno: result.errno)
        }
        let spare = "\(other).exchanged"
        try rename(name, to: self, as: spare)
        try rename(other, to: self, as: name)
        try rename(spare, to: self, as: other)
    }

    /// Deletes a file, or a link itself. Returns whether it was deleted.
    @discardableResult
    package func remove(_ name: String) -> Bool { act { unlinkat(descriptor, name, 0) == 0 } }

    /// Deletes a file, or a folder with everything in it. Links themselves are deleted. Ignores missing entries and
    /// entries that cannot be deleted.
    package func removeTree(_ name: String) { removeTree(name, depth: 0) }

    private func removeTree(_ name: String, depth: Int) {
        guard !remove(name), depth < 64, let inner = try? folder(name) else { return }
        for each in inner.names() { inner.removeTree(each, depth: depth + 1) }
        _ = act { unlinkat(descriptor, name, AT_REMOVEDIR) }
    }

    /// Sets the modification time to now.
    package func touch(_ name: String) { _ = act { utimensat(descriptor, name, nil, AT_SYMLINK_NOFOLLOW) } }

    /// Syncs the names in the folder to disk.
    package func synchronize() throws(FileFailure) {
        guard fsync(descriptor) == 0 else { throw FileFailure(path: path, errno: errno) }
    }

    package func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

    // MARK: - Calls of the system

    /// Why a name could not be opened, according to its current status.
    private func failure(_ name: String, _ number: Int32) -> FileFailure {
        let path = path(of: name)
        guard number != EEXIST, let status = status(of: name) else { return FileFailure(path: path, errno: number) }
        if status.is_symbolic_link { return FileFailure(path: path, reason: .symbolicLink) }
        if number == ENOTDIR { return FileFailure(path: path, reason: .notAFolder) }
        // Checked even without access rights, because an unsafe file matters more.
        do {
            if !status.is_folder || number == EISDIR { try Self.requirePlain(status, path) }
            return FileFailure(path: path, errno: number)
        } catch {
            return error
        }
    }

    private func act<Result>(_ body: () -> Result) -> Result {
        needsRoot ? ProcessIdentity.asRoot(body) : body()
    }

    private func withErrno(_ call: () -> Int32) -> (descriptor: Int32, errno: Int32) {
        let result = call()
        return (result, errno)
    }
}

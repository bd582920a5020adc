package import CFileStatus
import Foundation

/// An open folder, and safe operations in it even when others change it at the same time.
///
/// Every name is looked up in the open folder, never by a path, and no symbolic link is followed: a link, old or new,
/// leads nowhere else. Files are opened without waiting and used only when they are regular and have one name.
///
/// Root opens folders component by component and follows a link only where root alone could have made it. Names must
/// not contain a slash.
package final class OpenFolder: Sendable {
    /// As it was given, for messages.
    package let path: String
    /// Whether only root can change the folder while the process has another user's rights: then other parts of the
    /// program, such as SQLite, cannot open files in it by path.
    package var needsRoot: Bool { actsAsRoot && ProcessIdentity.canActAsRoot }
    let descriptor: Int32
    /// Whether root's rights are taken for each call.
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

    /// What a name stands for; nil when there is nothing, or it cannot be told. A symbolic link is not followed.
    package func status(of name: String) -> file_status? {
        act {
            var status = file_status()
            return file_status_in(descriptor, name, &status) ? status : nil
        }
    }

    package func contains(_ name: String) -> Bool { status(of: name) != nil }

    /// The names in the folder, in no order; none where it cannot be read.
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

    /// Opens a file. Throws ``FileFailure`` for a link, for what is no regular file, and for one with several names.
    package func open(_ name: String, writes: Bool = false) throws(FileFailure) -> OpenFile {
        let flags = (writes ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        return try file(name, openat: act { withErrno { openat(descriptor, name, flags) } })
    }

    /// Creates a file under a free name. ``finish(_:)`` gives it its owner.
    package func create(_ name: String, mode: UInt32 = 0o600) throws(FileFailure) -> OpenFile {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        return try file(name, openat: act { withErrno { openat(descriptor, name, flags, mode_t(mode)) } })
    }

    /// Waits until a new file is on disk and, as the last step, gives it to the owner of the folder when root made it
    /// in the folder of another user.
    package func finish(_ file: OpenFile) throws(FileFailure) {
        try file.synchronize()
        let folder = try status()
        guard geteuid() == 0, folder.owner != 0 else { return }
        guard fchown(file.descriptor, folder.owner, folder.group) == 0 else {
            throw FileFailure(path: file.path, errno: errno)
        }
    }

    /// Throws ``FileFailure`` unless the name is free, or stands for a regular file with no other name. For files that
    /// are opened by path elsewhere.
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
        // Root's rights are for folders that root alone can change.
        guard actsAsRoot, let status = try? inner.status(), status.owner == 0, status.permissions & 0o022 == 0 else {
            return inner
        }
        return OpenFolder(path: inner.path, descriptor: fcntl(inner.descriptor, F_DUPFD_CLOEXEC, 0), actsAsRoot: true)
    }

    /// Makes a folder that only its owner may enter, or opens the one that is there. What root makes in the folder of
    /// another user belongs to that user.
    package func makeFolder(_ name: String) throws(FileFailure) -> OpenFolder {
        let result = act { withErrno { mkdirat(descriptor, name, 0o700) } }
        guard result.descriptor == 0 else {
            guard result.errno == EEXIST else { throw failure(name, result.errno) }
            return try folder(name)
        }
        let made = try folder(name)
        let (above, status) = (try status(), try made.status())
        // Empty and root's: it is the one that was just made, or as good as that.
        if geteuid() == 0, above.owner != 0, status.owner == 0, made.names().isEmpty,
            fchown(made.descriptor, above.owner, above.group) != 0
        {
            throw FileFailure(path: made.path, errno: errno)
        }
        return made
    }

    // MARK: - Names

    /// Gives a file or folder another name, in the place of the file that bears it, and waits until the name is on
    /// disk.
    package func rename(_ name: String, to target: OpenFolder, as newName: String) throws(FileFailure) {
        // With root's rights only between two folders that root alone can change.
        let call = { self.withErrno { renameat(self.descriptor, name, target.descriptor, newName) } }
        let result = target.actsAsRoot ? act(call) : call()
        guard result.descriptor == 0 else { throw FileFailure(path: target.path(of: newName), errno: result.errno) }
        try target.synchronize()
    }

    /// Removes a file, or a link itself. Returns whether it was there and went.
    @discardableResult
    package func remove(_ name: String) -> Bool { act { unlinkat(descriptor, name, 0) == 0 } }

    /// Removes a file, or a folder with everything in it. Links are removed themselves. Does nothing when it is gone;
    /// what cannot be removed stays.
    package func removeTree(_ name: String) { removeTree(name, depth: 0) }

    private func removeTree(_ name: String, depth: Int) {
        guard !remove(name), depth < 64, let inner = try? folder(name) else { return }
        for each in inner.names() { inner.removeTree(each, depth: depth + 1) }
        _ = act { unlinkat(descriptor, name, AT_REMOVEDIR) }
    }

    /// Marks a file as modified now.
    package func touch(_ name: String) { _ = act { utimensat(descriptor, name, nil, AT_SYMLINK_NOFOLLOW) } }

    /// Waits until the names in the folder are on disk.
    package func synchronize() throws(FileFailure) {
        guard fsync(descriptor) == 0 else { throw FileFailure(path: path, errno: errno) }
    }

    package func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

    // MARK: - Calls of the system

    /// Why a name could not be opened, as it stands now.
    private func failure(_ name: String, _ number: Int32) -> FileFailure {
        let path = path(of: name)
        guard number != EEXIST, let status = status(of: name) else { return FileFailure(path: path, errno: number) }
        if status.is_symbolic_link { return FileFailure(path: path, reason: .symbolicLink) }
        if number == ENOTDIR { return FileFailure(path: path, reason: .notAFolder) }
        // Also for a file that the process may not open: why it is there matters more than that.
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

import CFileStatus
import Foundation

/// Root's walk along a path, one open folder at a time.
final class FolderWalk {
    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    /// The maximum number of links, as on Linux.
    private static let maximumLinks = 40

    private let path: String
    private var descriptor: Int32
    /// The remaining components in reverse order.
    private var components: [String]
    private var links = 0
    /// Status of the current folder.
    private(set) var status = file_status()
    /// The last folder on the path owned by a user other than root, if any.
    private(set) var folderOfAnother: String?
    /// Whether every folder on the path belongs to root and only root may write to it. A sticky folder such as /tmp is
    /// accepted on the way, because only root can replace root's folders in it, but not as the last folder.
    private(set) var isRootsAlone = true
    private var walked = ""

    init(_ path: String) throws(FileFailure) {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw FileFailure(path: path, errno: ENOENT) }
        self.path = path
        components = path.split(separator: "/").reversed().map(String.init)
        descriptor = Foundation.open(path.hasPrefix("/") ? "/" : ".", Self.flags & ~O_NOFOLLOW)
        guard descriptor >= 0 else { throw FileFailure(path: path, errno: errno) }
        if path.hasPrefix("/") { walked = "/" }
        try look()
        // The start of a relative path need not be root's.
        if !path.hasPrefix("/") { isRootsAlone = false }
    }

    deinit { close(descriptor) }

    /// Walks to the end. Throws ``FileFailure``.
    func finish() throws(FileFailure) {
        while try enter() {}
        if status.permissions & 0o022 != 0 { isRootsAlone = false }
    }

    /// Walks as far as folders exist.
    func goAsFarAsPossible() throws(FileFailure) {
        do {
            try finish()
        } catch  where error.errno == ENOENT {
            return
        }
    }

    func openForReading() throws(FileFailure) -> Int32 {
        let result = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard result >= 0 else { throw FileFailure(path: path, errno: errno) }
        return result
    }

    /// Enters the next folder; returns false at the end.
    private func enter() throws(FileFailure) -> Bool {
        guard let name = components.popLast() else { return false }
        let next = openat(descriptor, name, Self.flags)
        if next >= 0 {
            close(descriptor)
            descriptor = next
            walked += (walked.isEmpty || walked.hasSuffix("/") ? "" : "/") + name
            try look()
            return true
        }
        let reason = errno
        var found = file_status()
        guard file_status_in(descriptor, name, &found) else { throw FileFailure(path: path, errno: reason) }
        guard found.is_symbolic_link else { throw FileFailure(path: path, reason: .notAFolder) }
        guard status.owner == 0, status.permissions & 0o022 == 0, found.owner == 0, links < Self.maximumLinks else {
            let place = walked + (walked.isEmpty || walked.hasSuffix("/") ? "" : "/") + name
            throw FileFailure(path: place, reason: .symbolicLink)
        }
        try follow(name)
        return true
    }

    private func follow(_ name: String) throws(FileFailure) {
        links += 1
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlinkat(descriptor, name, &buffer, buffer.count - 1)
        guard count > 0 else { throw FileFailure(path: path, errno: errno) }
        let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        components += target.split(separator: "/").reversed().map(String.init)
        guard target.hasPrefix("/") else { return }
        let top = Foundation.open("/", Self.flags)
        guard top >= 0 else { throw FileFailure(path: path, errno: errno) }
        close(descriptor)
        descriptor = top
        walked = "/"
        try look()
    }

    private func look() throws(FileFailure) {
        guard file_status_of_descriptor(descriptor, &status) else { throw FileFailure(path: path, errno: errno) }
        if status.owner != 0 { folderOfAnother = walked.isEmpty ? "." : walked }
        let isSticky = status.permissions & 0o1000 != 0
        if status.owner != 0 || (status.permissions & 0o022 != 0 && !isSticky) { isRootsAlone = false }
    }
}

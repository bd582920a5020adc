import CFileStatus
import Foundation

/// Why a file or folder was rejected, with its path.
package struct FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// What the system said.
        case system(Int32)
        case symbolicLink
        /// A folder, a pipe, a device or a socket stands where a file is expected.
        case notAFile
        case notAFolder
        /// Other names lead to the same file, so that a change made here shows there.
        case hardLinks(Int)
        /// The folder's owner could replace it while root works in it.
        case insideFolderOfAnotherUser(folder: String)
        /// Others replaced the file again and again while it was opened.
        case keepsChanging
        case tooLarge(maximumBytes: Int)
    }

    package let path: String
    package let reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// - Parameter errno: what the system said.
    package init(path: String, errno: Int32) { self.init(path: path, reason: .system(errno)) }

    /// What the system said; 0 for a reason of our own.
    package var errno: Int32 {
        if case .system(let number) = reason { return number }
        return 0
    }

    /// Whether something stands at the path that must not be used, whatever the rights of the process.
    package var isUnsafe: Bool {
        if case .system = reason { return false }
        return true
    }

    package var description: String {
        switch reason {
        case .system(let number): "\(path): \(String(cString: strerror(number)))"
        case .symbolicLink: "\(path) is a symbolic link"
        case .notAFile: "\(path) is not a regular file"
        case .notAFolder: "\(path) is not a folder"
        case .hardLinks(let count): "\(path) has \(count) hard links; a file with one name is needed"
        case .insideFolderOfAnotherUser(let folder):
            "\(path) belongs to root, but the folder \(folder) above it belongs to another user, who could replace it"
        case .keepsChanging: "\(path) keeps being replaced by another process"
        case .tooLarge(let maximum): "\(path) is larger than \(maximum) bytes"
        }
    }
}

/// The user whose rights root assumes for the files of a store.
package struct FileRights: Sendable, Hashable {
    package let user: UInt32
    /// Of the folder, for a user that the user database does not know.
    package let group: UInt32

    /// Finds the user to whom a file belongs, or will belong: the owner of its folder, or of the nearest folder above
    /// it that is there. In a folder of root to which others may write, the owner of the file itself.
    ///
    /// Throws ``FileFailure`` for a link that root must not follow, and for a folder of root below one of another user,
    /// who could replace it. Call it as root.
    package init(ofFile path: String) throws(FileFailure) {
        let (folder, name) = FilePath.split(path)
        let walk = try FolderWalk(folder)
        try walk.goAsFarAsPossible()
        if walk.status.owner != 0 {
            (user, group) = (walk.status.owner, walk.status.group)
            return
        }
        if let above = walk.folderOfAnother {
            throw FileFailure(path: folder, reason: .insideFolderOfAnotherUser(folder: above))
        }
        let open = try? OpenFolder(folder)
        if walk.status.permissions & 0o022 != 0, let file = open?.status(of: name), file.is_regular,
            file.link_count == 1
        {
            (user, group) = (file.owner, file.group)
        } else {
            (user, group) = (0, 0)
        }
    }
}

/// The user whose rights the process has.
///
/// A command that root runs on the store of a service takes the service's rights before it touches a file of it. The
/// kernel then refuses whatever the service itself could not do, wherever a link or a race leads.
package enum ProcessIdentity {
    /// Takes the rights of a user. Does nothing unless the effective user is root, and for root.
    ///
    /// Supplementary groups are dropped; the group is the user's primary one, or `folderGroup` for a user without an
    /// entry in the user database.
    ///
    /// - Parameter permanently: whether root's rights cannot be taken again, as a server wants it. Without it
    ///   ``OpenFolder`` takes them for folders that only root can change, such as `/root/backups`.
    package static func assume(user: UInt32, folderGroup: UInt32, permanently: Bool) throws(FileFailure) {
        guard geteuid() == 0, user != 0 else { return }
        let group = getpwuid(user)?.pointee.pw_gid ?? folderGroup
        var isDone = setgroups(0, nil) == 0
        if permanently {
            isDone = isDone && setgid(group) == 0 && setuid(user) == 0
        } else {
            isDone = isDone && setegid(group) == 0 && seteuid(user) == 0
        }
        guard isDone, geteuid() == user, !permanently || getuid() == user else {
            throw FileFailure(path: "user \(user)", errno: errno)
        }
    }

    /// Whether the process gave up root's rights for the time being.
    static var canActAsRoot: Bool { geteuid() != 0 && getuid() == 0 }

    /// Runs `body` with root's rights. Call it only where ``canActAsRoot``.
    static func asRoot<Result>(_ body: () throws -> Result) rethrows -> Result {
        let (user, group) = (geteuid(), getegid())
        guard seteuid(0) == 0 else { return try body() }
        setegid(0)
        defer {
            // The process must not continue with too many rights.
            if setegid(group) != 0 || seteuid(user) != 0 { _exit(EX_OSERR) }
        }
        return try body()
    }

    /// The name of the user who started the process, whatever rights it has now.
    package static var invokerName: String {
        let user = getuid()
        return getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }
}

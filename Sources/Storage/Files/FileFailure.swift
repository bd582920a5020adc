import CFileStatus
import Foundation

/// Why a file or folder was rejected, with its path.
package struct FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// An error of the system, by its `errno`.
        case system(Int32)
        case symbolicLink
        /// There is a folder, a pipe, a device or a socket instead of a file.
        case notAFile
        case notAFolder
        /// The file has other names, through which changes would be visible.
        case hardLinks(Int)
        /// The folder's owner could replace it while root works in it.
        case insideFolderOfAnotherUser(folder: String)
        /// Others may make files in the folder of this one, and it belongs to one of them.
        case ofAnotherUser(UInt32)
        /// Other processes replaced the file repeatedly while it was being opened.
        case keepsChanging
        case tooLarge(maximumBytes: Int)
    }

    package let path: String
    package let reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// - Parameter errno: the system's error code.
    package init(path: String, errno: Int32) { self.init(path: path, reason: .system(errno)) }

    /// The system's error code; 0 for any other reason.
    package var errno: Int32 {
        if case .system(let number) = reason { return number }
        return 0
    }

    /// Whether there is something at the path that must not be used, regardless of access rights.
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
        case .ofAnotherUser(let user):
            "\(path) belongs to another user (\(ProcessIdentity.name(of: user))), in a folder that others may change; "
                + "move it away, or use a folder that only you may change"
        case .keepsChanging: "\(path) keeps being replaced by another process"
        case .tooLarge(let maximum): "\(path) is larger than \(maximum) bytes"
        }
    }
}

/// The user whose rights root assumes to access the files of a database.
package struct FileRights: Sendable, Hashable {
    package let user: UInt32
    /// The folder's group, for a user that the user database does not know.
    package let group: UInt32

    /// Finds the owner of an existing or future file: the owner of its folder, or of the nearest existing ancestor. In
    /// a folder of root that others may write to, the owner of the file itself.
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
/// A command that root runs on the database of a service assumes the service's rights before it accesses any file. The
/// kernel then rejects everything that the service itself could not do, whatever links or races exist.
package enum ProcessIdentity {
    /// Assumes the rights of a user. Does nothing unless the effective user is root, or if `user` is root.
    ///
    /// Supplementary groups are dropped; the group is the user's primary one, or `folderGroup` for a user without an
    /// entry in the user database.
    ///
    /// - Parameter permanently: whether root's rights are given up for good, as in a server. Otherwise ``OpenFolder``
    ///   temporarily regains them for folders that only root can change, such as `/root/backups`.
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

    /// Whether the process can regain root's rights.
    static var canActAsRoot: Bool { geteuid() != 0 && getuid() == 0 }

    /// Runs `body` with root's rights. Requires ``canActAsRoot``.
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

    /// The name of the user who started the process, regardless of its current rights.
    package static var invokerName: String { name(of: getuid()) }

    static func name(of user: UInt32) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }
}

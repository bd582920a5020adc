import Foundation

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
            // With more rights than it should have the process must not go on.
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

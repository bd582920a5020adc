import CEpoll
import Glibc

/// Who may connect to a Unix socket, which takes write permission.
package struct SocketAccess: Sendable, Hashable {
    /// Permissions of the file.
    package var mode: UInt32 = 0o660
    /// The file's group; nil leaves that of the process.
    package var group: String?

    package init() {}
}

/// Hosts that are sockets of this machine.
package enum UnixSocket {
    /// The path of `unix:/run/subguard.sock`; nil for other hosts.
    package static func path(ofHost host: String) -> String? {
        host.hasPrefix("unix:") ? String(host.dropFirst(5)) : nil
    }

    /// Whether a socket can have the path: it is absolute and has at most 107 bytes.
    package static func isPath(_ path: String) -> Bool { SocketFile.address(path) != nil }
}

/// The file of a Unix socket that this process has made.
struct SocketFile: Sendable {
    /// `O_PATH`, which Glibc declares for C only.
    private static let openPath: Int32 = 0o10000000

    private let path: String
    private let device: UInt64
    private let number: UInt64
    /// Locked as long as the server listens.
    private let lock: Int32

    /// Makes the socket. A file that a server left behind is replaced; one on which a server listens is not.
    static func listen(_ path: String, access: SocketAccess, backlog: Int32) throws -> (Int32, SocketFile) {
        let host = "unix:\(path)"
        guard var address = address(path) else {
            throw ListenError(host: host, port: 0, reason: "the path is not absolute, or longer than 107 bytes")
        }
        let lock = try lock(path)
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        do {
            guard descriptor >= 0 else { throw ListenError(host: host, port: 0, errno: errno) }
            try removeStale(path, &address)
            // No client can connect before listen(), so none can while the file has other permissions.
            guard withSockaddr(&address, { bind(descriptor, $0, $1) }) == 0 else {
                throw ListenError(host: host, port: 0, errno: errno)
            }
            try grant(access, path)
            var found = stat()
            guard lstat(path, &found) == 0, Glibc.listen(descriptor, backlog) == 0 else {
                throw ListenError(host: host, port: 0, errno: errno)
            }
            let file = SocketFile(
                path: path, device: UInt64(found.st_dev), number: UInt64(found.st_ino), lock: lock)
            return (descriptor, file)
        } catch {
            close(descriptor)
            close(lock)
            throw error
        }
    }

    /// Two servers that start at once would each take the socket of the other for one that was left behind: it refuses
    /// connections until ``listen(_:access:backlog:)`` is done. The file of the lock stays, because a process that
    /// removes it could remove that of a successor.
    private static func lock(_ path: String) throws -> Int32 {
        let lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw ListenError(host: "unix:\(path)", port: 0, errno: errno) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw ListenError(host: "unix:\(path)", port: 0, errno: EADDRINUSE)
        }
        return lock
    }

    func remove() {
        defer { close(lock) }
        var found = stat()
        guard lstat(path, &found) == 0, UInt64(found.st_dev) == device, UInt64(found.st_ino) == number else { return }
        unlink(path)
    }

    private static func removeStale(_ path: String, _ address: inout sockaddr_un) throws {
        var found = stat()
        guard lstat(path, &found) == 0 else { return }
        guard found.st_mode & S_IFMT == S_IFSOCK else {
            throw ListenError(host: "unix:\(path)", port: 0, reason: "a file that is no socket is there")
        }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { throw ListenError(host: "unix:\(path)", port: 0, errno: errno) }
        defer { close(probe) }
        // A full backlog is EAGAIN, so anything but a refusal means that a server is there.
        guard withSockaddr(&address, { connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED else {
            throw ListenError(host: "unix:\(path)", port: 0, errno: EADDRINUSE)
        }
        guard unlink(path) == 0 else { throw ListenError(host: "unix:\(path)", port: 0, errno: errno) }
    }

    /// Through a descriptor of the socket that was made: a path may meanwhile lead to a file that another process put
    /// there.
    private static func grant(_ access: SocketAccess, _ path: String) throws {
        let held = open(path, openPath | O_NOFOLLOW | O_CLOEXEC)
        guard held >= 0 else { throw ListenError(host: "unix:\(path)", port: 0, errno: errno) }
        defer { close(held) }
        var found = stat()
        guard fstat(held, &found) == 0, found.st_mode & S_IFMT == S_IFSOCK, found.st_uid == geteuid() else {
            throw ListenError(host: "unix:\(path)", port: 0, reason: "it was replaced while it was made")
        }
        let made = "/proc/self/fd/\(held)"
        if let name = access.group {
            guard let group = getgrnam(name)?.pointee.gr_gid else {
                throw ListenError(host: "unix:\(path)", port: 0, reason: "there is no group \(name)")
            }
            guard chown(made, .max, group) == 0 else {
                throw ListenError(host: "unix:\(path)", port: 0, reason: "it cannot be given to the group \(name)")
            }
        }
        guard chmod(made, access.mode) == 0 else { throw ListenError(host: "unix:\(path)", port: 0, errno: errno) }
    }

    /// Nil unless the path is absolute and fits.
    static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        let bytes = Array(path.utf8)
        guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0),
            bytes.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }

    static func withSockaddr(
        _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// A listening socket that systemd has opened (sd_listen_fds(3)): it waits for connections before the server starts,
/// and while it restarts.
package struct InheritedSocket: Sendable, Hashable {
    /// The first descriptor that systemd passes.
    private static let first: Int32 = 3

    let descriptor: Int32

    /// Nil unless systemd passes sockets to this very process.
    ///
    /// - Parameter variables: the environment.
    /// Throws ``ListenError`` if there are several, or if it is no listening stream socket.
    package init?(_ variables: [String: String]) throws {
        guard variables["LISTEN_PID"] == "\(getpid())", let count = variables["LISTEN_FDS"].flatMap({ Int($0) }),
            count > 0
        else { return nil }
        guard count == 1 else {
            throw ListenError(host: "the sockets of systemd", port: 0, reason: "one is expected, not \(count)")
        }
        descriptor = Self.first
        var listens: Int32 = 0
        var kind: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0, listens != 0,
            getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &length) == 0, kind == Int32(SOCK_STREAM.rawValue)
        else {
            throw ListenError(host: "the socket of systemd", port: 0, reason: "it is no listening stream socket")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}

import CEpoll
import Glibc

/// A listening socket.
struct Listener: Sendable {
    let descriptor: Int32
    /// The bound port; 0 for a Unix socket.
    let port: Int
    /// Nil unless this process has made a Unix socket.
    private let file: SocketFile?

    /// Unsent data that the kernel buffers per connection, in bytes. By default it would buffer megabytes for a client
    /// that reads nothing, which no budget counts. Fast clients are not slowed: the kernel requests more as soon as
    /// less than this is left.
    private static let unsentBytes: Int32 = 128 * 1024

    /// Throws ``ListenError``, for example if the address is in use.
    init(_ configuration: HTTPServerConfiguration) throws {
        if let inherited = configuration.inherited {
            descriptor = inherited.descriptor
            port = try Self.boundPort(descriptor) ?? 0
            file = nil
            Self.limitUnsent(descriptor)
        } else if let path = UnixSocket.path(ofHost: configuration.host) {
            (descriptor, file) = try SocketFile.listen(
                path, access: configuration.socketAccess, backlog: configuration.backlog)
            port = 0
        } else {
            let (host, port) = (configuration.host, configuration.port)
            descriptor = try Self.listen(host: host, port: port, backlog: configuration.backlog)
            self.port = try Self.boundPort(descriptor) ?? port
            file = nil
        }
    }

    /// Ends the listener. Removes the file of its Unix socket, unless another server has replaced it.
    func close() {
        file?.remove()
        Glibc.close(descriptor)
    }

    private static func limitUnsent(_ descriptor: Int32) {
        // Inherited by accepted sockets.
        var unsent = unsentBytes
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func listen(host: String, port: Int, backlog: Int32) throws -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let info = found?.pointee else {
            throw ListenError(host: host, port: port, reason: "the host is not an IPv4 or IPv6 address")
        }
        defer { freeaddrinfo(found) }
        let socketDescriptor = socket(
            info.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socketDescriptor >= 0 else { throw ListenError(host: host, port: port, errno: errno) }
        var on: Int32 = 1
        // Without it a restart would wait until the kernel forgets earlier connections.
        setsockopt(socketDescriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        limitUnsent(socketDescriptor)
        guard bind(socketDescriptor, info.ai_addr, info.ai_addrlen) == 0, Glibc.listen(socketDescriptor, backlog) == 0
        else {
            let failure = ListenError(host: host, port: port, errno: errno)
            Glibc.close(socketDescriptor)
            throw failure
        }
        return socketDescriptor
    }

    /// Whether a connection is waiting.
    var hasWaiting: Bool {
        var subject = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&subject, 1, 0) > 0
    }

    /// The next waiting connection.
    func accept() -> AcceptOutcome {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let accepted = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                subguard_accept_nonblocking(descriptor, $0, &length)
            }
        }
        if accepted >= 0 {
            var on: Int32 = 1
            // Responses are written whole; waiting to fill a packet would only delay them.
            setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
            return .connection(accepted, SocketAddress(storage))
        }
        switch errno {
        case EAGAIN: return .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
        default: return .failed
        }
    }

    private static func boundPort(_ descriptor: Int32) throws -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard status == 0 else { return nil }
        guard [AF_INET, AF_INET6].contains(Int32(storage.ss_family)) else { return 0 }
        return withUnsafeBytes(of: storage) {
            // The port has the same offset in both families.
            Int(UInt16(bigEndian: $0.loadUnaligned(as: sockaddr_in.self).sin_port))
        }
    }
}

enum AcceptOutcome {
    case connection(Int32, SocketAddress)
    case none
    /// No descriptor or memory is left; the client stays in the backlog.
    case exhausted
    /// This client has disconnected; others may wait.
    case failed
}

/// Why the server could not listen.
package struct ListenError: Error, CustomStringConvertible {
    package let host: String
    package let port: Int
    package let reason: String
    private let errno: Int32

    /// Another socket listens there.
    package var isInUse: Bool { errno == EADDRINUSE }
    /// This machine has no such address, or not this kind of addresses at all.
    package var isAbsentAddress: Bool { errno == EADDRNOTAVAIL || errno == EAFNOSUPPORT }

    init(host: String, port: Int, reason: String) {
        self.host = host
        self.port = port
        self.reason = reason
        errno = 0
    }

    init(host: String, port: Int, errno: Int32) {
        self.host = host
        self.port = port
        self.errno = errno
        reason = String(cString: strerror(errno))
    }

    package var description: String {
        "cannot listen on \(host)\(UnixSocket.path(ofHost: host) == nil ? " port \(port)" : ""): \(reason)"
    }
}

/// The limit on open files and sockets of this process. Systems start programs with a low soft limit that can be
/// raised.
package enum DescriptorLimit {
    /// Raises the limit to the system's maximum and returns it.
    ///
    /// - Parameter needed: the superuser raises that maximum, too, if it is less.
    package static func raise(to needed: Int = 0) -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        if limit.rlim_max < rlim_t(needed) {
            var raised = rlimit(rlim_cur: rlim_t(needed), rlim_max: rlim_t(needed))
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}

extension ConnectionLimits {
    /// Descriptors needed besides connections: database, log, event loops, and a reserve.
    private static let reservedDescriptors = 64

    /// Lowers the connection limit to the available descriptors. Returns whether there were enough.
    package mutating func fit(descriptors: Int) -> Bool {
        let room = max(1, descriptors - Self.reservedDescriptors)
        guard inAll > room else { return true }
        inAll = room
        return false
    }
}

// Which module owns the constants of sockets depends on the order in which headers are read.
package import CEpoll
import Glibc

/// Connections to servers.
package enum SocketConnection {
    /// The addresses of a host, none if it cannot be resolved. Those of IPv4 come first: a server with its default host
    /// listens on IPv4 only, while `localhost` often resolves to IPv6 first.
    ///
    /// - Parameter flags: of getaddrinfo(3).
    package static func addresses(of host: String, port: Int, flags: Int32 = 0) -> [sockaddr_storage] {
        var hints = addrinfo()
        hints.ai_flags = flags
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let list else { return [] }
        defer { freeaddrinfo(list) }
        let entries = sequence(first: list) { $0.pointee.ai_next }.map(\.pointee)
        return [AF_INET, AF_INET6].flatMap { family in
            entries.filter { $0.ai_family == family }.map { entry in
                var address = sockaddr_storage()
                memcpy(&address, entry.ai_addr, Int(entry.ai_addrlen))
                return address
            }
        }
    }

    /// Begins to connect without waiting. The socket is writable when it has ended, see ``hasFailed(_:)``. Nil if it
    /// cannot begin.
    package static func begin(_ address: sockaddr_storage) -> Int32? {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(Int32(address.ss_family), type, 0)
        guard descriptor >= 0 else { return nil }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        if connect(descriptor, address) || errno == EINPROGRESS { return descriptor }
        close(descriptor)
        return nil
    }

    /// Whether the socket could not connect, or its connection is broken. Says so once.
    package static func hasFailed(_ descriptor: Int32) -> Bool {
        var problem: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &length)
        return problem != 0
    }

    private static func connect(_ descriptor: Int32, _ address: sockaddr_storage) -> Bool {
        withUnsafeBytes(of: address) { bytes in
            Glibc.connect(
                descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
        }
    }

    /// For probes: connects to an address, or to `unix:` and the path of a socket. Each of the transfers then takes at
    /// most that long. Nil if no process listens there.
    package static func open(host: String, port: Int, timeoutSeconds: Int) -> Int32? {
        if let path = UnixSocket.path(ofHost: host) {
            guard var address = SocketFile.address(path), let descriptor = make(AF_UNIX, timeoutSeconds) else {
                return nil
            }
            guard SocketFile.withSockaddr(&address, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
                close(descriptor)
                return nil
            }
            return descriptor
        }
        // A wildcard address is not a valid target everywhere.
        let target = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        let found = addresses(of: target, port: port, flags: AI_NUMERICHOST | AI_NUMERICSERV)
        guard let address = found.first, let descriptor = make(Int32(address.ss_family), timeoutSeconds) else {
            return nil
        }
        if connect(descriptor, address) { return descriptor }
        close(descriptor)
        return nil
    }

    private static func make(_ family: Int32, _ timeoutSeconds: Int) -> Int32? {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        return descriptor
    }
}

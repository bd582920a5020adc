// Which module owns the constants of sockets depends on the order in which headers are read.
import CEpoll
import Glibc

/// A connection to a server on this machine, for probes.
package enum SocketConnection {
    /// Connects to an address, or to `unix:` and the path of a socket. Each of the transfers then takes at most that
    /// long. Nil if no process listens there.
    package static func open(host: String, port: Int, timeoutSeconds: Int) -> Int32? {
        if let path = UnixSocket.path(ofHost: host) {
            guard var address = SocketFile.address(path), let descriptor = make(AF_UNIX, timeoutSeconds) else {
                return nil
            }
            guard SocketFile.withSockaddr(&address, { connect(descriptor, $0, $1) }) == 0 else {
                close(descriptor)
                return nil
            }
            return descriptor
        }
        // A wildcard address is not a valid target everywhere.
        let target = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(target, String(port), &hints, &found) == 0, let info = found?.pointee else { return nil }
        defer { freeaddrinfo(found) }
        guard let descriptor = make(info.ai_family, timeoutSeconds) else { return nil }
        guard connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
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

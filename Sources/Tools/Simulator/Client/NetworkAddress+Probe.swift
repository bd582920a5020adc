import CEpoll
import Glibc

extension NetworkAddress {
    /// Whether anybody is there at all: a wrong port is told at once and not as a table of errors.
    func acceptsConnections() -> Bool {
        let probe = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard probe >= 0 else { return false }
        defer { close(probe) }
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(probe, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        return bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                connect(probe, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
            } ?? false
        }
    }
}

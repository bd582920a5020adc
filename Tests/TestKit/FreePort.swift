import Foundation

/// A TCP port of this machine that nobody had a moment ago, for programs that cannot choose one themselves.
package enum FreePort {
    package struct NoneFound: Error {}

    package static func find() throws -> Int {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(probe) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(probe, $0, length) == 0 && getsockname(probe, $0, &length) == 0
            }
        }
        guard isBound else { throw NoneFound() }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

#if os(Linux)
    import Foundation

    /// A TCP socket on an unused port of 127.0.0.1. The creator must close it.
    package struct LoopbackSocket {
        package let descriptor: Int32
        package let port: Int

        /// - Parameter backlog: maximum waiting connections; nil does not listen.
        package init(backlog: Int32? = nil) throws {
            let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isReady = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(made, $0, length) == 0 && backlog.map { listen(made, $0) == 0 } ?? true
                        && getsockname(made, $0, &length) == 0
                }
            }
            guard isReady else { throw RawClientError.system(call: "listen", errno: errno) }
            descriptor = made
            port = Int(UInt16(bigEndian: address.sin_port))
        }
    }

    /// A TCP port that was unused a moment ago, for programs that cannot choose one themselves.
    package enum FreePort {
        package static func find() throws -> Int {
            let probe = try LoopbackSocket()
            close(probe.descriptor)
            return probe.port
        }
    }
#endif

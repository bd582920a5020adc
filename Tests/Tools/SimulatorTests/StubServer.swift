import Foundation
import Synchronization
import TestKit

/// A server of known delay: what it takes is decided by the test, whatever the machine does.
final class StubServer: Sendable {
    /// The response to a request of this number, from 0, and how long it takes.
    struct Reply {
        var status = 200
        var seconds = 0.0
        /// Whether all other requests wait until it is sent, as for a server that stands still.
        var stopsAll = false
    }

    let port: Int
    private let listener: Int32
    private let count = Mutex(0)
    private let turn = Mutex(())

    var requests: Int { count.withLock { $0 } }

    init(_ reply: @escaping @Sendable (_ number: Int) -> Reply) throws {
        (listener, port) = try Self.listen()
        let listener = listener
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { [weak self] in
                    var buffer = [UInt8](repeating: 0, count: 65_536)
                    // Reads of the catalogue: one piece each, without a body.
                    while recv(client, &buffer, buffer.count, 0) > 0 {
                        guard let self else { break }
                        let number = count.withLock { count in
                            defer { count += 1 }
                            return count
                        }
                        let reply = reply(number)
                        if reply.stopsAll {
                            turn.withLock { _ in Thread.sleep(forTimeInterval: reply.seconds) }
                        } else {
                            turn.withLock { _ in }
                            Thread.sleep(forTimeInterval: reply.seconds)
                        }
                        let text = "HTTP/1.1 \(reply.status) X\r\nContent-Length: 2\r\n\r\n{}"
                        send(client, text, text.utf8.count, Int32(MSG_NOSIGNAL))
                    }
                    Foundation.close(client)
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        Foundation.close(listener)
    }

    private static func listen() throws -> (Int32, Int) {
        let port = try FreePort.find()
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        var on: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, Foundation.listen(listener, 128) == 0 else { throw POSIXError(.EADDRINUSE) }
        return (listener, port)
    }
}

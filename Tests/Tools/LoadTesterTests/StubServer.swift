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
        let bound = try LoopbackSocket(backlog: 128)
        (listener, port) = (bound.descriptor, bound.port)
        let listener = listener
        Thread.detachNewThread { [weak self] in
            // Closed by another thread, its number could be that of another server by now.
            defer { Foundation.close(listener) }
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

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }
}

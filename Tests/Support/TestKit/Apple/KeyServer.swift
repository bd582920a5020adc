import Foundation
import Synchronization

/// Responds to every request with one text, like Apple's key endpoint. Uses its own port.
package final class KeyServer: Sendable {
    private struct State {
        var body: String
        var status = "200 OK"
        var requests = 0
        var isClosed = false
    }

    package let port: Int
    private let descriptor: Int32
    private let state: Mutex<State>

    package init(_ body: String) throws {
        state = Mutex(State(body: body))
        let bound = try LoopbackSocket(backlog: 16)
        (descriptor, port) = (bound.descriptor, bound.port)
        let thread = Thread { [self] in serve() }
        thread.start()
    }

    package var url: String { "http://127.0.0.1:\(port)/auth/keys" }

    package var requests: Int { state.withLock { $0.requests } }

    /// Sets the response from now on.
    package func answer(_ body: String, status: String = "200 OK") {
        state.withLock { state in
            state.body = body
            state.status = status
        }
    }

    /// Stops listening.
    package func close() {
        state.withLock { state in
            // Only once, because the descriptor's number is soon reused.
            if !state.isClosed { shutdown(descriptor, Int32(SHUT_RDWR)) }
            state.isClosed = true
        }
    }

    private func serve() {
        defer { _ = Foundation.close(descriptor) }
        while true {
            let connection = accept(descriptor, nil, nil)
            guard connection >= 0 else { return }
            defer { _ = Foundation.close(connection) }
            var head = [UInt8](repeating: 0, count: 4096)
            _ = recv(connection, &head, head.count, 0)
            let (body, status) = state.withLock { state in
                state.requests += 1
                return (state.body, state.status)
            }
            let answer =
                "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Connection: close\r\n\r\n\(body)"
            var bytes = Array(answer.utf8)[...]
            while !bytes.isEmpty {
                let sent = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
                guard sent > 0 else { break }
                bytes = bytes.dropFirst(sent)
            }
        }
    }
}

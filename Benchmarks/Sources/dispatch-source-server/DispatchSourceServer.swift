// The rejected design: one DispatchSource per connection on a few serial queues. It answers every read with the same
// bytes without parsing, so it is faster than any real server of this design.
//
// Usage: dispatch-source-server PORT QUEUES

import Dispatch
import Glibc

/// A connection and its source, which exist until the client closes.
final class Connection: Sendable {
    static let answer = Array(
        ("HTTP/1.1 200 OK\r\nDate: Sat, 21 Nov 2026 10:00:00 GMT\r\nX-Request-Id: 0123456789abcdef0123456789abcdef\r\n"
            + "Content-Type: application/json\r\nCache-Control: no-store\r\nContent-Length: 15\r\n\r\n"
            + "{\"status\":\"ok\"}")
            .utf8)

    static func serve(_ descriptor: Int32, on queue: DispatchQueue) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { buffer in
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return source.cancel() }
                _ = write(descriptor, answer, answer.count)
            }
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }
}

@main
struct DispatchSourceServer {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let arguments = CommandLine.arguments.dropFirst().compactMap { UInt16($0) }
        guard arguments.count == 2 else { exit(64) }
        let queues = (0..<Int(arguments[1])).map { DispatchQueue(label: "queue.\($0)") }
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var on: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = arguments[0].bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0, listen(listener, 1024) == 0 else { exit(1) }
        var turn = 0
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { continue }
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            turn = (turn + 1) % queues.count
            Connection.serve(descriptor, on: queues[turn])
        }
    }
}

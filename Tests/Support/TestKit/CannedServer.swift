#if os(Linux)
    import CZlib
    import Foundation
    import Synchronization

    /// Sends the same response to every request.
    package final class CannedServer: Sendable {
        package let port: Int
        private let listener: Int32
        private let lines = Mutex<[String]>([])
        private let isClosed = Mutex(false)

        /// The number of requests so far.
        package var requests: Int { requestLines.count }

        /// The first line of each request so far. A client of another test, whose server had the port before, may send
        /// some too.
        package var requestLines: [String] { lines.withLock { $0 } }

        package convenience init(
            _ answer: String, endsAfter: Int = .max, hangsUp: Bool = false, later: String? = nil
        ) throws {
            try self.init(
                Array(answer.utf8), endsAfter: endsAfter, hangsUp: hangsUp, later: later.map { Array($0.utf8) })
        }

        /// - Parameters:
        ///   - endsAfter: how many requests are answered; for later ones the connection is closed.
        ///   - hangsUp: whether the connection is closed after the response.
        ///   - forever: bytes repeated after the response until the server is closed.
        ///   - drip: the pause after each byte of the response; nil sends all of them at once.
        ///   - later: the response to all requests but the first; nil for the same.
        package init(
            _ answer: [UInt8], endsAfter: Int = .max, hangsUp: Bool = false, forever: [UInt8]? = nil,
            drip: Duration? = nil, later: [UInt8]? = nil
        ) throws {
            // More than a test has at once: a client whose connection does not fit waits for an answer that never
            // comes.
            let bound = try LoopbackSocket(backlog: 128)
            (listener, port) = (bound.descriptor, bound.port)
            let listener = listener
            Thread.detachNewThread { [weak self] in
                while true {
                    let client = accept(listener, nil, nil)
                    guard client >= 0 else {
                        // Closed by another thread, its number could be that of another server by now.
                        Foundation.close(listener)
                        return
                    }
                    Thread.detachNewThread { [weak self] in
                        var buffer = [UInt8](repeating: 0, count: 4096)
                        while case let length = recv(client, &buffer, buffer.count, 0), length > 0 {
                            guard let self else { break }
                            let line = buffer[..<length].prefix { $0 != 0x0D }
                            let number = self.lines.withLock { lines in
                                lines.append(String(decoding: line, as: UTF8.self))
                                return lines.count
                            }
                            guard number <= endsAfter else { break }
                            let answer = number == 1 ? answer : later ?? answer
                            guard Self.send(answer, to: client, drip: drip), !hangsUp else { break }
                            guard let forever else { continue }
                            while self.isOpen, Self.send(forever, to: client, drip: drip) {}
                            break
                        }
                        // Closed with input unread, the connection would be reset, and the answer lost on the way.
                        shutdown(client, Int32(SHUT_WR))
                        while recv(client, &buffer, buffer.count, 0) > 0 {}
                        Foundation.close(client)
                    }
                }
            }
        }

        private var isOpen: Bool { isClosed.withLock { !$0 } }

        /// Ends the repetition.
        package func close() { isClosed.withLock { $0 = true } }

        deinit { shutdown(listener, Int32(SHUT_RDWR)) }

        /// Returns false if the client has disconnected.
        private static func send(_ bytes: [UInt8], to client: Int32, drip: Duration?) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes {
                    Foundation.send(client, $0.baseAddress, drip == nil ? $0.count : 1, Int32(MSG_NOSIGNAL))
                }
                guard sent > 0 else { return false }
                rest = rest.dropFirst(sent)
                if let drip { Thread.sleep(forTimeInterval: drip / .seconds(1)) }
            }
            return true
        }

        /// A response with an endless gzip body, of which each kilobyte inflates to a megabyte.
        package static func bomb() throws -> CannedServer {
            var zeros = [UInt8](repeating: 0, count: 1 << 20)
            var block = [UInt8](repeating: 0, count: 1 << 13)
            var stream = z_stream()
            // Raw deflate: a flushed block is independent and can be repeated.
            deflateInit2_(
                &stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            zeros.withUnsafeMutableBufferPointer { input in
                block.withUnsafeMutableBufferPointer { output in
                    stream.next_in = input.baseAddress
                    stream.avail_in = UInt32(input.count)
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(output.count)
                    deflate(&stream, Z_FULL_FLUSH)
                }
            }
            block.removeLast(Int(stream.avail_out))
            deflateEnd(&stream)
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\n"
            return try CannedServer(Array(head.utf8) + [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255], forever: block)
        }
    }
#endif

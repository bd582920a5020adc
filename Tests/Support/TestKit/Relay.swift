#if os(Linux)
    import Foundation
    import Synchronization

    /// A TCP proxy between a client and a server on this machine: records every byte sent by the client, and fails on
    /// request.
    package final class Relay: Sendable {
        package enum Behaviour: Sendable, Equatable {
            case pass
            /// Forwards requests; after `after` responses, drops the given number of responses and closes their
            /// connections: the server has processed the requests, but the client does not know.
            case dropAnswers(Int, after: Int = 0)
            /// Closes each connection at once.
            case offline
            /// Accepts requests and never responds.
            case silent
        }

        private struct State {
            var behaviour = Behaviour.pass
            var target: Int
            var recorded: [[UInt8]] = []
            var dropped = 0
        }

        package let port: Int
        private let listener: Int32
        private let state: Mutex<State>

        package init(to target: Int) throws {
            state = Mutex(State(target: target))
            let bound = try LoopbackSocket(backlog: 64)
            (listener, port) = (bound.descriptor, bound.port)
            let listener = listener
            Thread.detachNewThread { [weak self] in
                // Closed by another thread, its number could be that of another server by now.
                defer { close(listener) }
                while true {
                    let client = accept(listener, nil, nil)
                    guard client >= 0, let self else {
                        if client >= 0 { close(client) }
                        return
                    }
                    self.serve(client)
                }
            }
        }

        deinit { shutdown(listener, Int32(SHUT_RDWR)) }

        package func behave(_ behaviour: Behaviour) { state.withLock { $0.behaviour = behaviour } }

        /// Sets the server's port from now on.
        package func turn(to target: Int) { state.withLock { $0.target = target } }

        /// The bytes sent by the client, by connection.
        package var recorded: [[UInt8]] { state.withLock { $0.recorded } }

        /// The request lines of all requests, with or without a response.
        package var requestLines: [String] {
            // On one connection a request directly follows the previous request's body.
            recorded.flatMap { bytes in
                String(decoding: bytes, as: UTF8.self).matches(of: /(?:GET|POST|PUT|DELETE|HEAD) \S+ HTTP\/1\.1/)
                    .map { String($0.0) }
            }
        }

        package var droppedAnswers: Int { state.withLock { $0.dropped } }

        private func serve(_ client: Int32) {
            let (target, place) = state.withLock { state in
                guard state.behaviour != .offline else { return (-1, 0) }
                state.recorded.append([])
                return (state.target, state.recorded.count - 1)
            }
            guard target >= 0, let server = Self.connected(to: target) else {
                close(client)
                return
            }
            let pair = Pair(client: client, server: server)
            Thread.detachNewThread { [self] in
                pump(from: client, to: server) { bytes in
                    state.withLock { $0.recorded[place] += bytes }
                    return true
                }
                pair.end()
            }
            Thread.detachNewThread { [self] in
                pump(from: server, to: client) { _ in
                    state.withLock { state -> Bool? in
                        switch state.behaviour {
                        case .pass: return true
                        case .offline: return false
                        case .silent: return nil
                        case .dropAnswers(let count, let passing) where passing > 0:
                            state.behaviour = .dropAnswers(count, after: passing - 1)
                            return true
                        case .dropAnswers(let count, _):
                            state.behaviour = count > 1 ? .dropAnswers(count - 1) : .pass
                            state.dropped += 1
                            return false
                        }
                    }
                }
                pair.end()
            }
        }

        /// The two sockets of a connection, used by two threads.
        private final class Pair: Sendable {
            private let client: Int32
            private let server: Int32
            private let open = Mutex(2)

            init(client: Int32, server: Int32) {
                self.client = client
                self.server = server
            }

            /// Wakes the other direction; the second call closes both.
            func end() {
                shutdown(client, Int32(SHUT_RDWR))
                shutdown(server, Int32(SHUT_RDWR))
                let isLast = open.withLock { open in
                    open -= 1
                    return open == 0
                }
                guard isLast else { return }
                close(client)
                close(server)
            }
        }

        /// `mayPass` returns nil to drop bytes, and false to end the connection.
        private func pump(from source: Int32, to sink: Int32, _ mayPass: ([UInt8]) -> Bool?) {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = recv(source, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                guard let passes = mayPass(Array(buffer[..<count])) else { continue }
                guard passes else { return }
                var sent = 0
                while sent < count {
                    let written = buffer[sent..<count].withUnsafeBytes {
                        send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard written > 0 else { return }
                    sent += written
                }
            }
        }

        private static func connected(to port: Int) -> Int32? {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = address(port)
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard status == 0 else {
                close(descriptor)
                return nil
            }
            return descriptor
        }

        private static func address(_ port: Int) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
            inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
            return address
        }
    }
#endif

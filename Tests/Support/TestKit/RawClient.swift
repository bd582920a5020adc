import Foundation

/// A blocking TCP client that sends exactly the given bytes, including those that a client library would refuse to
/// send.
///
/// Every waiting call times out after `timeoutSeconds`, so a missing response fails a test instead of blocking it. A
/// client must be used by one thread.
package final class RawClient {
    private let descriptor: Int32
    private let timeoutMilliseconds: Int64
    /// Buffer for reads.
    private let incoming = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256 * 1024)
    /// Received and not yet consumed.
    private var received: [UInt8] = []
    private var ended = false
    #if os(Linux)
        private var secure: SecureChannel?
    #endif

    /// Connects to an IPv4 address. `receiveBufferBytes` limits the kernel's buffer, for tests of clients that do not
    /// read; the kernel doubles it and has its own minimum. `source` is this client's own address.
    package init(
        port: Int, host: String = "127.0.0.1", timeoutSeconds: Double = 20, receiveBufferBytes: Int32? = nil,
        source: String? = nil
    ) throws {
        timeoutMilliseconds = Int64(timeoutSeconds * 1000)
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw RawClientError.system(call: "socket", errno: errno) }
        if var bytes = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        var seconds = timeval(tv_sec: Int(timeoutSeconds.rounded(.up)), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &seconds, socklen_t(MemoryLayout<timeval>.size))
        func call(
            _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ host: String, _ port: Int
        ) -> Int32 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
            inet_pton(AF_INET, host, &address.sin_addr)
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        if let source, call(bind, source, 0) != 0 { throw RawClientError.system(call: "bind", errno: errno) }
        let status = call(connect, host, port)
        guard status == 0 else { throw RawClientError.system(call: "connect", errno: errno) }
    }

    #if os(Linux)
        /// Performs a TLS handshake. All later data is encrypted.
        package func secure(_ options: SecureChannel.Options = .init()) throws {
            secure = try SecureChannel(descriptor: descriptor, timeoutMilliseconds: timeoutMilliseconds, options)
        }

        /// The TLS channel; `nil` without TLS.
        package var channel: SecureChannel? { secure }
    #endif

    deinit {
        #if os(Linux)
            secure = nil
        #endif
        close(descriptor)
        incoming.deallocate()
    }

    // MARK: Sending

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends all bytes. Throws if the server does not accept them in time or has disconnected.
    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { systemSend($0[sent...]) }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw RawClientError.system(call: "send", errno: errno)
            }
            sent += count
        }
    }

    /// Ends our side of the connection; the server's side can still be read.
    package func endOutput() {
        #if os(Linux)
            secure?.sayGoodbye()
        #endif
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes with a reset: data in transit in either direction is lost.
    package func closeByReset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        // The descriptor's number stays ours until deinit: it becomes a new, unconnected socket.
        #if canImport(Glibc)
            let replacement = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let replacement = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        dup2(replacement, descriptor)
        close(replacement)
        ended = true
    }

    private func systemSend(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        let rest = UnsafeRawBufferPointer(rebasing: bytes)
        #if os(Linux)
            if let secure { return secure.send(rest) }
        #endif
        #if canImport(Glibc)
            return Foundation.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        #else
            return Foundation.send(descriptor, rest.baseAddress, rest.count, 0)
        #endif
    }

    // MARK: Receiving

    /// The next response, including interim ones (1xx). `method` is that of the request: the response to HEAD has no
    /// body whatever its fields are.
    package func readResponse(to method: String = "GET") throws -> RawResponse {
        let deadline = Self.now() + timeoutMilliseconds
        let head = try ResponseHead(readHead(until: deadline))
        let framing = try head.framing(answering: method)
        switch framing {
        case .none: return head.response(framing: .none, body: [])
        case .length(let count):
            return head.response(framing: framing, body: try take(count, until: deadline))
        case .chunked:
            let (sizes, body) = try readChunks(until: deadline)
            return head.response(framing: .chunked(sizes), body: body)
        case .untilClose:
            return head.response(framing: framing, body: try readToEnd())
        }
    }

    /// Everything until the server ends its side. A reset counts as an end if `resetIsEnd`.
    package func readToEnd(resetIsEnd: Bool = false) throws -> [UInt8] {
        let deadline = Self.now() + timeoutMilliseconds
        do {
            while try receive(until: deadline) {}
        } catch RawClientError.reset where resetIsEnd {}
        defer { received = [] }
        return received
    }

    /// At least one byte, or an empty array at the end.
    package func readSome() throws -> [UInt8] {
        if received.isEmpty { _ = try receive(until: Self.now() + timeoutMilliseconds) }
        defer { received = [] }
        return received
    }

    /// `true` if neither bytes nor the end arrive within `milliseconds`.
    package func staysSilent(milliseconds: Int64) throws -> Bool {
        guard received.isEmpty, !ended else { return false }
        do {
            _ = try receive(until: Self.now() + milliseconds)
            return false
        } catch RawClientError.timedOut {
            return true
        }
    }

    private func readHead(until deadline: Int64) throws -> [UInt8] {
        let blankLine: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        var searched = 0
        while true {
            for end in searched..<max(searched, received.count - 3) where received[end] == 0x0D {
                guard received[end..<end + 4].elementsEqual(blankLine) else { continue }
                return take(end + 4)
            }
            searched = max(0, received.count - 3)
            try require(until: deadline)
        }
    }

    private func readChunks(until deadline: Int64) throws -> (sizes: [Int], body: [UInt8]) {
        var sizes: [Int] = []
        var body: [UInt8] = []
        while true {
            let line = try readLine(until: deadline)
            guard let size = Int(line, radix: 16), !line.hasPrefix("+"), !line.hasPrefix("-") else {
                throw RawClientError.malformed("chunk size \"\(line)\"")
            }
            if size == 0 { break }
            sizes.append(size)
            body += try take(size, until: deadline)
            guard try readLine(until: deadline).isEmpty else {
                throw RawClientError.malformed("a chunk is longer than its size")
            }
        }
        while try !readLine(until: deadline).isEmpty {}
        return (sizes, body)
    }

    private func readLine(until deadline: Int64) throws -> String {
        while true {
            if let feed = received.firstIndex(of: 0x0A) {
                guard feed > 0, received[feed - 1] == 0x0D else { throw RawClientError.malformed("a bare line feed") }
                return String(decoding: take(feed + 1).dropLast(2), as: UTF8.self)
            }
            try require(until: deadline)
        }
    }

    private func take(_ count: Int, until deadline: Int64) throws -> [UInt8] {
        while received.count < count { try require(until: deadline) }
        return take(count)
    }

    private func take(_ count: Int) -> [UInt8] {
        defer { received.removeFirst(count) }
        return Array(received[..<count])
    }

    /// Receives more, or throws if the response ends early.
    private func require(until deadline: Int64) throws {
        guard try receive(until: deadline) else { throw RawClientError.closed(received: excerpt) }
    }

    /// Waits for bytes and stores them. Returns `false` at the end of the server's side.
    private func receive(until deadline: Int64) throws -> Bool {
        guard !ended else { return false }
        #if os(Linux)
            if let secure { return try receive(through: secure, until: deadline) }
        #endif
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let remaining = Int32(clamping: max(0, deadline - Self.now()))
        let ready = poll(&waiting, 1, remaining)
        if ready < 0 { return true }
        guard ready > 0 else { throw RawClientError.timedOut(received: excerpt) }
        let count = recv(descriptor, incoming.baseAddress, incoming.count, 0)
        let failure = errno
        if count > 0 { received.append(contentsOf: UnsafeBufferPointer(rebasing: incoming[..<count])) }
        if count < 0, failure == EINTR { return true }
        if count < 0 { ended = true }
        if count < 0, failure == ECONNRESET { throw RawClientError.reset(received: excerpt) }
        if count < 0 { throw RawClientError.system(call: "recv", errno: failure) }
        ended = count == 0
        return count > 0
    }

    #if os(Linux)
        private func receive(through secure: SecureChannel, until deadline: Int64) throws -> Bool {
            let outcome = secure.receive(
                into: UnsafeMutableRawBufferPointer(incoming), until: .now + .milliseconds(deadline - Self.now()))
            switch outcome {
            case .bytes(let count):
                received.append(contentsOf: UnsafeBufferPointer(rebasing: incoming[..<count]))
                return true
            case .end:
                ended = true
                return false
            case .timedOut: throw RawClientError.timedOut(received: excerpt)
            case .reset:
                ended = true
                throw RawClientError.reset(received: excerpt)
            }
        }
    #endif

    private var excerpt: String { String(decoding: received.prefix(200), as: UTF8.self) }

    private static let firstUse = ContinuousClock.now

    /// Milliseconds of a monotonic clock.
    private static func now() -> Int64 { Int64((ContinuousClock.now - firstUse) / .milliseconds(1)) }
}

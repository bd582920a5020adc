import Glibc

/// How a connection's bytes are sent: plain or through TLS.
package enum Transport {
    /// The socket.
    case plain(Int32)
    case tls(any SecureSession)

    package func receive(into buffer: UnsafeMutableRawPointer, room: Int) -> Received {
        switch self {
        case .plain(let descriptor):
            let count = recv(descriptor, buffer, room, 0)
            if count > 0 { return .bytes(count, isDrained: count < room) }
            if count == 0 { return .end }
            return errno == EAGAIN ? .nothingYet : errno == EINTR ? .tryAgain : .broken
        case .tls(let session): return session.receive(into: buffer, room: room)
        }
    }

    /// Sends head and body in one call. Returns the bytes taken, 0 if the kernel has no room, -1 if the peer is gone.
    func send(_ first: UnsafeRawBufferPointer, _ second: [UInt8]) -> Int {
        if second.isEmpty { return send(first) }
        return second.withUnsafeBytes { second in
            switch self {
            case .plain(let descriptor): return Self.send(first, second, to: descriptor)
            case .tls(let session):
                let count = session.send(first)
                guard count == first.count else { return count }
                let more = session.send(second)
                return more < 0 ? more : count + more
            }
        }
    }

    /// See ``send(_:_:)``.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch self {
        case .plain(let descriptor):
            return Self.retrying { Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
        case .tls(let session): return session.send(bytes)
        }
    }

    /// Ends our side; the peer's can still be read. `descriptor` is the socket beneath.
    func endOutput(_ descriptor: Int32) {
        if case .tls(let session) = self { session.sayGoodbye() }
        shutdown(descriptor, Int32(SHUT_WR))
    }

    private static func send(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, to descriptor: Int32
    ) -> Int {
        var parts = (
            iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count),
            iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count)
        )
        return withUnsafeMutablePointer(to: &parts) {
            $0.withMemoryRebound(to: iovec.self, capacity: 2) { parts in
                var message = msghdr()
                message.msg_iov = parts
                message.msg_iovlen = 2
                return retrying { sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL)) }
            }
        }
    }

    private static func retrying(_ call: () -> Int) -> Int {
        while true {
            let count = call()
            if count >= 0 { return count }
            if errno == EAGAIN { return 0 }
            if errno != EINTR { return -1 }
        }
    }
}

/// The result of a read.
package enum Received {
    /// `isDrained`: nothing is left to read, except perhaps the end of the input.
    case bytes(Int, isDrained: Bool)
    /// The peer has ended its side.
    case end
    case nothingYet
    /// The call had no result; a retry may have one.
    case tryAgain
    case broken
}

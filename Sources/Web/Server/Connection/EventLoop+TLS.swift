import HTTPTypes
import HTTPWire

/// TLS handling of connections.
extension EventLoop {
    /// Bodies up to this size are copied behind their head, so that they share TLS records.
    static let joinedBodyBytes = 128 * 1024

    /// Starts the handshake of a new connection. Returns `false` if there is no memory for it.
    func beginHandshake(on connection: Connection, with context: any SecureContext) -> Bool {
        guard let session = context.session(on: connection.descriptor) else { return false }
        connection.transport = .tls(session)
        connection.phase = .handshaking
        return true
    }

    /// Continues the handshake. Returns whether the connection may continue with requests.
    func shakeHands(with connection: Connection) -> Bool {
        guard !connection.isClosed, case .tls(let session) = connection.transport else { return false }
        while true {
            switch session.shakeHands() {
            case .done:
                connection.phase = .idle
                // The first request may have arrived with the last message of the handshake and be buffered in the
                // session already.
                connection.isReadable = true
                setDeadline(of: connection, after: deadlines.idle)
                // Before a body is charged: OpenSSL has given back what the handshake took.
                settleMemory(of: connection)
                return !connection.isClosed
            case .waitsForInput:
                // The end is signalled only once: read on until it is reached.
                if connection.peerClosed { continue }
                return false
            case .waitsForRoom: return false
            case .plainHTTP:
                refusePlainHTTP(on: connection)
                return true
            case .failed:
                close(connection)
                return false
            }
        }
    }

    /// The client speaks plain HTTP, so the error is sent as plain HTTP.
    private func refusePlainHTTP(on connection: Connection) {
        connection.transport = .plain(connection.descriptor)
        beginRequest(on: connection)
        connection.closesAfterAnswer = true
        fail(.plainHTTP, on: connection)
    }

    /// Resumes reads that wait for the socket to be writable, and writes that wait for input (SSL_get_error(3)).
    func resumeCrossed(_ session: any SecureSession, of connection: Connection) {
        if session.readingWaitsForRoom { connection.isReadable = true }
        if session.writingWaitsForInput, !connection.unsent.isEmpty { sendUnsent(of: connection) }
    }

    /// `Strict-Transport-Security` for responses over TLS (RFC 6797 section 7.2 forbids it on others).
    static func strictTransportLine(_ tls: (any SecureTransport)?) -> [UInt8] {
        guard let seconds = tls?.strictTransportSeconds, seconds > 0 else { return [] }
        return Array("Strict-Transport-Security: max-age=\(seconds)\r\n".utf8)
    }
}

extension Transport {
    /// Sent before the socket is closed, but not after a truncated response, which would look complete.
    func sayGoodbye(unlessWithin connection: Connection) {
        guard case .tls(let session) = self, connection.unsent.isEmpty, !connection.answerIsCut else { return }
        switch connection.phase {
        case .idle, .receiving: session.sayGoodbye()
        case .handshaking, .admitting, .handling, .streaming, .lingering: break
        }
    }
}

extension WireError {
    fileprivate static let plainHTTP = WireError.malformed("This port requires HTTPS: use https://.")
}

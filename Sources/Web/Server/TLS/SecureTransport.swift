/// TLS on a port. The implementation is passed in, so that a server without it needs no TLS library.
package protocol SecureTransport: Sendable {
    /// How long browsers must use only TLS, in seconds (RFC 6797); 0 omits the field.
    var strictTransportSeconds: Int { get set }

    /// Reads certificate and key, and makes a context for each of `count` event loops.
    ///
    /// - Returns: the contexts, and when the certificate expires, in seconds since 1970.
    func contexts(_ count: Int) throws(TLSError) -> (contexts: [any SecureContext], expiresAt: Int)
}

/// What the connections of one event loop share. Only that loop uses it.
package protocol SecureContext: AnyObject, Sendable {
    /// Begins TLS on a non-blocking socket, which stays the caller's. Nil without memory.
    func session(on descriptor: Int32) -> (any SecureSession)?
    /// Tickets with earlier keys are no longer accepted; their clients make a full handshake once.
    func replace(_ keys: TLSTicketKeys)
}

/// TLS on one connection's socket. Never waits; the caller closes the socket.
package protocol SecureSession: AnyObject {
    /// Reading resumes when the socket is writable, for example for a key update.
    var readingWaitsForRoom: Bool { get }
    /// Writing resumes when the socket is readable.
    var writingWaitsForInput: Bool { get }

    /// Memory beyond that of an idle connection, in bytes: an unfinished handshake, an unfinished record, output that
    /// the socket did not take. An estimate.
    var unfinishedBytes: Int { get }

    func shakeHands() -> SecureHandshake
    /// Reads what is available, at most `room` bytes.
    func receive(into buffer: UnsafeMutableRawPointer, room: Int) -> Received
    /// Returns the bytes taken, 0 if there is no room, -1 if the peer is gone. Bytes not taken must be offered again
    /// before any others, because a record with them may already exist.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int
    /// Sends `close_notify` once and does not wait for the reply.
    func sayGoodbye()
}

package enum SecureHandshake {
    case done
    case waitsForInput
    case waitsForRoom
    /// The client sent a request without TLS.
    case plainHTTP
    case failed
}

/// Why a certificate and its key are unusable. Never contains data of the key file.
package struct TLSError: Error, Sendable, CustomStringConvertible {
    package enum Part: Sendable {
        case certificate, key
    }

    package let part: Part
    package let path: String
    package let reason: String

    package init(part: Part, path: String, reason: String) {
        self.part = part
        self.path = path
        self.reason = reason
    }

    package var description: String { "\(path) \(reason)" }
}

/// Keys of session tickets, shared by all loops, because a client may return to any of them.
package struct TLSTicketKeys: Sendable {
    /// A name, an HMAC key and a cipher key, in the format of SSL_CTX_set_tlsext_ticket_keys(3).
    package let bytes: [UInt8]

    package static func random() -> TLSTicketKeys {
        var generator = SystemRandomNumberGenerator()
        return TLSTicketKeys(bytes: (0..<80).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}

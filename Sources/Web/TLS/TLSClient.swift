import COpenSSL
package import HTTPServer

/// TLS towards servers, for all connections and threads: OpenSSL makes sessions from a context on any thread.
package final class TLSClient: Sendable {
    private let context: TLSContext

    /// Nil if OpenSSL has no memory, or `authorities` cannot be read or has no certificate.
    ///
    /// - Parameters:
    ///   - authorities: a PEM file with the certificates to trust; nil for those of the system.
    ///   - isInsecure: accepts any certificate.
    package init?(authorities: String?, isInsecure: Bool) {
        guard let context = TLSContext(ofClient: ()) else { return nil }
        SSL_CTX_set_verify(context.pointer, isInsecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nil)
        let isRead = authorities.map { SSL_CTX_load_verify_locations(context.pointer, $0, nil) }
        guard (isRead ?? SSL_CTX_set_default_verify_paths(context.pointer)) == 1 else { return nil }
        self.context = context
    }

    /// Begins TLS on a non-blocking socket, which stays the caller's. The certificate must be for `host`, a name or an
    /// address. Nil without memory.
    package func session(_ host: String, on descriptor: Int32) -> (any SecureSession)? {
        let session = TLSSession(context, descriptor: descriptor, isClient: true)
        session?.expect(host)
        return session
    }

    /// Why the certificate of the session's server is not trusted; nil if that is not the reason of a failure.
    package static func distrust(_ session: any SecureSession) -> String? { (session as? TLSSession)?.distrust }
}

/// One request to a server on this machine; the name in its certificate is not verified.
package enum TLSProbe {
    /// Sends `request` and returns the first bytes of the response. `descriptor` is a blocking socket; its timeouts
    /// apply to each step.
    package static func exchange(_ request: [UInt8], answerBytes: Int, descriptor: Int32) -> [UInt8]? {
        guard let context = TLSContext(ofClient: ()),
            let session = TLSSession(context, descriptor: descriptor, isClient: true), shakeHands(session),
            request.withUnsafeBytes({ session.send($0) }) == request.count
        else { return nil }
        var answer = [UInt8](repeating: 0, count: answerBytes)
        for _ in 0..<attempts {
            let received = answer.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { session.receive(into: $0, room: buffer.count) } ?? .broken
            }
            switch received {
            case .bytes(let count, _): return Array(answer[..<count])
            case .nothingYet, .tryAgain: continue
            case .end, .broken: return nil
            }
        }
        return nil
    }

    /// A session stops after each read that empties the socket. There are never more than a few messages.
    private static let attempts = 8

    private static func shakeHands(_ session: TLSSession) -> Bool {
        for _ in 0..<attempts {
            switch session.shakeHands() {
            case .done: return true
            case .waitsForInput, .waitsForRoom: continue
            case .plainHTTP, .failed: return false
            }
        }
        return false
    }
}

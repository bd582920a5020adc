import COpenSSL
import Glibc
import HTTPServer

/// TLS through OpenSSL.
final class TLSSession: SecureSession {
    private let ssl: OpaquePointer
    fileprivate let descriptor: Int32
    /// The last read emptied the socket; another system call would return nothing.
    fileprivate var socketIsDrained = false
    /// Bytes that may still be read from the socket in this turn. Records without application data, such as key
    /// updates, would otherwise keep a single call of OpenSSL busy for as long as a client sends them.
    fileprivate var allowance = 0
    private var hasSaidGoodbye = false
    private var isBroken = false
    private(set) var readingWaitsForRoom = false
    private(set) var writingWaitsForInput = false

    private static let bytesPerTurn = 512 * 1024
    /// What OpenSSL 3 allocates, measured: a record's buffer, and what a handshake takes beside it.
    private static let recordBytes = 17 * 1024
    private static let handshakeBytes = 40 * 1024

    init?(_ context: TLSContext, descriptor: Int32, isClient: Bool = false) {
        guard let ssl = SSL_new(context.pointer) else { return nil }
        guard let bio = TLSSocket.makeBIO() else {
            SSL_free(ssl)
            return nil
        }
        self.ssl = ssl
        self.descriptor = descriptor
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        // Takes ownership of the BIO, once for both directions.
        SSL_set_bio(ssl, bio, bio)
        if isClient { SSL_set_connect_state(ssl) } else { SSL_set_accept_state(ssl) }
    }

    deinit { SSL_free(ssl) }

    /// Names the server, whose certificate must be for this name or address.
    func expect(_ host: String) {
        guard X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) != 1 else { return }
        SSL_set1_host(ssl, host)
        var name = Array(host.utf8CString)
        SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), &name)
    }

    /// Why the peer's certificate is not trusted; nil if that is not the reason of a failure.
    var distrust: String? {
        let result = SSL_get_verify_result(ssl)
        return result == Int(X509_V_OK) ? nil : String(cString: X509_verify_cert_error_string(result))
    }

    var unfinishedBytes: Int {
        guard SSL_is_init_finished(ssl) == 1 else { return Self.handshakeBytes }
        var bytes = 0
        if SSL_has_pending(ssl) == 1 { bytes += Self.recordBytes }
        if SSL_want(ssl) == SSL_WRITING { bytes += Self.recordBytes }
        return bytes
    }

    func shakeHands() -> SecureHandshake {
        beginTurn()
        let status = SSL_do_handshake(ssl)
        if status == 1 { return .done }
        switch SSL_get_error(ssl, status) {
        case SSL_ERROR_WANT_READ: return .waitsForInput
        case SSL_ERROR_WANT_WRITE: return .waitsForRoom
        default:
            isBroken = true
            return ERR_GET_REASON(ERR_peek_error()) == SSL_R_HTTP_REQUEST ? .plainHTTP : .failed
        }
    }

    func receive(into buffer: UnsafeMutableRawPointer, room: Int) -> Received {
        beginTurn()
        readingWaitsForRoom = false
        guard !isBroken else { return .broken }
        var total = 0
        while total < room {
            ERR_clear_error()
            let count = SSL_read(ssl, buffer + total, Int32(clamping: room - total))
            if count > 0 {
                total += Int(count)
                if socketIsDrained, SSL_has_pending(ssl) == 0 { return .bytes(total, isDrained: true) }
                continue
            }
            let reason = SSL_get_error(ssl, count)
            switch reason {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
                readingWaitsForRoom = reason == SSL_ERROR_WANT_WRITE
                let isDrained = socketIsDrained || readingWaitsForRoom
                if total > 0 { return .bytes(total, isDrained: isDrained) }
                return isDrained ? .nothingYet : .tryAgain
            case SSL_ERROR_ZERO_RETURN: return total > 0 ? .bytes(total, isDrained: false) : .end
            default:
                isBroken = true
                return total > 0 ? .bytes(total, isDrained: false) : .broken
            }
        }
        return .bytes(total, isDrained: false)
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        writingWaitsForInput = false
        guard !isBroken, let base = bytes.baseAddress else { return isBroken ? -1 : 0 }
        var total = 0
        while total < bytes.count {
            ERR_clear_error()
            let count = SSL_write(ssl, base + total, Int32(clamping: bytes.count - total))
            if count > 0 {
                total += Int(count)
                continue
            }
            switch SSL_get_error(ssl, count) {
            case SSL_ERROR_WANT_WRITE: return total
            case SSL_ERROR_WANT_READ:
                writingWaitsForInput = true
                return total
            default:
                isBroken = true
                return -1
            }
        }
        return total
    }

    func sayGoodbye() {
        guard !hasSaidGoodbye, !isBroken, SSL_is_init_finished(ssl) == 1 else { return }
        hasSaidGoodbye = true
        ERR_clear_error()
        SSL_shutdown(ssl)
    }

    private func beginTurn() {
        socketIsDrained = false
        allowance = Self.bytesPerTurn
        ERR_clear_error()
    }
}

/// OpenSSL's access to the socket of a ``TLSSession``. Unlike OpenSSL's own, it raises no SIGPIPE and recognises a
/// short read, which saves a system call.
///
/// proof: it is made once, never changed afterwards, and lives as long as the process
enum TLSSocket {
    static func makeBIO() -> OpaquePointer? {
        guard let method, let bio = BIO_new(method.pointer) else { return nil }
        BIO_set_init(bio, 1)
        return bio
    }

    // proof: it is made once, never changed afterwards, and lives as long as the process
    private struct Method: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private static let method: Method? = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "subguard socket") else {
            return nil
        }
        BIO_meth_set_read(method) { bio, buffer, count in TLSSocket.read(bio, buffer, count) }
        BIO_meth_set_write(method) { bio, bytes, count in TLSSocket.write(bio, bytes, count) }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return Method(pointer: method)
    }()

    private static func read(_ bio: OpaquePointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ count: Int32) -> Int32 {
        subguard_bio_clear_retry(bio)
        guard let data = BIO_get_data(bio), count > 0 else { return -1 }
        let session = Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue()
        guard !session.socketIsDrained, session.allowance > 0 else {
            subguard_bio_set_retry_read(bio)
            return -1
        }
        while true {
            let received = recv(session.descriptor, buffer, Int(count), 0)
            if received < 0, errno == EINTR { continue }
            session.socketIsDrained = received < Int(count)
            if received < 0, errno == EAGAIN { subguard_bio_set_retry_read(bio) }
            session.allowance -= max(received, 0)
            return Int32(received)
        }
    }

    private static func write(_ bio: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int32) -> Int32 {
        subguard_bio_clear_retry(bio)
        guard let data = BIO_get_data(bio), count > 0 else { return -1 }
        let session = Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue()
        while true {
            let sent = Glibc.send(session.descriptor, bytes, Int(count), Int32(MSG_NOSIGNAL))
            if sent < 0, errno == EINTR { continue }
            if sent < 0, errno == EAGAIN { subguard_bio_set_retry_write(bio) }
            return Int32(sent)
        }
    }
}

import COpenSSL
import Glibc

/// The settings of https, shared by all connections and threads.
///
/// proof: the context is changed in `init` only, and OpenSSL makes sessions from it on any thread.
package final class ClientTLS: @unchecked Sendable {
    private let context: OpaquePointer

    /// - Parameters:
    ///   - authorities: a PEM file with the certificates to trust; nil for those of the system.
    ///   - isInsecure: accepts any certificate.
    package init(authorities: String?, isInsecure: Bool) throws(LoadOptionError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw LoadOptionError("--url", "OpenSSL has no memory for https")
        }
        self.context = context
        SSL_CTX_set_verify(context, isInsecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nil)
        subguard_tls_set_mode(context, Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
        guard let authorities else {
            SSL_CTX_set_default_verify_paths(context)
            return
        }
        guard SSL_CTX_load_verify_locations(context, authorities, nil) == 1 else {
            throw LoadOptionError("--ca-file", "\(authorities) cannot be read or has no certificate")
        }
    }

    deinit { SSL_CTX_free(context) }

    /// The session of a socket. The certificate must be for `host`, a name or an address.
    func session(_ host: String, _ descriptor: Int32) -> Session? { Session(context, host, descriptor) }

    /// One connection, on a socket that does not block. Used by one thread.
    final class Session {
        enum Outcome {
            case done(Int)
            /// Wait until the socket is ready.
            case again
            case failed
        }

        private let ssl: OpaquePointer
        /// Whether it waits for room to write, rather than for input.
        private(set) var wantsToWrite = true

        fileprivate init?(_ context: OpaquePointer, _ host: String, _ descriptor: Int32) {
            guard let ssl = SSL_new(context) else { return nil }
            self.ssl = ssl
            SSL_set_fd(ssl, descriptor)
            SSL_set_connect_state(ssl)
            if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) != 1 {
                SSL_set1_host(ssl, host)
                var name = Array(host.utf8CString)
                SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), &name)
            }
        }

        deinit { SSL_free(ssl) }

        /// Decrypted bytes that the socket does not announce any more.
        var hasPending: Bool { SSL_pending(ssl) > 0 }

        /// Why the certificate is not trusted; nil if that is not the reason of a failure.
        var distrust: String? {
            let result = SSL_get_verify_result(ssl)
            return result == Int(X509_V_OK) ? nil : String(cString: X509_verify_cert_error_string(result))
        }

        func shakeHands() -> Outcome { outcome { SSL_do_handshake(ssl) } }

        func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
            outcome { SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)) }
        }

        func read(_ buffer: UnsafeMutableRawBufferPointer) -> Outcome {
            outcome { SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count)) }
        }

        private func outcome(_ call: () -> Int32) -> Outcome {
            ERR_clear_error()
            let count = call()
            if count > 0 { return .done(Int(count)) }
            let reason = SSL_get_error(ssl, count)
            wantsToWrite = reason == SSL_ERROR_WANT_WRITE
            return reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE ? .again : .failed
        }
    }
}

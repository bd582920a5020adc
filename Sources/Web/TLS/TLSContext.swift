import COpenSSL
package import HTTPServer

/// The paths of certificate and key, and the fields that TLS adds to responses.
package struct TLSConfiguration: SecureTransport {
    /// PEM: the server's certificate first, then the chain to a root.
    package var certificatePath: String
    /// PEM, without a passphrase.
    package var keyPath: String
    package var strictTransportSeconds = 0

    package init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }

    package func contexts(_ count: Int) throws(TLSError) -> (contexts: [any SecureContext], expiresAt: Int) {
        try TLSContext.make(count, self)
    }
}

/// The TLS context of one event loop. Each loop has its own, because OpenSSL's counters and locks would otherwise be
/// shared by every handshake.
///
// proof: after init only the loop that owns the context touches it, and OpenSSL counts its references atomically
final class TLSContext: SecureContext, @unchecked Sendable {
    let pointer: OpaquePointer

    /// In order of preference. A client that puts ChaCha20 first has no AES hardware, and gets ChaCha20.
    private static let ciphers = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")
    private static let suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    private static let groups = "X25519:P-256:P-384"

    /// Makes `count` contexts, reading the files once. Throws ``TLSError``.
    static func make(
        _ count: Int, _ configuration: TLSConfiguration
    ) throws(TLSError) -> (contexts: [TLSContext], expiresAt: Int) {
        let certificate = try PEMFile(configuration.certificatePath, part: .certificate)
        let key = try PEMFile(configuration.keyPath, part: .key)
        let ticketKeys = TLSTicketKeys.random()
        var contexts: [TLSContext] = []
        var expiresAt = 0
        for _ in 0..<count {
            // Parsed again for each context, because a shared key has a shared reference count.
            let credentials = try TLSCredentials(certificate: certificate, key: key)
            expiresAt = credentials.expiresAt
            do throws(Refusal) {
                contexts.append(try TLSContext(credentials, ticketKeys: ticketKeys))
            } catch {
                throw (error.part == .key ? key : certificate).error("is rejected by OpenSSL: \(error.reason)")
            }
        }
        return (contexts, expiresAt)
    }

    private struct Refusal: Error {
        let part: TLSError.Part
        let reason: String

        /// Uses OpenSSL's reason for the last failed call.
        init(_ part: TLSError.Part) {
            self.part = part
            reason = ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) } ?? "no reason given"
            ERR_clear_error()
        }
    }

    private init(_ credentials: TLSCredentials, ticketKeys: TLSTicketKeys) throws(Refusal) {
        ERR_clear_error()
        guard let pointer = SSL_CTX_new(TLS_server_method()) else { throw Refusal(.certificate) }
        self.pointer = pointer
        // Level 2 rejects RSA keys under 2048 bits and SHA-1 (SSL_CTX_set_security_level(3)).
        SSL_CTX_set_security_level(pointer, 2)
        guard subguard_tls_set_minimum_version(pointer, TLS1_2_VERSION) == 1,
            SSL_CTX_set_cipher_list(pointer, Self.ciphers) == 1, SSL_CTX_set_ciphersuites(pointer, Self.suites) == 1,
            subguard_tls_set_groups(pointer, Self.groups) == 1
        else { throw Refusal(.certificate) }
        SSL_CTX_set_options(pointer, subguard_tls_server_options())
        setModes()
        subguard_tls_disable_session_table(pointer)
        SSL_CTX_set_num_tickets(pointer, 1)
        replace(ticketKeys)
        SSL_CTX_set_alpn_select_cb(pointer, Self.chooseProtocol, nil)
        guard SSL_CTX_use_certificate(pointer, credentials.certificate) == 1 else { throw Refusal(.certificate) }
        for certificate in credentials.chain {
            X509_up_ref(certificate)
            guard subguard_tls_add_chain_certificate(pointer, certificate) == 1 else {
                X509_free(certificate)
                throw Refusal(.certificate)
            }
        }
        guard SSL_CTX_use_PrivateKey(pointer, credentials.key) == 1, SSL_CTX_check_private_key(pointer) == 1 else {
            throw Refusal(.key)
        }
    }

    /// For a client, which does not verify the server unless set so.
    init?(ofClient: Void) {
        guard let pointer = SSL_CTX_new(TLS_client_method()) else { return nil }
        self.pointer = pointer
        setModes()
    }

    deinit { SSL_CTX_free(pointer) }

    func session(on descriptor: Int32) -> (any SecureSession)? { TLSSession(self, descriptor: descriptor) }

    func replace(_ keys: TLSTicketKeys) {
        _ = keys.bytes.withUnsafeBytes { subguard_tls_set_ticket_keys(pointer, $0.baseAddress, $0.count) }
    }

    private func setModes() {
        // Buffers may move between two attempts, and idle connections need none.
        subguard_tls_set_mode(
            pointer,
            Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS))
        // Reads a record's header and body in one system call.
        subguard_tls_set_read_ahead(pointer)
    }

    /// RFC 7301 section 3.2: a client that offers only other protocols gets an alert, and the handshake fails.
    private static let chooseProtocol: SSL_CTX_alpn_select_cb_func = { _, chosen, chosenCount, offered, count, _ in
        guard let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let list = UnsafeBufferPointer(start: offered, count: Int(count))
        var start = 0
        while start < list.count {
            let end = start + 1 + Int(list[start])
            guard end <= list.count else { break }
            if list[(start + 1)..<end].elementsEqual("http/1.1".utf8) {
                chosen?.pointee = offered + start + 1
                chosenCount?.pointee = list[start]
                return SSL_TLSEXT_ERR_OK
            }
            start = end
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
}

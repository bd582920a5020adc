#if os(Linux)
    import COpenSSL
    import Glibc

    /// The client's end of a TLS connection, for ``RawClient``. Accepts any certificate, and exposes it.
    package final class SecureChannel {
        package struct Options: Sendable {
            /// `nil` offers no protocol.
            package var protocols: [String]? = ["http/1.1"]
            package var maximumVersion: Int32 = 0
            package init() {}
        }

        /// The handshake failed, with OpenSSL's reason.
        package struct HandshakeError: Error, CustomStringConvertible {
            package let description: String
        }

        enum Outcome {
            case bytes(Int)
            case end, timedOut, reset
        }

        private let ssl: OpaquePointer
        private let descriptor: Int32
        private let timeoutMilliseconds: Int64

        init(descriptor: Int32, timeoutMilliseconds: Int64, _ options: Options) throws {
            // OpenSSL uses write(2), which raises SIGPIPE.
            signal(SIGPIPE, SIG_IGN)
            self.descriptor = descriptor
            self.timeoutMilliseconds = timeoutMilliseconds
            ERR_clear_error()
            guard let context = SSL_CTX_new(TLS_client_method()), let ssl = SSL_new(context) else {
                throw HandshakeError(description: "no memory")
            }
            SSL_CTX_free(context)
            self.ssl = ssl
            if options.maximumVersion != 0 {
                SSL_ctrl(ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(options.maximumVersion), nil)
            }
            if let protocols = options.protocols {
                let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
                SSL_set_alpn_protos(ssl, list, UInt32(list.count))
            }
            SSL_set_fd(ssl, descriptor)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            SSL_set_connect_state(ssl)
            try shakeHands()
        }

        deinit { SSL_free(ssl) }

        private func shakeHands() throws {
            while true {
                ERR_clear_error()
                let status = SSL_do_handshake(ssl)
                if status == 1 { return }
                guard waits(for: SSL_get_error(ssl, status), milliseconds: timeoutMilliseconds) else {
                    let reason = ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) }
                    throw HandshakeError(description: reason ?? "the connection ended")
                }
            }
        }

        /// `TLSv1.3` or the like.
        package var version: String { String(cString: SSL_get_version(ssl)) }

        /// The protocol chosen by the server.
        package var chosenProtocol: String {
            var start: UnsafePointer<UInt8>?
            var count: UInt32 = 0
            SSL_get0_alpn_selected(ssl, &start, &count)
            return String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
        }

        /// The server's certificate as received.
        package var certificate: [UInt8] {
            guard let certificate = SSL_get0_peer_certificate(ssl) else { return [] }
            var start: UnsafeMutablePointer<UInt8>?
            let count = i2d_X509(certificate, &start)
            defer { CRYPTO_free(start, #file, #line) }
            return Array(UnsafeBufferPointer(start: start, count: Int(max(0, count))))
        }

        /// Updates the keys, as a client may at any time (RFC 8446 section 4.6.3). The server responds with its own
        /// update.
        package func updateKeys() { SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) }

        /// Requests renegotiation, which only TLS 1.2 has. Returns `false` if the server rejects it.
        package func renegotiate() -> Bool {
            guard SSL_renegotiate(ssl) == 1 else { return false }
            return (try? shakeHands()) != nil
        }

        /// Sends `close_notify`: we send nothing more but still receive.
        package func sayGoodbye() { SSL_shutdown(ssl) }

        func send(_ bytes: UnsafeRawBufferPointer) -> Int {
            while true {
                ERR_clear_error()
                let count = SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count))
                if count > 0 { return Int(count) }
                guard waits(for: SSL_get_error(ssl, count), milliseconds: timeoutMilliseconds) else { return -1 }
            }
        }

        func receive(into buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant) -> Outcome {
            var total = 0
            while total < buffer.count {
                ERR_clear_error()
                let count = SSL_read(ssl, buffer.baseAddress.map { $0 + total }, Int32(clamping: buffer.count - total))
                if count > 0 {
                    total += Int(count)
                    continue
                }
                if total > 0 { break }
                let reason = SSL_get_error(ssl, count)
                if reason == SSL_ERROR_ZERO_RETURN { return .end }
                guard reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE else { return .reset }
                // The received record was not application data, such as a session ticket: keep waiting, with the same
                // deadline.
                let left = ContinuousClock.now.duration(to: deadline)
                let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
                guard waits(for: reason, milliseconds: milliseconds) else { return .timedOut }
            }
            return .bytes(total)
        }

        /// Waits for what OpenSSL needs to continue; returns `false` after a timeout or for any other reason.
        private func waits(for reason: Int32, milliseconds: Int64) -> Bool {
            guard reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE else { return false }
            let events = reason == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT
            var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            return poll(&waiting, 1, Int32(clamping: max(0, milliseconds))) > 0
        }
    }
#endif

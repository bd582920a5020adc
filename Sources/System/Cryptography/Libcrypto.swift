#if !canImport(CryptoKit)
    import CCrypto

    /// Why a cryptographic operation failed. For the log only: a response never contains the reason.
    package struct CryptographyError: Error, Sendable, CustomStringConvertible {
        package let description: String

        /// Takes the reason of the last failed call from OpenSSL's queue of this thread, and empties the queue.
        init(_ operation: StaticString) {
            let reason = ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) }
            ERR_clear_error()
            description = "\(operation): \(reason ?? "no reason given")"
        }
    }

    /// The algorithms of OpenSSL's libcrypto that are used, each looked up once for the life of the process.
    ///
    // proof: the pointers are written once, before any other thread can see them; OpenSSL only reads what they refer
    // to.
    struct Libcrypto: @unchecked Sendable {
        let sha256: OpaquePointer
        let hmac: OpaquePointer
        let hkdf: OpaquePointer
        let aes256GCM: OpaquePointer
        let chaCha20Poly1305: OpaquePointer

        /// proof: libcrypto lacks one of these algorithms only when its installation is broken or a policy of the
        /// machine forbids it. Then nothing that the product stores can be read or verified, so it must not go on.
        static let shared: Libcrypto = {
            // Without the handler that frees the algorithms at exit, while other threads may still use them.
            guard OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1, let found = Libcrypto() else {
                // proof: see above, a broken libcrypto leaves nothing to go on with
                fatalError("OpenSSL's libcrypto cannot be used: \(CryptographyError("start").description)")
            }
            return found
        }()

        private init?() {
            guard let sha256 = EVP_MD_fetch(nil, "SHA256", nil), let hmac = EVP_MAC_fetch(nil, "HMAC", nil),
                let hkdf = EVP_KDF_fetch(nil, "HKDF", nil),
                let aes256GCM = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil),
                let chaCha20Poly1305 = EVP_CIPHER_fetch(nil, "ChaCha20-Poly1305", nil)
            else { return nil }
            self.sha256 = sha256
            self.hmac = hmac
            self.hkdf = hkdf
            self.aes256GCM = aes256GCM
            self.chaCha20Poly1305 = chaCha20Poly1305
        }

        /// Ends the process: hashing fails only when memory is exhausted.
        static func outOfMemory(_ operation: StaticString) -> Never {
            // proof: these calls fail only when an allocation fails, which ends a Swift program in any case
            fatalError(CryptographyError(operation).description)
        }
    }
#endif

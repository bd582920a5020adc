// Signatures are verified by the server alone, which runs on Linux.
#if !canImport(CryptoKit)
    import CCrypto

    /// A public key on the curve P-256, for ECDSA with SHA-256 (ES256, RFC 7518 section 3.4).
    package final class P256PublicKey: Sendable {
        private let key: PublicKey

        /// Nil unless the two coordinates of 32 bytes are a point on the curve.
        package init?(x: [UInt8], y: [UInt8]) {
            guard x.count == 32, y.count == 32, let key = PublicKey(subguard_p256_public_key([4] + x + y)),
                key.isSound
            else {
                ERR_clear_error()
                return nil
            }
            self.key = key
        }

        /// Nil for a key of another kind or curve.
        init?(_ key: PublicKey) {
            guard EVP_PKEY_is_a(key.handle, "EC") == 1, key.group == "prime256v1" else { return nil }
            self.key = key
        }

        /// Verifies a signature of 64 bytes: the numbers r and s, 32 bytes each, as JSON Web Signatures have it.
        package func isValid(rawSignature: [UInt8], of message: [UInt8]) -> Bool {
            guard rawSignature.count == 64 else { return false }
            return Self.der(rawSignature).map { isValid(derSignature: $0, of: message) } ?? false
        }

        /// Verifies a signature in DER, as WebAuthn has it. Other encodings of the same numbers are not valid.
        package func isValid(derSignature: [UInt8], of message: [UInt8]) -> Bool {
            key.verifies(derSignature, of: message)
        }

        private static func der(_ raw: [UInt8]) -> [UInt8]? {
            guard let signature = ECDSA_SIG_new() else { return nil }
            defer { ECDSA_SIG_free(signature) }
            let halves = raw.withUnsafeBufferPointer { raw in
                (BN_bin2bn(raw.baseAddress, 32, nil), BN_bin2bn(raw.baseAddress.map { $0 + 32 }, 32, nil))
            }
            guard let r = halves.0, let s = halves.1, ECDSA_SIG_set0(signature, r, s) == 1 else {
                BN_free(halves.0)
                BN_free(halves.1)
                return nil
            }
            // Two integers of at most 33 bytes.
            return [UInt8](unsafeUninitializedCapacity: 80) { target, count in
                var end = target.baseAddress
                count = max(0, Int(i2d_ECDSA_SIG(signature, &end)))
            }
        }
    }

    /// A public RSA key of 2048 to 8192 bits, for RSASSA-PKCS1-v1_5 with SHA-256 (RS256, RFC 7518 section 3.3).
    package final class RSAPublicKey: Sendable {
        private let key: PublicKey

        private static let modulusBits = 2048...8192
        /// Longer exponents only make verification slow.
        private static let maximumExponentBits = 33

        /// Numbers with the most significant byte first. Nil unless the modulus has a usable length and both are odd.
        package init?(modulus: [UInt8], exponent: [UInt8]) {
            let digits = modulus.drop { $0 == 0 }
            let power = exponent.drop { $0 == 0 }
            guard Self.modulusBits.contains(Self.bits(digits)),
                (2...Self.maximumExponentBits).contains(Self.bits(power)),
                digits.last.map({ $0 & 1 }) == 1, power.last.map({ $0 & 1 }) == 1,
                let key = PublicKey(
                    subguard_rsa_public_key(Array(digits), Int32(digits.count), Array(power), Int32(power.count)))
            else {
                ERR_clear_error()
                return nil
            }
            self.key = key
        }

        private static func bits(_ number: ArraySlice<UInt8>) -> Int {
            number.first.map { number.count * 8 - $0.leadingZeroBitCount } ?? 0
        }

        /// The signature must be as long as the modulus.
        package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool { key.verifies(signature, of: message) }
    }

    /// OpenSSL's public key.
    ///
    // proof: the key is complete when it is stored and only read afterwards; OpenSSL locks what it caches in it.
    final class PublicKey: @unchecked Sendable {
        let handle: OpaquePointer

        /// Takes ownership.
        init?(_ handle: OpaquePointer?) {
            guard let handle else { return nil }
            self.handle = handle
        }

        deinit { EVP_PKEY_free(handle) }

        /// Whether the point of an elliptic key is on its curve and not the one at infinity.
        var isSound: Bool {
            guard let context = EVP_PKEY_CTX_new(handle, nil) else { return false }
            defer { EVP_PKEY_CTX_free(context) }
            return EVP_PKEY_public_check_quick(context) == 1
        }

        /// The name of an elliptic curve; empty without one.
        var group: String {
            var name = [CChar](repeating: 0, count: 64)
            var count = 0
            guard EVP_PKEY_get_group_name(handle, &name, name.count, &count) == 1 else {
                ERR_clear_error()
                return ""
            }
            return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        /// With SHA-256, and for RSA the padding of PKCS #1 version 1.5.
        func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
            guard let context = EVP_MD_CTX_new() else { return false }
            defer {
                EVP_MD_CTX_free(context)
                ERR_clear_error()
            }
            return EVP_DigestVerifyInit(context, nil, Libcrypto.shared.sha256, nil, handle) == 1
                && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        }
    }
#endif

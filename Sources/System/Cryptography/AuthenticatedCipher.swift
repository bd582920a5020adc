#if canImport(CryptoKit)
    import CryptoKit
    import Foundation
#else
    import CCrypto
#endif

/// Authenticated encryption with a key of 32 bytes. A sealed message is 12 random bytes of nonce, the ciphertext, and
/// 16 bytes of tag, as CryptoKit combines them.
package enum AuthenticatedCipher: Sendable {
    /// AES-256-GCM (NIST SP 800-38D).
    case aes256GCM
    /// ChaCha20-Poly1305 (RFC 8439).
    case chaCha20Poly1305

    package static let keyCount = 32
    package static let nonceCount = 12
    package static let tagCount = 16

    /// Why a message does not open. Wrong key, wrong associated data and damage cannot be told apart.
    package struct NotAuthentic: Error, Sendable {}

    /// Encrypts with a new nonce. A key may seal 2^32 messages.
    ///
    /// - Parameter head: not encrypted, but needed unchanged to open the message.
    package func seal(
        _ plain: [UInt8], key: SecretBytes, authenticating head: some Collection<UInt8> = []
    ) -> [UInt8] {
        seal(plain, key: key, nonce: SecretBytes.random(Self.nonceCount), authenticating: head)
    }

    /// Decrypts what ``seal(_:key:authenticating:)`` made.
    package func open(
        _ sealed: some Collection<UInt8>, key: SecretBytes, authenticating head: some Collection<UInt8> = []
    ) throws(NotAuthentic) -> [UInt8] {
        let sealed = Array(sealed)
        guard sealed.count >= Self.nonceCount + Self.tagCount, key.count == Self.keyCount else {
            throw NotAuthentic()
        }
        return try open(sealed, key, Array(head))
    }

    #if canImport(CryptoKit)
        private func seal(
            _ plain: [UInt8], key: SecretBytes, nonce: [UInt8], authenticating head: some Collection<UInt8>
        ) -> [UInt8] {
            let key = key.withUnsafeBytes { SymmetricKey(data: $0) }
            let sealed: Data? =
                switch self {
                case .aes256GCM:
                    try? AES.GCM.seal(plain, using: key, nonce: .init(data: nonce), authenticating: Array(head))
                        .combined
                case .chaCha20Poly1305:
                    try? ChaChaPoly.seal(plain, using: key, nonce: .init(data: nonce), authenticating: Array(head))
                        .combined
                }
            // proof: CryptoKit refuses only keys and nonces of other lengths, which are fixed here.
            guard let sealed else { fatalError("CryptoKit does not seal") }
            return Array(sealed)
        }

        private func open(_ sealed: [UInt8], _ key: SecretBytes, _ head: [UInt8]) throws(NotAuthentic) -> [UInt8] {
            let key = key.withUnsafeBytes { SymmetricKey(data: $0) }
            let plain: Data? =
                switch self {
                case .aes256GCM:
                    try? AES.GCM.open(.init(combined: sealed), using: key, authenticating: head)
                case .chaCha20Poly1305:
                    try? ChaChaPoly.open(.init(combined: sealed), using: key, authenticating: head)
                }
            guard let plain else { throw NotAuthentic() }
            return Array(plain)
        }
    #else
        private var algorithm: OpaquePointer {
            switch self {
            case .aes256GCM: Libcrypto.shared.aes256GCM
            case .chaCha20Poly1305: Libcrypto.shared.chaCha20Poly1305
            }
        }

        /// With a given nonce, which must never be used twice with a key: for published test vectors.
        package func seal(
            _ plain: [UInt8], key: SecretBytes, nonce: [UInt8], authenticating head: some Collection<UInt8>
        ) -> [UInt8] {
            precondition(key.count == Self.keyCount && nonce.count == Self.nonceCount)
            guard let context = EVP_CIPHER_CTX_new() else { Libcrypto.outOfMemory("seal") }
            defer { EVP_CIPHER_CTX_free(context) }
            let isReady = key.withUnsafeBytes {
                EVP_EncryptInit_ex2(context, algorithm, $0.bindMemory(to: UInt8.self).baseAddress, nonce, nil) == 1
            }
            let head = Array(head)
            let total = Self.nonceCount + plain.count + Self.tagCount
            return [UInt8](unsafeUninitializedCapacity: total) { target, count in
                var written: Int32 = 0
                guard isReady, let start = target.baseAddress, update(context, nil, head, EVP_EncryptUpdate) != nil
                else { Libcrypto.outOfMemory("seal") }
                start.update(from: nonce, count: nonce.count)
                let text = start + Self.nonceCount
                guard update(context, text, plain, EVP_EncryptUpdate) == plain.count,
                    EVP_EncryptFinal_ex(context, text + plain.count, &written) == 1, written == 0,
                    EVP_CIPHER_CTX_ctrl(
                        context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagCount), text + plain.count) == 1
                else { Libcrypto.outOfMemory("seal") }
                count = total
            }
        }

        private func open(_ sealed: [UInt8], _ key: SecretBytes, _ head: [UInt8]) throws(NotAuthentic) -> [UInt8] {
            guard let context = EVP_CIPHER_CTX_new() else { Libcrypto.outOfMemory("open") }
            defer {
                EVP_CIPHER_CTX_free(context)
                ERR_clear_error()
            }
            let text = sealed[Self.nonceCount..<(sealed.count - Self.tagCount)]
            var tag = Array(sealed.suffix(Self.tagCount))
            let isReady = key.withUnsafeBytes {
                EVP_DecryptInit_ex2(context, algorithm, $0.bindMemory(to: UInt8.self).baseAddress, sealed, nil) == 1
            }
            guard isReady, update(context, nil, head, EVP_DecryptUpdate) != nil,
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagCount), &tag) == 1
            else { Libcrypto.outOfMemory("open") }
            var isAuthentic = false
            let plain = [UInt8](unsafeUninitializedCapacity: text.count) { target, count in
                var written: Int32 = 0
                var none: UInt8 = 0
                guard update(context, target.baseAddress, Array(text), EVP_DecryptUpdate) == text.count else { return }
                isAuthentic = EVP_DecryptFinal_ex(context, &none, &written) == 1 && written == 0
                // What is not authentic is not to be seen by anyone.
                if !isAuthentic { OPENSSL_cleanse(target.baseAddress, text.count) }
                count = isAuthentic ? text.count : 0
            }
            guard isAuthentic else { throw NotAuthentic() }
            return plain
        }

        private typealias Update = (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?, UnsafePointer<UInt8>?, Int32
        ) -> Int32

        /// Passes bytes through the cipher in pieces that its interface can count. Returns how many came out; nil after
        /// an error.
        private func update(
            _ context: OpaquePointer, _ target: UnsafeMutablePointer<UInt8>?, _ bytes: [UInt8], _ step: Update
        ) -> Int? {
            var total = 0
            return bytes.withUnsafeBufferPointer { bytes in
                for start in stride(from: 0, to: bytes.count, by: 1 << 30) {
                    var written: Int32 = 0
                    let count = Int32(min(1 << 30, bytes.count - start))
                    guard
                        step(context, target.map { $0 + total }, &written, bytes.baseAddress.map { $0 + start }, count)
                            == 1
                    else { return nil }
                    total += Int(written)
                }
                return total
            }
        }
    #endif
}

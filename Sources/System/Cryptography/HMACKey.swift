#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// A key for HMAC-SHA-256 (RFC 2104). Prepared once; each code then costs two rounds of SHA-256 less.
///
// proof: on Linux the context is written in `init` and then only copied from, which OpenSSL allows from any thread.
package final class HMACKey: @unchecked Sendable {
    #if canImport(CryptoKit)
        private let key: SymmetricKey

        package init(_ bytes: some Collection<UInt8>) { key = SymmetricKey(data: Array(bytes)) }

        package func code(for bytes: some Sequence<UInt8>) -> [UInt8] {
            Array(HMAC<CryptoKit.SHA256>.authenticationCode(for: Array(bytes), using: key))
        }
    #else
        private let context: OpaquePointer

        /// Copies the key into OpenSSL's memory, which is erased with this object.
        package init(_ bytes: some Collection<UInt8>) {
            let key = SecretBytes(bytes)
            guard let context = EVP_MAC_CTX_dup(Prepared.hmac.context),
                key.withUnsafeBytes({ key in
                    // An empty key has no address, and OpenSSL takes none for "keep the former key".
                    let address = key.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
                    return EVP_MAC_init(context, address?.assumingMemoryBound(to: UInt8.self), key.count, nil)
                }) == 1
            else { Libcrypto.outOfMemory("HMAC") }
            self.context = context
        }

        deinit { EVP_MAC_CTX_free(context) }

        package func code(for bytes: some Sequence<UInt8>) -> [UInt8] {
            bytes.withContiguousStorageIfAvailable { code(of: UnsafeRawBufferPointer($0)) }
                ?? Array(bytes).withUnsafeBytes { code(of: $0) }
        }

        private func code(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
            guard let copy = EVP_MAC_CTX_dup(context) else { Libcrypto.outOfMemory("HMAC") }
            defer { EVP_MAC_CTX_free(copy) }
            return [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { target, count in
                guard EVP_MAC_update(copy, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count) == 1,
                    EVP_MAC_final(copy, target.baseAddress, &count, SHA256.byteCount) == 1, count == SHA256.byteCount
                else { Libcrypto.outOfMemory("HMAC") }
            }
        }

        // proof: the context is written once, before any other thread can see it, and then only copied from.
        private struct Prepared: @unchecked Sendable {
            static let hmac = Prepared()
            let context: OpaquePointer

            private init() {
                guard let context = EVP_MAC_CTX_new(Libcrypto.shared.hmac) else { Libcrypto.outOfMemory("HMAC") }
                guard subguard_mac_use_sha256(context) == 1 else { Libcrypto.outOfMemory("HMAC") }
                self.context = context
            }
        }
    #endif

    /// Compares in constant time.
    package func isValid(_ code: some Collection<UInt8>, for bytes: some Sequence<UInt8>) -> Bool {
        ConstantTime.areEqual(code, self.code(for: bytes))
    }
}

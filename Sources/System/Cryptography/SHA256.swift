#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
package struct SHA256: ~Copyable {
    package static let byteCount = 32

    #if canImport(CryptoKit)
        private var state = CryptoKit.SHA256()

        package init() {}

        package mutating func update(buffer: UnsafeRawBufferPointer) { state.update(bufferPointer: buffer) }

        /// The hash of everything so far. Start anew afterwards.
        package consuming func finish() -> [UInt8] { Array(state.finalize()) }
    #else
        private let context: OpaquePointer

        package init() {
            // Copying a context that is ready costs two thirds of preparing one.
            guard let context = EVP_MD_CTX_new(), EVP_MD_CTX_copy_ex(context, Prepared.sha256.context) == 1 else {
                Libcrypto.outOfMemory("SHA-256")
            }
            self.context = context
        }

        deinit { EVP_MD_CTX_free(context) }

        package mutating func update(buffer: UnsafeRawBufferPointer) {
            guard EVP_DigestUpdate(context, buffer.baseAddress, buffer.count) == 1 else {
                Libcrypto.outOfMemory("SHA-256")
            }
        }

        /// The hash of everything so far. Start anew afterwards.
        package consuming func finish() -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: Self.byteCount) { target, count in
                guard EVP_DigestFinal_ex(context, target.baseAddress, nil) == 1 else {
                    Libcrypto.outOfMemory("SHA-256")
                }
                count = Self.byteCount
            }
        }

        // proof: the context is written once, before any other thread can see it, and then only copied from.
        private struct Prepared: @unchecked Sendable {
            static let sha256 = Prepared()
            let context: OpaquePointer

            private init() {
                guard let context = EVP_MD_CTX_new(),
                    EVP_DigestInit_ex(context, Libcrypto.shared.sha256, nil) == 1
                else { Libcrypto.outOfMemory("SHA-256") }
                self.context = context
            }
        }
    #endif

    @inlinable
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        guard
            bytes.withContiguousStorageIfAvailable({ update(buffer: UnsafeRawBufferPointer($0)) }) == nil
        else { return }
        Array(bytes).withUnsafeBytes { update(buffer: $0) }
    }

    /// The hash of bytes that are at hand.
    @inlinable
    package static func hash(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }
}

#if !canImport(CryptoKit)
    /// MD5 (RFC 1321), for formats that name it. Worth nothing against an attacker.
    package enum MD5 {
        package static func hash(of bytes: [UInt8]) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: 16) { target, count in
                guard EVP_Digest(bytes, bytes.count, target.baseAddress, nil, EVP_md5(), nil) == 1 else {
                    Libcrypto.outOfMemory("MD5")
                }
                count = 16
            }
        }
    }
#endif

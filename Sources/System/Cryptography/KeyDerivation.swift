#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// Derives a key from another key, with HKDF and SHA-256 (RFC 5869).
package enum HKDF {
    /// - Parameters:
    ///   - secret: not empty.
    ///   - byteCount: at most 8,160, by the definition of HKDF.
    package static func derive(
        from secret: some Collection<UInt8>, salt: [UInt8], info: [UInt8], byteCount: Int
    ) -> SecretBytes {
        precondition((1...255 * SHA256.byteCount).contains(byteCount) && !secret.isEmpty)
        let secret = SecretBytes(secret)
        #if canImport(CryptoKit)
            let key = CryptoKit.HKDF<CryptoKit.SHA256>.deriveKey(
                inputKeyMaterial: secret.withUnsafeBytes { SymmetricKey(data: $0) }, salt: salt, info: info,
                outputByteCount: byteCount)
            return key.withUnsafeBytes { SecretBytes($0) }
        #else
            guard let context = EVP_KDF_CTX_new(Libcrypto.shared.hkdf) else { Libcrypto.outOfMemory("HKDF") }
            defer { EVP_KDF_CTX_free(context) }
            return SecretBytes(count: byteCount) { target in
                let isDerived = secret.withUnsafeBytes { secret in
                    subguard_hkdf_sha256(
                        context, secret.baseAddress, secret.count, salt, salt.count, info, info.count,
                        target.bindMemory(to: UInt8.self).baseAddress, byteCount)
                }
                guard isDerived == 1 else { Libcrypto.outOfMemory("HKDF") }
            }
        #endif
    }
}

/// Derives a key from a passphrase, with scrypt (RFC 7914): slow and hungry for memory, so that guessing is expensive.
package enum Scrypt {
    /// The costs by the names of RFC 7914. One derivation takes 128 · `rounds` · `blockSize` bytes of memory.
    package struct Costs: Sendable {
        /// N, a power of two above 1.
        package let rounds: Int
        /// r
        package let blockSize: Int
        /// p
        package let parallelism: Int

        package init(rounds: Int, blockSize: Int, parallelism: Int) {
            precondition(rounds > 1 && rounds & (rounds - 1) == 0 && blockSize > 0 && parallelism > 0)
            precondition(blockSize * parallelism < 1 << 24)
            self.rounds = rounds
            self.blockSize = blockSize
            self.parallelism = parallelism
        }
    }

    /// There was not enough memory for the costs.
    package struct OutOfMemory: Error, Sendable {}

    package static func derive(
        from passphrase: [UInt8], salt: [UInt8], costs: Costs, byteCount: Int
    ) throws(OutOfMemory) -> SecretBytes {
        #if canImport(CryptoKit)
            // CryptoKit has no scrypt.
            return ScryptInSwift.derive(from: passphrase, salt: salt, costs: costs, byteCount: byteCount)
        #else
            // Blocks for the table, for all parallel parts, and some room.
            let memory = 128 * costs.blockSize * (costs.rounds + costs.parallelism + 4)
            return try SecretBytes(count: byteCount) { target throws(OutOfMemory) in
                let isDerived = passphrase.withUnsafeBytes { passphrase in
                    EVP_PBE_scrypt(
                        passphrase.bindMemory(to: CChar.self).baseAddress, passphrase.count, salt, salt.count,
                        UInt64(costs.rounds), UInt64(costs.blockSize), UInt64(costs.parallelism), UInt64(memory),
                        target.bindMemory(to: UInt8.self).baseAddress, byteCount)
                }
                ERR_clear_error()
                guard isDerived == 1 else { throw OutOfMemory() }
            }
        #endif
    }
}

/// scrypt on top of HMAC alone, for systems whose library has none. Built everywhere, so that it is tested everywhere.
enum ScryptInSwift {
    static func derive(
        from passphrase: [UInt8], salt: [UInt8], costs: Scrypt.Costs, byteCount: Int
    ) -> SecretBytes {
        let key = HMACKey(passphrase)
        var blocks = stretch(key, salt, to: costs.parallelism * 128 * costs.blockSize)
        let words = 32 * costs.blockSize
        for part in 0..<costs.parallelism {
            var block = (0..<words).map { word in
                let start = part * 4 * words + 4 * word
                return (0..<4).reduce(UInt32(0)) { $0 | UInt32(blocks[start + $1]) << (8 * UInt32($1)) }
            }
            mix(&block, costs)
            for (word, value) in block.enumerated() {
                for byte in 0..<4 {
                    blocks[part * 4 * words + 4 * word + byte] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(byte)))
                }
            }
        }
        return SecretBytes(stretch(key, blocks, to: byteCount))
    }

    /// PBKDF2 (RFC 8018) with one iteration.
    private static func stretch(_ key: HMACKey, _ salt: [UInt8], to byteCount: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var number: UInt32 = 1
        while bytes.count < byteCount {
            bytes += key.code(for: salt + withUnsafeBytes(of: number.bigEndian) { Array($0) })
            number += 1
        }
        return Array(bytes.prefix(byteCount))
    }

    /// RFC 7914 section 5.
    private static func mix(_ block: inout [UInt32], _ costs: Scrypt.Costs) {
        var table: [UInt32] = []
        table.reserveCapacity(costs.rounds * block.count)
        var mixed = [UInt32](repeating: 0, count: block.count)
        for _ in 0..<costs.rounds {
            table += block
            mixBlock(&block, &mixed)
        }
        for _ in 0..<costs.rounds {
            let row = Int(block[block.count - 16]) & (costs.rounds - 1)
            for word in block.indices { block[word] ^= table[row * block.count + word] }
            mixBlock(&block, &mixed)
        }
    }

    /// RFC 7914 section 4. `mixed` is room of the same size.
    private static func mixBlock(_ block: inout [UInt32], _ mixed: inout [UInt32]) {
        let pieces = block.count / 16
        var last = Array(block.suffix(16))
        for piece in 0..<pieces {
            for word in 0..<16 { last[word] ^= block[piece * 16 + word] }
            salsa(&last)
            // Even pieces come first, then odd ones.
            let place = piece / 2 + (piece % 2 == 0 ? 0 : pieces / 2)
            for word in 0..<16 { mixed[place * 16 + word] = last[word] }
        }
        swap(&block, &mixed)
    }

    /// The quarter rounds of a double round of Salsa20: the columns of a square of 4 by 4 words, then its rows.
    private static let quarters = [
        (0, 4, 8, 12), (5, 9, 13, 1), (10, 14, 2, 6), (15, 3, 7, 11),
        (0, 1, 2, 3), (5, 6, 7, 4), (10, 11, 8, 9), (15, 12, 13, 14),
    ]

    /// Salsa20/8 (RFC 7914 section 3).
    private static func salsa(_ block: inout [UInt32]) {
        func rotate(_ value: UInt32, _ shift: UInt32) -> UInt32 { value << shift | value >> (32 - shift) }
        var x = block
        for _ in 0..<4 {
            for (a, b, c, d) in quarters {
                x[b] ^= rotate(x[a] &+ x[d], 7)
                x[c] ^= rotate(x[b] &+ x[a], 9)
                x[d] ^= rotate(x[c] &+ x[b], 13)
                x[a] ^= rotate(x[d] &+ x[c], 18)
            }
        }
        for word in block.indices { block[word] = block[word] &+ x[word] }
    }
}

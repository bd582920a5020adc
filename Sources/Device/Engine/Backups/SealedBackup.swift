import Cryptography
import Foundation

/// Encrypted backups: scrypt (RFC 7914) derives the key, ChaCha20-Poly1305 (RFC 8439) encrypts.
///
/// Layout: magic bytes, scrypt costs in three bytes (log2 of N, r, p), 16 bytes of salt, 16 bytes to tell a wrong
/// passphrase from a damaged file, 12 bytes of nonce, then the ciphertext with its tag. Everything before the nonce is
/// authenticated.
enum SealedBackup {
    private static let mark = Array("SUBGUARD-SEALED-1\n".utf8)
    /// N = 2^15: 32 MiB and about a tenth of a second.
    private static let costs: [UInt8] = [15, 8, 1]
    private static let saltLength = 16
    private static let proofLength = 16
    private static let nonceLength = 12

    static func isSealed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: mark) }

    static func seal(_ bytes: [UInt8], passphrase: Passphrase) throws -> [UInt8] {
        guard !passphrase.isEmpty else { throw DeviceStoreError.passphraseRequired }
        let salt = SecretBytes.random(saltLength)
        let (key, proof) = try keys(passphrase, salt, costs)
        let head = mark + costs + salt + proof
        return head + AuthenticatedCipher.chaCha20Poly1305.seal(bytes, key: key, authenticating: head)
    }

    /// Decrypts a backup; returns plain backups unchanged. Throws ``DeviceStoreError/unsealedBackup`` for a plain one
    /// with a passphrase: its author needed none.
    static func opened(_ bytes: [UInt8], passphrase: Passphrase?) throws -> [UInt8] {
        guard isSealed(bytes) else {
            guard passphrase == nil else { throw DeviceStoreError.unsealedBackup }
            return bytes
        }
        guard let passphrase, !passphrase.isEmpty else { throw DeviceStoreError.passphraseRequired }
        let headLength = mark.count + costs.count + saltLength + proofLength
        guard bytes.count > headLength + nonceLength else { throw BackupDocument.damaged("truncated file") }
        let costs = Array(bytes[mark.count..<mark.count + Self.costs.count])
        guard isAffordable(costs) else { throw BackupDocument.damaged("invalid header") }
        let saltStart = mark.count + costs.count
        let salt = Array(bytes[saltStart..<saltStart + saltLength])
        let (key, proof) = try keys(passphrase, salt, costs)
        guard ConstantTime.areEqual(proof, bytes[saltStart + saltLength..<headLength]) else {
            throw DeviceStoreError.wrongPassphrase
        }
        do {
            return try AuthenticatedCipher.chaCha20Poly1305.open(
                bytes[headLength...], key: key, authenticating: bytes[..<headLength])
        } catch {
            throw BackupDocument.damaged("the encrypted data is damaged")
        }
    }

    /// Checks the costs before deriving a key: at most four times our own memory and time. Leaves room for later
    /// versions and prevents denial of service by a crafted file.
    private static func isAffordable(_ costs: [UInt8]) -> Bool {
        guard (10...17).contains(costs[0]), (1...8).contains(costs[1]), costs[2] >= 1,
            // RFC 7914, section 6.
            Int(costs[0]) < 16 * Int(costs[1])
        else { return false }
        return (1 << Int(costs[0])) * Int(costs[1]) * Int(costs[2]) <= 1 << 20
    }

    /// Derives 64 bytes: the key, and the input of the passphrase check.
    private static func keys(
        _ passphrase: Passphrase, _ salt: [UInt8], _ costs: [UInt8]
    ) throws -> (key: SecretBytes, proof: [UInt8]) {
        let derived = try Scrypt.derive(
            from: passphrase.bytes, salt: salt,
            costs: Scrypt.Costs(
                rounds: 1 << Int(costs[0]), blockSize: Int(costs[1]), parallelism: Int(costs[2])),
            byteCount: 64)
        let proof = derived.withUnsafeBytes { SHA256.hash(of: $0[32...]) }
        return (derived.part(0..<AuthenticatedCipher.keyCount), Array(proof.prefix(proofLength)))
    }
}

/// The passphrase of an encrypted backup.
public struct Passphrase: Sendable, Hashable, ExpressibleByStringLiteral {
    let bytes: [UInt8]

    /// Whether it has no character; an empty passphrase counts as a missing one.
    public var isEmpty: Bool { bytes.isEmpty }

    /// A typed passphrase. Normalised, because keyboards produce different Unicode forms of the same letters.
    public init(_ text: String) { bytes = Array(text.precomposedStringWithCanonicalMapping.utf8) }

    /// A passphrase from a string literal, normalised as a typed one.
    public init(stringLiteral text: String) { self.init(text) }

    /// The bytes of a file in any encoding, without one final line end (LF or CR LF).
    public init(fileContent: [UInt8]) {
        var bytes = fileContent[...]
        if bytes.last == UInt8(ascii: "\n") {
            bytes.removeLast()
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        self.bytes = Array(bytes)
    }
}

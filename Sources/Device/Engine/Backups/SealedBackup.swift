import Crypto
import CryptoExtras
import Foundation

/// A backup that only its passphrase opens: scrypt (RFC 7914) makes the key, ChaCha20-Poly1305 (RFC 8439) seals.
///
/// The file is a mark, the costs of scrypt as three bytes (the logarithm of N, r, p), 16 bytes of salt, 16 that tell a
/// wrong passphrase from a damaged file, 12 of nonce, and the sealed bytes with their tag. Everything before the nonce is
/// authenticated too.
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
        let salt = SymmetricKey(size: .init(bitCount: saltLength * 8)).withUnsafeBytes { Array($0) }
        let (key, proof) = try keys(passphrase, salt, costs)
        let head = mark + costs + salt + proof
        let box = try ChaChaPoly.seal(bytes, using: key, authenticating: head)
        return head + Array(box.combined)
    }

    /// The bytes themselves when they are not sealed.
    static func opened(_ bytes: [UInt8], passphrase: Passphrase?) throws -> [UInt8] {
        guard isSealed(bytes) else { return bytes }
        guard let passphrase, !passphrase.isEmpty else { throw DeviceStoreError.passphraseRequired }
        let headLength = mark.count + costs.count + saltLength + proofLength
        guard bytes.count > headLength + nonceLength else { throw BackupDocument.damaged("it ends too early") }
        let costs = Array(bytes[mark.count..<mark.count + Self.costs.count])
        guard isAffordable(costs) else { throw BackupDocument.damaged("its head is wrong") }
        let saltStart = mark.count + costs.count
        let salt = Array(bytes[saltStart..<saltStart + saltLength])
        let (key, proof) = try keys(passphrase, salt, costs)
        guard proof == Array(bytes[saltStart + saltLength..<headLength]) else { throw DeviceStoreError.wrongPassphrase }
        do {
            let box = try ChaChaPoly.SealedBox(combined: bytes[headLength...])
            return Array(try ChaChaPoly.open(box, using: key, authenticating: bytes[..<headLength]))
        } catch {
            throw BackupDocument.damaged("its seal is broken")
        }
    }

    /// Whether a head asks for no more than it may, before any work: four times the memory and the time of our own costs,
    /// which leaves room for a later version and a hostile file no way to keep us busy.
    private static func isAffordable(_ costs: [UInt8]) -> Bool {
        guard (10...17).contains(costs[0]), (1...8).contains(costs[1]), costs[2] >= 1 else { return false }
        return (1 << Int(costs[0])) * Int(costs[1]) * Int(costs[2]) <= 1 << 20
    }

    /// 64 bytes of scrypt: the key, and what the proof is the hash of.
    private static func keys(
        _ passphrase: Passphrase, _ salt: [UInt8], _ costs: [UInt8]
    ) throws -> (key: SymmetricKey, proof: [UInt8]) {
        let derived = try KDF.Scrypt.deriveKey(
            from: passphrase.bytes, salt: salt, outputByteCount: 64,
            rounds: 1 << Int(costs[0]), blockSize: Int(costs[1]), parallelism: Int(costs[2]))
        return derived.withUnsafeBytes { bytes in
            let key = SymmetricKey(data: bytes[..<32])
            return (key, Array(SHA256.hash(data: bytes[32...]).prefix(proofLength)))
        }
    }
}

/// What opens a sealed backup.
public struct Passphrase: Sendable, Hashable, ExpressibleByStringLiteral {
    let bytes: [UInt8]

    public var isEmpty: Bool { bytes.isEmpty }

    /// What somebody typed: the same letters are the same passphrase in whichever normal form a keyboard sends them.
    public init(_ text: String) { bytes = Array(text.precomposedStringWithCanonicalMapping.utf8) }

    public init(stringLiteral text: String) { self.init(text) }

    /// The bytes of a file as they are, in whatever encoding and with blank lines, but without one line end (LF or CR LF)
    /// at the end, which editors put there.
    public init(fileContent: [UInt8]) {
        var bytes = fileContent[...]
        if bytes.last == UInt8(ascii: "\n") {
            bytes.removeLast()
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        self.bytes = Array(bytes)
    }
}

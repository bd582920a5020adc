import Cryptography
import Foundation
import Testing

/// Backups that were changed by hand, with the checksum that anyone can compute.
enum ForgedBackup {
    /// The text of a backup with the checksum of its tables.
    static func resealed(_ text: String) throws -> [UInt8] {
        let start = try #require(text.range(of: "\"tables\":")).upperBound
        let digest = SHA256.hash(of: text[start...].dropLast().utf8)
        let hexadecimal = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let sum = try #require(text.range(of: "\"checksum\":\"")).upperBound
        let end = text.index(sum, offsetBy: 64)
        return Array(text.replacingCharacters(in: sum..<end, with: hexadecimal).utf8)
    }

    /// A backup in which every timestamp is this one.
    static func stamped(_ backup: [UInt8], _ stamp: String) throws -> [UInt8] {
        // Nothing else has 32 digits: ids have hyphens.
        try resealed(String(decoding: backup, as: UTF8.self).replacing(/[0-9a-f]{32}/, with: stamp))
    }
}

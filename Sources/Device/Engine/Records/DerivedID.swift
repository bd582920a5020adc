import Cryptography
import Foundation
import SubGuardDomain

/// Ids of things that are the same on all devices and in all imports because of what they are.
enum DerivedID {
    /// A UUID of version 8 (RFC 9562), the version for custom ids, from the SHA-256 of a text.
    static func of(_ name: String) -> UUID {
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (index, byte) in SHA256.hash(of: name.utf8).prefix(16).enumerated() {
            if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
        }
        return UUID(high: high & ~0xF000 | 0x8000, low: low & ~(3 << 62) | 1 << 63)
    }
}

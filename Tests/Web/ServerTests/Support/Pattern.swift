import Glibc
import TestKit

/// Varying bytes, so that a lost or duplicated piece is detected.
enum Pattern {
    static func bytes(_ count: Int) -> [UInt8] {
        // 251 is a prime, so no buffer size is a multiple of it.
        var bytes = Array(UInt8(0)..<251)
        while bytes.count < count { bytes += bytes }
        return Array(bytes.prefix(count))
    }

    /// Text of this many bytes, for bodies of requests.
    static func text(_ count: Int) -> String {
        String(repeating: "12.34 2024-02-29 ", count: count / 17 + 1).prefix(count).description
    }
}

extension RawResponse {
    /// Compares large bodies fast, without printing them if they differ.
    func hasBody(_ expected: [UInt8]) -> Bool {
        body.withUnsafeBytes { own in
            expected.withUnsafeBytes { other in
                guard own.count == other.count, let ownBase = own.baseAddress, let otherBase = other.baseAddress else {
                    return own.isEmpty && other.isEmpty
                }
                return memcmp(ownBase, otherBase, own.count) == 0
            }
        }
    }
}

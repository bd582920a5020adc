import Cryptography

/// Paths of logos as servers give them.
package enum LogoPath {
    package static func of(_ content: [UInt8], suffix: String = "png") -> String {
        let digits = SHA256.hash(of: content).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return "/logos/\(digits.joined()).\(suffix)"
    }
}

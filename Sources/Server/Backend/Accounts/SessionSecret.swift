import Crypto
import TextCoding

/// The form of session tokens: `sga_` for access or `sgr_` for refresh, and 43 characters of base64url for 256 random bits.
package enum SessionSecret: String, Sendable {
    case access
    case refresh

    static let randomByteCount = 32
    package static let characterCount = 47

    var prefix: String { self == .access ? "sga_" : "sgr_" }

    func makeText(of random: [UInt8]) -> String { prefix + Base64URL.text(of: random) }

    static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }

    /// Whether a text can be such a token at all.
    package func isWellFormed(_ token: String) -> Bool {
        token.utf8.count == Self.characterCount && token.hasPrefix(prefix)
            && token.utf8.dropFirst(prefix.utf8.count).allSatisfy(Base64URL.isDigit)
    }
}

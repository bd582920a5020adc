import Crypto
import TextCoding

/// The form of a token: `sgt_` and 43 characters of base64url (RFC 4648 section 5, no padding) for 256 random bits.
package enum AccessTokenSecret {
    static let prefix = "sgt_"
    static let randomByteCount = 32
    static let characterCount = 47
    /// Four characters of the secret are shown: 24 of its 256 bits.
    static let hintCharacterCount = 8

    static func makeText(of random: [UInt8]) -> String {
        prefix + Base64URL.text(of: random)
    }

    static func hash(_ token: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(token.utf8)))
    }

    /// Whether a text can be a token at all, so that no megabyte is hashed for a caller without one.
    package static func isWellFormed(_ token: String) -> Bool {
        token.utf8.count == characterCount && token.hasPrefix(prefix)
            && token.utf8.dropFirst(prefix.utf8.count).allSatisfy(Base64URL.isDigit)
    }
}

import Crypto
import TextCoding

/// Who reports events: a random number of this store's own, of which nothing but the SHA-256 ever leaves it. It is in
/// no backup, export or merge, so that a copy on another device is another user.
enum AnonymousID {
    /// 256 random bits in hexadecimal digits.
    static func make(_ random: () -> UInt64) -> String {
        (0..<4).map { _ in
            let digits = String(random(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// The `user_id` of events: 64 lower-case hexadecimal digits.
    static func hash(_ id: String) -> String { Hexadecimal.text(SHA256.hash(data: Array(id.utf8))) }
}

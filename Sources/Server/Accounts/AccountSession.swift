import Cryptography
package import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL
import TextCoding

/// The account and session of an authenticated session call.
package struct AccountSession: Sendable, Hashable {
    package let id: UUID
    package let accountID: UUID
}

/// Why a refresh token or an identity token is rejected, as far as its sender may know.
package enum AccountRefusal: Error, Sendable, Hashable {
    case invalidIdentityToken
    case invalidRefreshToken
}

/// The form of session tokens: `sga_` for access or `sgr_` for refresh, and 43 characters of base64url for 256 random
/// bits.
package enum SessionSecret: String, Sendable {
    case access
    case refresh

    static let randomByteCount = 32
    package static let characterCount = 47

    var prefix: String { self == .access ? "sga_" : "sgr_" }

    func makeText(of random: [UInt8]) -> String { prefix + Base64URL.text(of: random) }

    static func hash(_ token: String) -> [UInt8] { SHA256.hash(of: token.utf8) }

    /// Whether a text has the form of such a token.
    package func isWellFormed(_ token: String) -> Bool {
        token.utf8.count == Self.characterCount && token.hasPrefix(prefix)
            && token.utf8.dropFirst(prefix.utf8.count).allSatisfy(Base64URL.isDigit)
    }
}

/// The texts of an access and a refresh token.
struct SessionSecretPair {
    let access: String
    let refresh: String

    init(random: (Int) -> [UInt8]) {
        access = SessionSecret.access.makeText(of: random(SessionSecret.randomByteCount))
        refresh = SessionSecret.refresh.makeText(of: random(SessionSecret.randomByteCount))
    }

    /// The pair that follows a refresh token, always the same. Only the database's key and the token together lead to
    /// it, and of the token the database has no more than a hash.
    init(after refreshToken: String, _ key: AccountKey) {
        access = SessionSecret.access.makeText(of: key.sessionSecret(.access, after: refreshToken))
        refresh = SessionSecret.refresh.makeText(of: key.sessionSecret(.refresh, after: refreshToken))
    }
}

/// The secret of a database for hashing Apple's ids of people and purchases, and for deriving tokens of sessions: 32
/// random bytes in `store_metadata`, made on first use. It is stored beside the hashes, so it only prevents comparing
/// hashes of two databases and reading Apple's ids from a row.
struct AccountKey {
    private let key: HMACKey

    static func load(_ context: BackendContext, in transaction: any SQLTransaction) throws -> AccountKey {
        if let known = try find(in: transaction) { return known }
        try transaction.execute(
            "INSERT INTO store_metadata (key, value) VALUES ('account_key', ?) ON CONFLICT (key) DO NOTHING",
            [.blob(context.makeRandomBytes(32))])
        guard let made = try find(in: transaction) else {
            throw SQLError(code: .other, number: 0, context: "make account key")
        }
        return made
    }

    /// Nil before the first account or purchase.
    static func find(in session: any SQLSession) throws -> AccountKey? {
        let bytes = try session.first("SELECT value FROM store_metadata WHERE key = 'account_key'") { try $0.blob(0) }
        guard let bytes else { return nil }
        guard bytes.count == 32 else { throw SQLError.malformed("account_key") }
        return AccountKey(key: HMACKey(bytes))
    }

    func subjectHash(_ subject: String) -> [UInt8] { digest("apple subject", subject) }

    /// The Sandbox numbers its transactions on its own, so its numbers are others' in Production.
    func purchaseHash(_ purchase: AppStoreTransaction) -> [UInt8] {
        digest(
            purchase.environment == .production ? "purchase" : "sandbox purchase", purchase.originalTransactionID)
    }

    /// A UUID of version 8 (RFC 9562 section 5.8).
    func purchaseToken(_ subject: String) -> UUID { UUID(version8: digest("purchase token", subject)) }

    /// 32 bytes.
    func sessionSecret(_ kind: SessionSecret, after refreshToken: String) -> [UInt8] {
        digest("session \(kind.rawValue)", refreshToken)
    }

    private func digest(_ kind: String, _ text: String) -> [UInt8] {
        key.code(for: "\(kind)\u{0}\(text)".utf8)
    }
}

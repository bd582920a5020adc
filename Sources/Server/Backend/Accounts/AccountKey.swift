import Crypto
import Foundation
import SQLDatabase
import SubGuardSQL

/// The secret of the store with which people and purchases are told apart without keeping what Apple calls them: 32 random
/// bytes in `store_metadata`, made when they are first needed. It lies in the store beside what it protects: it keeps the
/// hashes of two stores from being compared, and Apple's ids from being read off a row.
struct AccountKey {
    private let key: SymmetricKey

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

    /// Nil while no account and no purchase was ever seen.
    static func find(in session: any SQLSession) throws -> AccountKey? {
        let bytes = try session.first("SELECT value FROM store_metadata WHERE key = 'account_key'") { try $0.blob(0) }
        guard let bytes else { return nil }
        guard bytes.count == 32 else { throw SQLError.malformed("account_key") }
        return AccountKey(key: SymmetricKey(data: bytes))
    }

    func subjectHash(_ subject: String) -> [UInt8] { digest("apple subject", subject) }

    func purchaseHash(_ originalTransactionID: String) -> [UInt8] { digest("purchase", originalTransactionID) }

    /// A UUID of version 8, whose meaning is the maker's own (RFC 9562 section 5.8).
    func purchaseToken(_ subject: String) -> UUID {
        var bytes = Array(digest("purchase token", subject).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private func digest(_ kind: String, _ text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("\(kind)\u{0}\(text)".utf8), using: key))
    }
}

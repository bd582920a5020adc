package import Foundation
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// The effect of an account notification from Apple.
package enum AccountNotificationOutcome: String, Sendable {
    case erased
    /// No such account.
    case unknownAccount = "unknown_account"
    /// A kind without effect here, such as one about mail addresses.
    case ignored
    case duplicate
}

extension AccountStore {
    /// Erases the account, its sessions, tokens and granted premium in one transaction. Its purchases lose their
    /// account, but their latest App Store state is kept for a while: otherwise a refund could be undone by erasing the
    /// account and presenting an older signed message. Signing in again later creates a new account. Repeating it
    /// changes nothing.
    package func erase(_ accountID: UUID) throws {
        try context.store.write { try Self.erase(accountID, in: $0) }
    }

    private static func erase(_ id: UUID, in transaction: any SQLTransaction) throws {
        // Purchases before the account, whose cascade would delete them. It would delete the other rows too; they are
        // listed so that nothing depends on a setting of the connection.
        for statement in [
            "DELETE FROM premium_grants WHERE account_id = ?",
            "UPDATE purchases SET account_id = NULL WHERE account_id = ?",
            "DELETE FROM session_tokens WHERE session_id IN (SELECT id FROM account_sessions WHERE account_id = ?)",
            "DELETE FROM account_sessions WHERE account_id = ?",
            "DELETE FROM accounts WHERE id = ?",
        ] {
            try transaction.execute(statement, [.uuid(id)])
        }
    }

    /// Handles a notification from Apple (`payload`, a JWT): revoked consent and a deleted account erase the account.
    /// Each counts once, by its `jti`. Throws ``SignatureRefusal`` for messages that Apple did not sign for one of the
    /// apps, and ``SigningKeyCache/Failure``.
    package func receive(_ payload: String, identity: AppleIdentity) throws -> AccountNotificationOutcome {
        let now = context.now()
        let claims = try identity.payload(of: payload, at: now)
        guard let id = claims["jti"]?.stringValue, (1...256).contains(id.utf8.count) else {
            throw SignatureRefusal("has no id")
        }
        // Usually JSON in a string.
        let inner = claims["events"]?.stringValue.flatMap { try? JSONValue.parse(Array($0.utf8)) } ?? claims["events"]
        guard let event = inner?.objectValue else { throw SignatureRefusal("has no event") }
        let until = max(
            claims["exp"]?.wholeSeconds ?? now, now.adding(days: Self.notificationDays))
        return try context.store.write { transaction in
            let proof = SpentProofs.hash("account_notification", Array(id.utf8))
            guard try SpentProofs.spend(proof, until: until, in: transaction) else { return .duplicate }
            guard let type = event["type"]?.stringValue, Self.erasing.contains(type) else { return .ignored }
            guard let subject = event["sub"]?.stringValue, let key = try AccountKey.find(in: transaction) else {
                return .unknownAccount
            }
            let account = try transaction.first(
                "SELECT id FROM accounts WHERE subject_hash = ?", [.blob(key.subjectHash(subject))]
            ) { try $0.uuid(0) }
            guard let account else { return .unknownAccount }
            try Self.erase(account, in: transaction)
            return .erased
        }
    }

    /// The older name of `account-deleted` is sent, too.
    private static let erasing: Set<String> = ["consent-revoked", "account-deleted", "account-delete"]

    /// Minimum time for which the id of a notification is kept, so that an old one cannot erase a new account.
    package static let notificationDays = 30

    /// How long a spent proof is kept after its end: for a server whose clock is behind it has not ended.
    package static let proofGraceMinutes: Int64 = 10

    /// Removes expired tokens, sessions without tokens, and expired proofs. Returns the number of rows.
    package func purge() throws -> Int {
        try context.write { transaction, now in
            try transaction.execute("DELETE FROM session_tokens WHERE expires_at <= ?", [.instant(now)])
                + transaction.execute(
                    """
                    DELETE FROM account_sessions
                    WHERE NOT EXISTS (SELECT 1 FROM session_tokens t WHERE t.session_id = account_sessions.id)
                    """)
                + transaction.execute(
                    "DELETE FROM spent_proofs WHERE expires_at <= ?",
                    [.instant(now.adding(seconds: -Self.proofGraceMinutes * 60))])
        }
    }
}

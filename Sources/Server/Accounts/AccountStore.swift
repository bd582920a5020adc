import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardContract
import SubGuardDomain
import SubGuardSQL
import Synchronization

/// Accounts of people who signed in with Apple, and their sessions. docs/api.md#accounts has the rules and their
/// reasons.
package struct AccountStore: Sendable {
    let context: BackendContext
    package let repetitions = RefreshRepetitions()

    /// Lifetime of an access token. Short, because it can only be revoked by ending its session.
    package static let accessSeconds: Int64 = 3600
    /// Lifetime of an unused refresh token.
    package static let refreshDays = 90
    /// How long a used refresh token gives its pair again: an app and its widget may refresh at the same moment.
    package static let graceMilliseconds: Int64 = 30_000
    /// How long it does so if the pair is unused, because the response may have been lost.
    package static let lostGraceMilliseconds: Int64 = 60_000

    package init(context: BackendContext) { self.context = context }

    /// Signs in with Apple's identity token, whose nonce is the SHA-256 of `nonce`: makes the account if it is new, and
    /// a session. Throws ``SignatureRefusal``, also for a token used before, and ``SigningKeyCache/Failure``.
    package func signIn(_ identityToken: String, nonce: String, identity: AppleIdentity) throws -> SessionTokens {
        let now = context.now()
        let token = try IdentityToken(identityToken, nonce: nonce, identity: identity, at: now)
        return try context.store.write { transaction in
            let until = token.expiresAt.adding(seconds: AppleIdentity.leewaySeconds)
            for proof in token.proofs {
                guard try SpentProofs.spend(proof, until: until, in: transaction) else {
                    throw SignatureRefusal("used before")
                }
            }
            let account = try account(of: token.subject, at: now, in: transaction)
            let session = AccountSession(id: context.makeID(), accountID: account)
            try transaction.execute(
                "INSERT INTO account_sessions (id, account_id, created_at) VALUES (?, ?, ?)",
                [.uuid(session.id), .uuid(account), .instant(now)])
            let first = SessionSecretPair(random: context.makeRandomBytes)
            return try issue(first, for: session.id, generation: 0, at: now, in: transaction)
        }
    }

    private func account(of subject: String, at now: UTCInstant, in transaction: any SQLTransaction) throws -> UUID {
        let key = try AccountKey.load(context, in: transaction)
        let hash = key.subjectHash(subject)
        try transaction.execute(
            """
            INSERT INTO accounts (id, subject_hash, purchase_token, created_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (subject_hash) DO NOTHING
            """, [.uuid(context.makeID()), .blob(hash), .uuid(key.purchaseToken(subject)), .instant(now)])
        let id = try transaction.first("SELECT id FROM accounts WHERE subject_hash = ?", [.blob(hash)]) {
            try $0.uuid(0)
        }
        guard let id else { throw SQLError(code: .other, number: 0, context: "make account") }
        return id
    }

    /// Stores a new pair of tokens.
    func issue(
        _ pair: SessionSecretPair, for session: UUID, generation: Int64, at now: UTCInstant,
        in transaction: any SQLTransaction
    ) throws -> SessionTokens {
        let rows: [(token: String, kind: SessionSecret, until: UTCInstant)] = [
            (pair.access, .access, now.adding(seconds: Self.accessSeconds)),
            (pair.refresh, .refresh, now.adding(days: Self.refreshDays)),
        ]
        for row in rows {
            try transaction.execute(
                """
                INSERT INTO session_tokens (token_hash, session_id, kind, generation, expires_at) VALUES (?, ?, ?, ?, ?)
                """,
                [
                    .blob(SessionSecret.hash(row.token)), .uuid(session), .text(row.kind.rawValue),
                    .integer(generation), .instant(row.until),
                ])
        }
        return SessionTokens(
            accessToken: pair.access, refreshToken: pair.refresh, expiresIn: Self.accessSeconds)
    }
}

/// Counts refresh tokens that gave their pair a second time, for the metrics.
package final class RefreshRepetitions: Sendable {
    private let sum = Atomic<Int64>(0)

    package var count: Int64 { sum.load(ordering: .relaxed) }

    func add() { sum.add(1, ordering: .relaxed) }
}

package import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Lists of passkeys, and their removal.
extension PasskeyStore {
    static let columns = "id, token_id, name, relying_party, created_at, last_used_at"

    static func passkey(_ row: any SQLRow) throws -> Passkey {
        Passkey(
            id: try row.uuid(0), tokenID: try row.uuid(1), name: try row.text(2), relyingParty: try row.text(3),
            createdAt: try row.instant(4), lastUsedAt: try row.optionalInstant(5))
    }

    /// The passkeys of one token, or all, the oldest first.
    package func list(ofToken tokenID: UUID? = nil) throws -> [ListedPasskey] {
        try context.store.read { try Self.listed(ofToken: tokenID, in: $0) }
    }

    /// There are a few for each token, so no page is needed.
    private static func listed(ofToken tokenID: UUID?, in session: any SQLSession) throws -> [ListedPasskey] {
        let rows = try session.query(
            """
            SELECT \(columns) FROM console_passkeys \(tokenID == nil ? "" : "WHERE token_id = ?")
            ORDER BY created_at, id
            """, tokenID.map { [.uuid($0)] } ?? [], passkey)
        return try rows.compactMap { row in
            try AccessTokenStore.find(row.tokenID, in: session).map { ListedPasskey(passkey: row, token: $0) }
        }
    }

    /// Removes a passkey. Returns false if it is not there, or belongs to another token than `tokenID`; nil means any.
    /// Throws ``BackendError/forbidden(detail:)`` for one of another token with permissions that the actor does not
    /// hold.
    @discardableResult
    package func remove(_ id: UUID, ofToken tokenID: UUID?, by actor: Actor) throws -> Bool {
        try context.store.write { transaction in
            let transaction = AuditedTransaction(transaction, by: actor, at: context.now())
            guard
                let found = try Self.listed(ofToken: tokenID, in: transaction).first(where: { $0.passkey.id == id })
            else { return false }
            if found.token.id != actor.tokenID {
                try AccessTokenStore.requireHeld(found.token.role, in: transaction)
            }
            try Self.remove(found, in: transaction)
            return true
        }
    }

    /// Gives the passkeys of a token that is being replaced to the one that replaces it.
    static func moveAll(ofToken old: UUID, to new: UUID, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            "UPDATE console_passkeys SET token_id = ? WHERE token_id = ?", [.uuid(new), .uuid(old)])
    }

    /// Removes the passkeys of a token that is being revoked.
    static func removeAll(ofToken tokenID: UUID, in transaction: AuditedTransaction) throws {
        for found in try listed(ofToken: tokenID, in: transaction) {
            try remove(found, in: transaction)
        }
        try transaction.execute("DELETE FROM console_challenges WHERE token_id = ?", [.uuid(tokenID)])
    }

    private static func remove(_ removed: ListedPasskey, in transaction: AuditedTransaction) throws {
        try transaction.execute("DELETE FROM console_passkeys WHERE id = ?", [.uuid(removed.passkey.id)])
        try transaction.audit(
            .consolePasskeyRemove, of: removed.passkey.id, before: auditJSON(removed.passkey, of: removed.token))
    }

    static func auditJSON(_ passkey: Passkey, of token: AccessToken) -> String {
        JSONWriter.text { writer in
            writer.field("name", passkey.name)
            writer.field("token", token.name)
            writer.field("role", token.role.name)
            writer.field("host", passkey.relyingParty)
            writer.field("created_at", passkey.createdAt.rfc3339)
        }
    }
}

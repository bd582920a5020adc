package import Foundation
import JSONWire
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Lists of sessions, their end, and what the audit log says about sign-ins.
extension ConsoleSessionStore {
    // MARK: Lists

    /// The sessions that have not ended, the latest use first; those of one token, or all.
    package func list(ofToken tokenID: UUID? = nil) throws -> [ListedConsoleSession] {
        try context.store.read { try listed(ofToken: tokenID, in: $0) }
    }

    /// There are a few sessions for each token, so no page is needed.
    func listed(ofToken tokenID: UUID?, in session: any SQLSession) throws -> [ListedConsoleSession] {
        let now = context.now()
        let rows = try session.query(
            """
            SELECT \(Self.columns) FROM console_sessions \(tokenID == nil ? "" : "WHERE token_id = ?")
            ORDER BY last_used_at DESC, id DESC
            """, tokenID.map { [.uuid($0)] } ?? [], Self.session)
        return try rows.filter { $0.isCurrent(at: now) }.compactMap { row in
            guard let token = try AccessTokenStore.find(row.tokenID, in: session), token.isValid(at: now) else {
                return nil
            }
            return ListedConsoleSession(session: row, token: token)
        }
    }

    static func session(_ row: any SQLRow) throws -> ConsoleSession {
        ConsoleSession(
            id: try row.uuid(0), tokenID: try row.uuid(1), browser: try row.optionalText(2),
            createdAt: try row.instant(3), lastUsedAt: try row.instant(4), confirmedAt: try row.instant(5))
    }

    // MARK: The end

    /// Signs out: ends the sessions of secrets. Unknown secrets change nothing, and take no turn from writers.
    package func end(_ secrets: Set<String>, requestID: String? = nil) throws {
        guard let list = SQLIDList(hashes: Array(Self.hashes(of: secrets).keys)) else { return }
        func found(in session: any SQLSession) throws -> [ConsoleSession] {
            try session.query(
                "SELECT \(Self.columns) FROM console_sessions WHERE secret_hash IN \(list.placeholders)",
                list.arguments, Self.session)
        }
        guard try !context.store.read(found).isEmpty else { return }
        try context.store.write { transaction in
            for session in try found(in: transaction) {
                guard let token = try AccessTokenStore.find(session.tokenID, in: transaction) else { continue }
                let own = AuditedTransaction(transaction, by: Self.actor(token, requestID), at: context.now())
                try Self.end(ListedConsoleSession(session: session, token: token), as: .consoleSignOut, in: own)
            }
        }
    }

    /// Ends a session. Returns false if it is not there, or belongs to another token than `tokenID`; nil means any.
    /// Throws ``BackendError/forbidden(detail:)`` for a session of another token with permissions that the actor does
    /// not hold.
    @discardableResult
    package func end(_ id: UUID, ofToken tokenID: UUID?, by actor: Actor) throws -> Bool {
        try context.store.write { transaction in
            guard let found = try listed(ofToken: tokenID, in: transaction).first(where: { $0.session.id == id })
            else { return false }
            let own = AuditedTransaction(transaction, by: actor, at: context.now())
            if found.token.id != actor.tokenID { try AccessTokenStore.requireHeld(found.token.role, in: own) }
            try Self.end(found, in: own)
            return true
        }
    }

    /// Ends every session but one: those of one token, or all of which the actor holds the permissions. Returns their
    /// number.
    @discardableResult
    package func endAll(except id: UUID, ofToken tokenID: UUID?, by actor: Actor) throws -> Int {
        try context.store.write { transaction in
            let now = context.now()
            let actor = try actor.renewed(at: now, in: transaction)
            let own = AuditedTransaction(transaction, by: actor, at: now)
            let others = try listed(ofToken: tokenID, in: transaction).filter { other in
                other.session.id != id
                    && (other.token.id == actor.tokenID || other.token.role.permissions.isSubset(of: actor.permissions))
            }
            for other in others { try Self.end(other, in: own) }
            return others.count
        }
    }

    static func end(
        _ ended: ListedConsoleSession, as action: AuditAction = .consoleSessionEnd, in transaction: AuditedTransaction
    ) throws {
        try transaction.execute("DELETE FROM console_sessions WHERE id = ?", [.uuid(ended.session.id)])
        try transaction.audit(action, of: ended.session.id, before: auditJSON(ended.session, of: ended.token))
    }

    // MARK: Confirmation and refusals

    /// Records that the token was entered again.
    package func confirm(_ id: UUID, at instant: UTCInstant) throws {
        try context.store.write { transaction in
            try transaction.execute(
                "UPDATE console_sessions SET confirmed_at = ? WHERE id = ?", [.instant(instant), .uuid(id)])
        }
    }

    /// Writes a row about a refused sign-in. The row has no network address, because audit rows are kept for ever; the
    /// log has it under the same request id.
    ///
    /// - Parameters:
    ///   - token: that of the session, when it was asked for again.
    ///   - unrecorded: the number of refusals before it that have no row.
    package func noteRefusal(
        _ reason: String, of token: AccessToken?, requestID: String, unrecorded: Int = 0
    ) throws {
        let actor =
            token.map { Self.actor($0, requestID) }
            ?? Actor(tokenID: nil, name: "console sign-in", requestID: requestID, permissions: [])
        let after = JSONWriter.text { writer in
            writer.field("reason", reason)
            if unrecorded > 0 { writer.field("unrecorded", unrecorded) }
        }
        try context.write { transaction, now in
            try AuditLog.append(.consoleSignInRefused, after: after, by: actor, at: now, in: transaction)
        }
    }

    static func actor(_ token: AccessToken, _ requestID: String?) -> Actor {
        Actor(tokenID: token.id, name: token.name, requestID: requestID, permissions: token.role.permissions)
    }

    static func auditJSON(_ session: ConsoleSession, of token: AccessToken, means: Means? = nil) -> String {
        JSONWriter.text { writer in
            writer.field("token", token.name)
            writer.field("role", token.role.name)
            writer.field("browser", session.browser)
            if let means { writer.field("by", means.rawValue) }
            writer.field("created_at", session.createdAt.rfc3339)
        }
    }
}

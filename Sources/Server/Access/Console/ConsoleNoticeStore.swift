package import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// What forms of the console did, for the page that follows: every server that shares the database can say it, and undo
/// it. Kept for an hour, at most until the session ends.
package struct ConsoleNoticeStore: Sendable {
    private let context: BackendContext

    package init(context: BackendContext) { self.context = context }

    package static let minutes = 60
    private static let mostOfASession = 20

    /// Keeps a notice; another of the same id is replaced.
    ///
    /// - Parameter location: the address that says it.
    package func keep(_ content: String, id: String, ofSession session: UUID, at location: String) throws {
        try context.write { transaction, now in
            try Self.purge(before: now.adding(seconds: -Int64(Self.minutes) * 60), in: transaction)
            try transaction.execute(
                """
                INSERT INTO console_notices (session_id, id, location, content, created_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (session_id, id) DO UPDATE
                SET location = excluded.location, content = excluded.content, created_at = excluded.created_at
                """, [.uuid(session), .text(id), .text(location), .text(content), .instant(now)])
            try transaction.execute(
                """
                DELETE FROM console_notices WHERE session_id = ? AND id NOT IN (
                    SELECT id FROM console_notices WHERE session_id = ? ORDER BY created_at DESC, id LIMIT ?)
                """, [.uuid(session), .uuid(session), .integer(Int64(Self.mostOfASession))])
        }
    }

    /// Nil for a notice that is not kept, or is another session's.
    package func find(_ id: String, ofSession session: UUID) throws -> (content: String, location: String)? {
        let earliest = context.now().adding(seconds: -Int64(Self.minutes) * 60)
        return try context.store.read { reader in
            try reader.first(
                "SELECT content, location FROM console_notices WHERE session_id = ? AND id = ? AND created_at > ?",
                [.uuid(session), .text(id), .instant(earliest)]
            ) { (try $0.text(0), try $0.text(1)) }
        }
    }

    /// Deletes old notices and returns their number.
    @discardableResult
    static func purge(before earliest: UTCInstant, in transaction: any SQLTransaction) throws -> Int {
        try transaction.execute("DELETE FROM console_notices WHERE created_at <= ?", [.instant(earliest)])
    }
}

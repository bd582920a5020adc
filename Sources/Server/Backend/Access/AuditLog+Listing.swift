package import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// A filter of audit rows; nil means all.
package struct AuditFilter: Sendable, Hashable {
    package var action: AuditAction?
    package var subjectID: UUID?
    package var tokenID: UUID?

    package init(action: AuditAction? = nil, subjectID: UUID? = nil, tokenID: UUID? = nil) {
        self.action = action
        self.subjectID = subjectID
        self.tokenID = tokenID
    }
}

extension AuditLog {
    /// Newest first. `after` is the sequence of the last entry already seen; nil starts at the newest.
    package func list(matching filter: AuditFilter, after sequence: Int64?, limit: Int) throws -> [AuditEntry] {
        var conditions = ["sequence < ?"]
        var arguments: [SQLValue] = [.integer(sequence ?? .max)]
        for (column, value) in [
            ("action", (filter.action?.rawValue).map(SQLValue.text)),
            ("subject_id", filter.subjectID.map(SQLValue.uuid)),
            ("actor_token_id", filter.tokenID.map(SQLValue.uuid)),
        ] {
            guard let value else { continue }
            conditions.append("\(column) = ?")
            arguments.append(value)
        }
        arguments.append(.integer(Int64(limit)))
        // Built from constants only; there are eight variants.
        let sql = """
            SELECT \(Self.columns) FROM audit_entries WHERE \(conditions.joined(separator: " AND "))
            ORDER BY sequence DESC LIMIT ?
            """
        return try context.store.read { try $0.query(sql, arguments, Self.entry) }
    }

    /// Every row from the first, on one snapshot, with memory for one row at a time.
    package func forEach(_ visit: (AuditEntry) throws -> Void) throws {
        try context.store.read { session in
            try session.forEach("SELECT \(Self.columns) FROM audit_entries ORDER BY sequence", []) {
                try visit(try Self.entry($0))
            }
        }
    }
}

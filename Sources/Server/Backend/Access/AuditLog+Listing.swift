package import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// A filter of audit rows; nil means all.
package struct AuditFilter: Sendable, Hashable {
    package var action: AuditAction?
    package var subjectID: UUID?
    package var tokenID: UUID?
    /// A part of the author's name, with its case.
    package var actor: String?
    package var days: DayRange

    package init(
        action: AuditAction? = nil, subjectID: UUID? = nil, tokenID: UUID? = nil, actor: String? = nil,
        days: DayRange = DayRange()
    ) {
        self.action = action
        self.subjectID = subjectID
        self.tokenID = tokenID
        self.actor = actor
        self.days = days
    }
}

extension AuditLog {
    /// Newest first. `after` is the sequence of the last entry already seen; nil starts at the newest.
    package func list(matching filter: AuditFilter, after sequence: Int64?, limit: Int) throws -> [AuditEntry] {
        var conditions = ["sequence < ?"]
        var arguments: [SQLValue] = [.integer(sequence ?? .max)]
        let contains = context.store.dialect == .sqlite ? "instr" : "strpos"
        for (condition, value) in [
            ("action = ?", (filter.action?.rawValue).map(SQLValue.text)),
            ("subject_id = ?", filter.subjectID.map(SQLValue.uuid)),
            ("actor_token_id = ?", filter.tokenID.map(SQLValue.uuid)),
            ("\(contains)(actor_name, ?) > 0", filter.actor.map(SQLValue.text)),
            ("happened_at >= ?", filter.days.from.map { .instant(UTCInstant(startOf: $0)) }),
            ("happened_at < ?", filter.days.to.map { .instant(UTCInstant(startOf: $0).adding(days: 1)) }),
        ] {
            guard let value else { continue }
            conditions.append(condition)
            arguments.append(value)
        }
        arguments.append(.integer(Int64(limit)))
        // Built from constants only.
        let sql = """
            SELECT \(Self.columns) FROM audit_entries WHERE \(conditions.joined(separator: " AND "))
            ORDER BY sequence DESC LIMIT ?
            """
        return try context.store.read { try $0.query(sql, arguments, Self.entry) }
    }

    /// The row with this sequence.
    package func find(_ sequence: Int64) throws -> AuditEntry? {
        try context.store.read { session in
            try session.first(
                "SELECT \(Self.columns) FROM audit_entries WHERE sequence = ?", [.integer(sequence)], Self.entry)
        }
    }

    /// The number of rows, without reading them.
    package func count() throws -> Int64 {
        try context.store.read { session in
            try session.first("SELECT entry_count FROM audit_heads WHERE id = 1", []) { try $0.integer(0) } ?? 0
        }
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

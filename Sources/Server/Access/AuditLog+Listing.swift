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
    /// Whether an import of the catalogue has only its newest row.
    package var joinsImports = false

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
        try context.store.readOnStandby { session in
            guard let text = filter.actor else {
                return try rows(filter, nil, after: sequence, limit: limit, in: session)
            }
            let names = try actors(containing: text, in: session)
            // Read one after the other, each in the order of the index that begins with the name.
            guard names.count > Self.fewActors else {
                let found = try names.flatMap {
                    try rows(filter, (Self.isActor, $0), after: sequence, limit: limit, in: session)
                }
                return Array(found.sorted { $0.sequence > $1.sequence }.prefix(limit))
            }
            return try rows(filter, (containsActor, text), after: sequence, limit: limit, in: session)
        }
    }

    /// A condition on the author, with its argument.
    private typealias ActorCondition = (condition: String, argument: String)

    private static let isActor = "actor_name = ?"
    private var containsActor: String { "\(context.store.dialect == .sqlite ? "instr" : "strpos")(actor_name, ?) > 0" }

    private static let fewActors = 10

    /// Names of authors with a text in them. Goes from name to name in the index, because a name has many rows.
    private func actors(containing text: String, in session: any SQLSession) throws -> [String] {
        try session.query(
            """
            WITH RECURSIVE actors (actor_name) AS (
                SELECT min(actor_name) FROM audit_entries
                UNION ALL
                SELECT (SELECT min(e.actor_name) FROM audit_entries e WHERE e.actor_name > actors.actor_name)
                FROM actors WHERE actors.actor_name IS NOT NULL
            )
            SELECT actor_name FROM actors WHERE \(containsActor) LIMIT ?
            """, [.text(text), .integer(Int64(Self.fewActors) + 1)]
        ) { try $0.text(0) }
    }

    private func rows(
        _ filter: AuditFilter, _ actor: ActorCondition?, after sequence: Int64?, limit: Int,
        in session: any SQLSession
    ) throws -> [AuditEntry] {
        var conditions = ["sequence < ?"]
        var arguments: [SQLValue] = [.integer(sequence ?? .max)]
        for (condition, value) in [
            ("action = ?", (filter.action?.rawValue).map(SQLValue.text)),
            ("subject_id = ?", filter.subjectID.map(SQLValue.uuid)),
            ("actor_token_id = ?", filter.tokenID.map(SQLValue.uuid)),
            (actor?.condition ?? "", actor.map { .text($0.argument) }),
            ("happened_at >= ?", filter.days.from.map { .instant(UTCInstant(startOf: $0)) }),
            ("happened_at < ?", filter.days.to.map { .instant(UTCInstant(startOf: $0).adding(days: 1)) }),
        ] {
            guard let value else { continue }
            conditions.append(condition)
            arguments.append(value)
        }
        if filter.joinsImports {
            // The rows of an import follow each other and have one instant.
            conditions.append(
                """
                NOT (action = '\(AuditAction.catalogueImport.rawValue)' AND EXISTS (
                    SELECT 1 FROM audit_entries n WHERE n.sequence = audit_entries.sequence + 1
                    AND n.action = audit_entries.action AND n.happened_at = audit_entries.happened_at
                    AND n.actor_name = audit_entries.actor_name
                    AND coalesce(n.request_id, '') = coalesce(audit_entries.request_id, '')))
                """)
        }
        arguments.append(.integer(Int64(limit)))
        // Built from constants only.
        let sql = """
            SELECT \(Self.columns) FROM audit_entries WHERE \(conditions.joined(separator: " AND "))
            ORDER BY sequence DESC LIMIT ?
            """
        return try session.query(sql, arguments, Self.entry)
    }

    /// The row with this sequence.
    package func find(_ sequence: Int64) throws -> AuditEntry? {
        try context.store.readOnStandby { session in
            try session.first(
                "SELECT \(Self.columns) FROM audit_entries WHERE sequence = ?", [.integer(sequence)], Self.entry)
        }
    }

    /// The number of rows, without reading them.
    package func count() throws -> Int64 {
        try context.store.readOnStandby { session in
            try session.integer("SELECT entry_count FROM audit_heads WHERE id = 1") ?? 0
        }
    }

    /// Every row from the first, on one snapshot, with memory for one row at a time.
    package func forEach(_ visit: (AuditEntry) throws -> Void) throws {
        try context.store.readOnStandby { session in
            try session.forEach("SELECT \(Self.columns) FROM audit_entries ORDER BY sequence", []) {
                try visit(try Self.entry($0))
            }
        }
    }
}

package import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// What an administrator may do with a crash group.
package enum CrashAction: String, Sendable, CaseIterable {
    case resolve
    case ignore
    case reopen
    /// Deletes the group with its reports and counts. A later report creates a new group.
    case delete

    /// The resulting status of a group; nil for a deletion.
    fileprivate var status: CrashStatus? {
        switch self {
        case .resolve: .resolved
        case .ignore: .ignored
        case .reopen: .open
        case .delete: nil
        }
    }

    fileprivate var outcome: CrashOutcome {
        switch self {
        case .resolve: .resolved
        case .ignore: .ignored
        case .reopen: .reopened
        case .delete: .deleted
        }
    }
}

/// What a bulk action did with one group or release.
package enum CrashOutcome: String, Sendable, CaseIterable {
    case resolved
    case ignored
    case reopened
    case deleted
    case notFound = "not_found"
}

/// What a bulk action did with a group.
package struct CrashDecision: Sendable, Hashable {
    package let id: UUID
    package let outcome: CrashOutcome
    /// The status before; nil if there is no such group.
    package let former: CrashStatus?

    package init(id: UUID, outcome: CrashOutcome, former: CrashStatus?) {
        self.id = id
        self.outcome = outcome
        self.former = former
    }
}

/// What a bulk action did with a release.
package struct ReleaseDecision: Sendable, Hashable {
    package let name: String
    package let outcome: CrashOutcome
}

extension CrashStore {
    /// Resolves, ignores, reopens or deletes a group. Returns the changed group, or nil after a deletion. A group that
    /// already has the status is not changed.
    ///
    /// Throws ``BackendError/notFound(what:)`` and, when the group's revision is not `ifRevision`,
    /// ``BackendError/preconditionFailed(currentRevision:)``.
    @discardableResult
    package func apply(_ action: CrashAction, to id: UUID, ifRevision: Int64?, by actor: Actor) throws -> CrashGroup? {
        try context.write(by: actor) { transaction in
            let group = try Self.require(id, ifRevision: ifRevision, in: transaction)
            try Self.apply(action, to: group, in: transaction)
            return try Self.find(id, in: transaction)
        }
    }

    /// The same with many groups in one transaction. An id that is not there does not keep the others from it.
    package func apply(_ action: CrashAction, to ids: [UUID], by actor: Actor) throws -> [CrashDecision] {
        try context.write(by: actor) { transaction in
            try ids.map { id in
                guard let group = try Self.find(id, in: transaction) else {
                    return CrashDecision(id: id, outcome: .notFound, former: nil)
                }
                try Self.apply(action, to: group, in: transaction)
                return CrashDecision(id: id, outcome: action.outcome, former: group.status)
            }
        }
    }

    /// Deletes releases in one transaction: their sessions no longer count, and their reports count as those of
    /// ``otherRelease`` in each group. A release that is reported again is new.
    package func deleteReleases(_ names: [String], by actor: Actor) throws -> [ReleaseDecision] {
        try context.write(by: actor) { transaction in
            try names.map { name in
                guard let id = try CrashWriter.releaseNumber(name, in: transaction) else {
                    return ReleaseDecision(name: name, outcome: .notFound)
                }
                try deleteRelease(id, name, in: transaction)
                return ReleaseDecision(name: name, outcome: .deleted)
            }
        }
    }

    /// The group, or the one that shows it, if it has the revision.
    private static func require(_ id: UUID, ifRevision: Int64?, in session: any SQLSession) throws -> CrashGroup {
        let group = try find(id, in: session).orNotFound("crash group")
        try BackendError.requireRevision(ifRevision, is: group.revision)
        return group
    }

    private static func apply(_ action: CrashAction, to group: CrashGroup, in transaction: AuditedTransaction) throws {
        guard action.status != group.status else { return }
        // Read before a deletion: it is known from the reports.
        let type = try auditedType(of: group, in: transaction)
        var after: String?
        if let status = action.status {
            try transaction.execute(
                """
                UPDATE crash_groups SET status = ?, decided_at = ?, regressed_at = NULL, revision = revision + 1
                WHERE id = ? OR merged_into = ?
                """,
                [
                    .text(status.rawValue), .instant(orNull: status == .open ? nil : transaction.now), .uuid(group.id),
                    .uuid(group.id),
                ])
            after = auditJSON(group, type, status)
        } else {
            try transaction.execute(
                "DELETE FROM crash_groups WHERE id = ? OR merged_into = ?", [.uuid(group.id), .uuid(group.id)])
        }
        try transaction.audit(
            AuditAction(action), of: group.id, before: auditJSON(group, type, group.status), after: after)
    }

    private func deleteRelease(_ id: Int64, _ name: String, in transaction: AuditedTransaction) throws {
        let sessions = try transaction.integer(
            "SELECT coalesce(sum(session_count), 0) FROM session_hours WHERE release_id = ?", [.integer(id)])
        let reports = try transaction.integer(
            """
            SELECT coalesce(sum(event_count), 0) FROM crash_group_releases WHERE release_id = ?
                AND group_id NOT IN \(Self.parts)
            """, [.integer(id)])
        // Done first, so that if this is the row of ``otherRelease``, the next line creates a new one.
        try transaction.execute("UPDATE crash_releases SET is_deleted = 1 WHERE id = ?", [.integer(id)])
        if reports ?? 0 > 0 {
            var writer = CrashWriter(
                transaction: transaction, store: self, quota: UnlimitedCrashQuota(), receivedAt: transaction.now,
                tally: CrashTally())
            try CrashWriter.moveReports(from: id, to: try writer.otherReleaseID(), in: transaction)
        }
        try transaction.execute("DELETE FROM session_hours WHERE release_id = ?", [.integer(id)])
        let before = JSONWriter.text { writer in
            writer.field("release", name)
            writer.field("sessions", sessions ?? 0)
            writer.field("reports", reports ?? 0)
        }
        try transaction.audit(.crashDeleteRelease, before: before)
    }

    // The audit log is kept for ever, so it has nothing of a message or of an exception's value: a user may have typed
    // it.

    private static func auditJSON(_ group: CrashGroup, _ type: String?, _ status: CrashStatus) -> String {
        JSONWriter.text { writer in
            audit(group, type, to: &writer)
            writer.field("status", status.rawValue)
        }
    }

    private static func audit(_ group: CrashGroup, _ type: String?, to writer: inout JSONWriter) {
        writer.field("type", type)
        writer.field("culprit", group.culprit)
        writer.field("count", group.count)
    }

    /// The type of the exception that the title begins with; nil if a stored report does not have it as one, and for
    /// what is not the name of a type.
    private static func auditedType(of group: CrashGroup, in session: any SQLSession) throws -> String? {
        let title = group.title
        let type = title.range(of: ": ").map { String(title[..<$0.lowerBound]) } ?? title
        guard (1...100).contains(type.utf8.count),
            type.utf8.allSatisfy({ Octet.isAlphanumeric($0) || Octet.isOneOf($0, "_.:$") })
        else { return nil }
        let pattern = "%\"exception\":%\"type\":\"" + type.replacing("_", with: "!_") + "\"%"
        return try session.first(
            """
            SELECT 1 FROM (SELECT body FROM crash_samples WHERE group_id = ? ORDER BY id LIMIT 1) sample
            WHERE body LIKE ? ESCAPE '!'
            """, [.uuid(group.id), .text(pattern)]
        ) { _ in type }
    }

    /// Parts a group that names of functions made of several. They do not become one again by the same names. Returns
    /// the first of them, which keeps the id.
    ///
    /// Throws ``BackendError/notFound(what:)``, ``BackendError/conflict(code:detail:)`` for a group without parts, and,
    /// when the group's revision is not `ifRevision`, ``BackendError/preconditionFailed(currentRevision:)``.
    package func part(_ id: UUID, ifRevision: Int64?, by actor: Actor) throws -> CrashGroup {
        try context.write(by: actor) { transaction in
            let group = try Self.require(id, ifRevision: ifRevision, in: transaction)
            let count = try transaction.integer(
                "SELECT count(*) FROM crash_groups WHERE merged_into = ?", [.uuid(group.id)])
            guard let count, count > 0 else {
                throw BackendError.conflict(detail: "The group was not made of several, so there is nothing to undo.")
            }
            try CrashRegrouping(transaction, context).partForGood(group.id.rawBytes)
            let type = try Self.auditedType(of: group, in: transaction)
            let before = JSONWriter.text { writer in
                Self.audit(group, type, to: &writer)
                writer.field("parts", count)
            }
            try transaction.audit(.crashPart, of: group.id, before: before)
            return try Self.require(group.id, ifRevision: nil, in: transaction)
        }
    }
}

extension AuditAction {
    /// The decision on a crash group.
    init(_ action: CrashAction) {
        self =
            switch action {
            case .resolve: .crashResolve
            case .ignore: .crashIgnore
            case .reopen: .crashReopen
            case .delete: .crashDelete
            }
    }
}

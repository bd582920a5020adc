import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// The built-in and the custom roles.
package struct RoleStore: Sendable {
    /// Maximum number of roles in a list, the built-in ones among them.
    package static let maximumCount = 50 + Role.builtIn.count

    private let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// The built-in roles, then the custom ones by name.
    package func list() throws -> [Role] {
        try context.store.read { Role.builtIn + (try RoleTable.listOwn(in: $0)) }
    }

    /// Replaces the custom roles and returns all roles. Each name may occur once. The list may contain built-in roles
    /// unchanged, so that a list that was read can be sent back; omitted built-in roles remain.
    ///
    /// `check` receives the current roles inside the transaction and may throw. Throws
    /// ``BackendError/forbidden(detail:)`` for a change of a role with a permission that the actor lacks,
    /// ``BackendError/invalid(_:)`` with pointers such as `#/items/3/permissions`, and
    /// ``BackendError/conflict(code:detail:)`` with `role_in_use` if a valid token has a removed role. An unchanged
    /// list writes nothing.
    @discardableResult
    package func replace(
        with roles: [Role], by actor: Actor, unless check: ([Role]) throws -> Void = { _ in }
    ) throws -> [Role] {
        let builtIn = Set(Role.builtIn.map(\.name))
        let own = roles.filter { !builtIn.contains($0.name) }.sorted { $0.name < $1.name }
        return try context.write { transaction, now in
            let actor = try actor.renewed(at: now, in: transaction)
            let before = try RoleTable.listOwn(in: transaction)
            let errors = Self.errors(in: roles, unless: before, actor)
            guard errors.isEmpty else { throw BackendError.invalid(errors) }
            try check(Role.builtIn + before)
            guard before != own else { return Role.builtIn + own }
            try Self.requireHeld(before.filter { !own.contains($0) }, by: actor)
            try Self.requireUnused(Set(before.map(\.name)).subtracting(own.map(\.name)), at: now, in: transaction)
            try transaction.execute("DELETE FROM access_roles")
            for role in own { try RoleTable.insert(role, in: transaction) }
            try AuditLog.append(
                .roleReplace, before: Self.auditJSON(before), after: Self.auditJSON(own), by: actor, at: now,
                in: transaction)
            return Role.builtIn + own
        }
    }

    private static func requireUnused(
        _ names: Set<String>, at now: UTCInstant, in transaction: any SQLTransaction
    ) throws {
        for name in names.sorted() {
            let user = try transaction.first(
                """
                SELECT name FROM access_tokens
                WHERE role = ? AND is_revoked = 0 AND (revoked_at IS NULL OR revoked_at > ?)
                    AND (expires_at IS NULL OR expires_at > ?)
                """, [.text(name), .instant(now), .instant(now)]
            ) { try $0.text(0) }
            guard user == nil else {
                throw BackendError.conflict(
                    code: .roleInUse, detail: "Tokens of the role \(name) are still valid: revoke them first.")
            }
        }
    }

    /// Changing or removing a role revokes permissions of its holders, so the actor must hold them.
    private static func requireHeld(_ roles: [Role], by actor: Actor) throws {
        guard let role = roles.first(where: { !$0.permissions.isSubset(of: actor.permissions) }) else { return }
        throw BackendError.forbidden(
            detail: "The role \(role.name) has permissions that you do not hold (\(role.names(beyond: actor))), "
                + "so it can be neither changed nor removed.")
    }

    /// - Parameter present: roles that may be listed unchanged, even with permissions that the actor lacks.
    private static func errors(in roles: [Role], unless present: [Role], _ actor: Actor) -> FaultList {
        var errors = FaultList()
        let builtIn = Set(Role.builtIn.map(\.name))
        for (index, role) in roles.enumerated() where !builtIn.contains(role.name) {
            guard !role.permissions.isSubset(of: actor.permissions), !present.contains(role) else { continue }
            errors.note(
                Fault("#/items/\(index)/permissions", .notHeld, "Only permissions that you hold can be granted."))
        }
        return errors
    }

    private static func auditJSON(_ roles: [Role]) -> String {
        JSONWriter.text { writer in
            for role in roles {
                let names = Permission.allCases.filter(role.allows).map { JSONValue.string($0.rawValue) }
                writer.field(role.name, .array(names))
            }
        }
    }
}

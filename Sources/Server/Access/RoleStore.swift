import JSONWire
import SQLDatabase
package import SubGuardDomain
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

/// A named set of permissions that a token has.
package struct Role: Sendable, Hashable {
    /// 1…40 lower-case letters, digits and `_`, the first one a letter.
    package let name: String
    package let permissions: Set<Permission>
    /// Whether it is built in and therefore cannot be changed or removed.
    package let isBuiltIn: Bool

    init(name: String, permissions: Set<Permission>, isBuiltIn: Bool) {
        self.name = name
        self.permissions = permissions
        self.isBuiltIn = isBuiltIn
    }

    /// A custom role.
    package init(name: String, permissions: Set<Permission>) {
        self.init(name: name, permissions: permissions, isBuiltIn: false)
    }

    /// The permissions of the role that the actor lacks, for a message.
    func names(beyond actor: Actor) -> String {
        Permission.allCases.filter { permissions.contains($0) && !actor.permissions.contains($0) }
            .map(\.rawValue).joined(separator: ", ")
    }

    /// Whether a text is a name as ``name`` describes it.
    package static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count) && text.utf8.first.map { (0x61...0x7A).contains($0) } == true
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    package func allows(_ permission: Permission) -> Bool { permissions.contains(permission) }
}

/// The permissions of the built-in roles.
extension Role {
    package static let owner = Role(name: "owner", permissions: Set(Permission.allCases), isBuiltIn: true)
    package static let editor = Role(
        name: "editor", permissions: [.catalogueRead, .catalogueWrite, .suggestionsModerate], isBuiltIn: true)
    package static let moderator = Role(
        name: "moderator", permissions: [.catalogueRead, .suggestionsModerate], isBuiltIn: true)
    package static let analyst = Role(
        name: "analyst", permissions: [.metricsRead, .alertsRead], isBuiltIn: true)

    package static let builtIn = [owner, editor, moderator, analyst]
}

/// The roles that tokens may have: the built-in ones and those in the access_roles table.
enum RoleTable {
    /// Nil for an undefined role.
    static func find(_ name: String, in session: any SQLSession) throws -> Role? {
        if let role = Role.builtIn.first(where: { $0.name == name }) { return role }
        return try session.first("SELECT name, permissions FROM access_roles WHERE name = ?", [.text(name)], role)
    }

    /// The custom roles, by name.
    static func listOwn(in session: any SQLSession) throws -> [Role] {
        try session.query("SELECT name, permissions FROM access_roles ORDER BY name", [], role)
    }

    static func insert(_ role: Role, in transaction: any SQLTransaction) throws {
        let names = Permission.allCases.filter(role.allows).map(\.rawValue)
        try transaction.execute(
            "INSERT INTO access_roles (name, permissions) VALUES (?, ?)",
            [.text(role.name), .text(names.joined(separator: " "))])
    }

    /// An unknown permission, written by a newer version, grants nothing.
    private static func role(_ row: any SQLRow) throws -> Role {
        let permissions = try row.text(1).split(separator: " ").compactMap { Permission(rawValue: String($0)) }
        return Role(name: try row.text(0), permissions: Set(permissions))
    }
}

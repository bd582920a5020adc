import SQLDatabase
package import SubGuardDomain

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

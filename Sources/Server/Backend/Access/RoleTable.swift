import SQLDatabase
import SubGuardContract

/// The roles that tokens may carry: the built-in ones and those of the access_roles table.
enum RoleTable {
    /// Nil for a role that nobody has defined.
    static func find(_ name: String, in session: any SQLSession) throws -> Role? {
        if let role = Role.builtIn.first(where: { $0.name == name }) { return role }
        return try session.first("SELECT name, permissions FROM access_roles WHERE name = ?", [.text(name)], role)
    }

    /// Those of the operator's own, by name.
    static func listOwn(in session: any SQLSession) throws -> [Role] {
        try session.query("SELECT name, permissions FROM access_roles ORDER BY name", [], role)
    }

    static func insert(_ role: Role, in transaction: any SQLTransaction) throws {
        let names = Permission.allCases.filter(role.allows).map(\.rawValue)
        try transaction.execute(
            "INSERT INTO access_roles (name, permissions) VALUES (?, ?)",
            [.text(role.name), .text(names.joined(separator: " "))])
    }

    /// A permission that this program does not know, from a newer one, gives nothing.
    private static func role(_ row: any SQLRow) throws -> Role {
        let permissions = try row.text(1).split(separator: " ").compactMap { Permission(rawValue: String($0)) }
        return Role(name: try row.text(0), permissions: Set(permissions))
    }
}

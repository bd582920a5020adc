package import SubGuardContract

/// A named set of permissions that a token carries. The name is what the wire and the store call it.
package struct Role: Sendable, Hashable {
    /// 1…40 lower-case letters, digits and `_`, the first one a letter.
    package let name: String
    package let permissions: Set<Permission>
    /// Whether the program defines it: such a role can be neither changed nor removed.
    package let isBuiltIn: Bool

    init(name: String, permissions: Set<Permission>, isBuiltIn: Bool) {
        self.name = name
        self.permissions = permissions
        self.isBuiltIn = isBuiltIn
    }

    /// A role of the operator's own, not checked yet: see ``RoleStore/replace(with:by:unless:)``.
    package init(name: String, permissions: Set<Permission>) {
        self.init(name: name, permissions: permissions, isBuiltIn: false)
    }

    /// Permissions of the role that the actor does not hold, for a sentence.
    func names(beyond actor: Actor) -> String {
        Permission.allCases.filter { permissions.contains($0) && !actor.permissions.contains($0) }
            .map(\.rawValue).joined(separator: ", ")
    }

    package func allows(_ permission: Permission) -> Bool { permissions.contains(permission) }
}

/// The one table of what the built-in roles may do.
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

/// A named set of permissions that a token carries. The raw value is its name on the wire and in the store.
package enum Role: String, Sendable, Hashable, CaseIterable {
    case owner
    case editor
    case moderator
    case analyst

    /// The one table of who may do what.
    package var permissions: Set<Permission> {
        switch self {
        case .owner: Set(Permission.allCases)
        case .editor: [.catalogueRead, .catalogueWrite, .suggestionsModerate]
        case .moderator: [.catalogueRead, .suggestionsModerate]
        case .analyst: [.metricsRead, .alertsRead]
        }
    }

    package func allows(_ permission: Permission) -> Bool { permissions.contains(permission) }
}

package import Foundation
package import SubGuardDomain

/// The author of a change, as named in the audit log, with their permissions.
package struct Actor: Sendable, Hashable {
    /// Nil for the command line.
    package let tokenID: UUID?
    package let name: String
    /// The id of the request, as in the log.
    package let requestID: String?
    /// The permissions that they may grant. Not part of the audit log.
    package let permissions: Set<Permission>

    /// The default is every permission: command-line users have access to the machine.
    package init(
        tokenID: UUID?, name: String, requestID: String?, permissions: Set<Permission> = Set(Permission.allCases)
    ) {
        self.tokenID = tokenID
        self.name = name
        self.requestID = requestID
        self.permissions = permissions
    }

    /// A user of the command line, by the name of their account.
    package static func commandLine(user: String) -> Actor {
        Actor(tokenID: nil, name: "\(user) (command line)", requestID: nil)
    }
}

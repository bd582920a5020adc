package import Foundation
package import SubGuardContract

/// Who did something, as the audit log names them, and what they may do.
package struct Actor: Sendable, Hashable {
    /// Nil for work at the command line.
    package let tokenID: UUID?
    package let name: String
    /// The request that caused the change, to find it again in the log.
    package let requestID: String?
    /// What they may hand on. Not part of the audit log.
    package let permissions: Set<Permission>

    /// Whoever has access to the machine holds every permission, the default.
    package init(
        tokenID: UUID?, name: String, requestID: String?, permissions: Set<Permission> = Set(Permission.allCases)
    ) {
        self.tokenID = tokenID
        self.name = name
        self.requestID = requestID
        self.permissions = permissions
    }

    /// Somebody with access to the machine, by the name of their account.
    package static func commandLine(user: String) -> Actor {
        Actor(tokenID: nil, name: "\(user) (command line)", requestID: nil)
    }
}

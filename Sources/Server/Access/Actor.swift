package import Foundation
import SQLDatabase
package import SubGuardDomain

/// The author of a change, as named in the audit log, with their permissions.
package struct Actor: Sendable, Hashable {
    /// Nil for the command line.
    package let tokenID: UUID?
    package let name: String
    /// The id of the request, as in the log.
    package let requestID: String?
    /// The permissions that they may grant. Not part of the audit log.
    package private(set) var permissions: Set<Permission>
    /// The claim of an `Idempotency-Key`, under which the request is carried out once.
    private(set) var claimID: String?

    /// The default is every permission: command-line users have access to the machine.
    package init(
        tokenID: UUID?, name: String, requestID: String?, permissions: Set<Permission> = Set(Permission.allCases)
    ) {
        self.tokenID = tokenID
        self.name = name
        self.requestID = requestID
        self.permissions = permissions
    }

    /// The same under a claim.
    package func claiming(_ claim: IdempotencyStore.Claim) -> Actor {
        var actor = self
        actor.claimID = claim.id
        return actor
    }

    static let ended = BackendError.forbidden(detail: "The token has been revoked or has expired.")

    /// The same with what its token still holds: roles may change while a call waits for other writers. Throws
    /// ``ended`` if the token has ended meanwhile.
    func renewed(at instant: UTCInstant, in transaction: any SQLTransaction) throws -> Actor {
        guard let tokenID, let token = try AccessTokenStore.find(tokenID, in: transaction) else { return self }
        guard token.isValid(at: instant) else { throw Self.ended }
        var actor = self
        actor.permissions.formIntersection(token.role.permissions)
        return actor
    }

    /// A user of the command line, by the name of their account.
    package static func commandLine(user: String) -> Actor {
        Actor(tokenID: nil, name: "\(user) (command line)", requestID: nil)
    }
}

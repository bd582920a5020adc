package import Foundation

/// Who did something, as the audit log names them.
package struct Actor: Sendable, Hashable {
    /// Nil for work at the command line.
    package let tokenID: UUID?
    package let name: String
    /// The request that caused the change, to find it again in the log.
    package let requestID: String?

    package init(tokenID: UUID?, name: String, requestID: String?) {
        self.tokenID = tokenID
        self.name = name
        self.requestID = requestID
    }

    /// Somebody with access to the machine, by the name of their account.
    package static func commandLine(user: String) -> Actor {
        Actor(tokenID: nil, name: "\(user) (command line)", requestID: nil)
    }
}

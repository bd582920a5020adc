package import Foundation
package import SubGuardDomain

/// A change to be written down: who did what to what.
package struct AuditChange: Sendable {
    package let actor: Actor
    /// `<area>.<verb>`, e.g. `catalogue.update`.
    package let action: String
    /// What was changed, where it has an id.
    package let subjectID: UUID?
    /// JSON of the state before, nil where there was none.
    package let before: String?
    /// JSON of the state after, nil where there is none any more.
    package let after: String?

    package init(actor: Actor, action: String, subjectID: UUID?, before: String?, after: String?) {
        self.actor = actor
        self.action = action
        self.subjectID = subjectID
        self.before = before
        self.after = after
    }
}

/// One row of the audit log.
package struct AuditEntry: Sendable {
    /// 1, 2, 3 … without gaps.
    package let sequence: Int64
    package let happenedAt: UTCInstant
    package let change: AuditChange
    /// SHA-256 over the previous row's hash and this row.
    package let hash: [UInt8]
}

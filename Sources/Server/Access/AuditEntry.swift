import Cryptography
package import Foundation
import SQLDatabase
package import SubGuardDomain
import TextCoding

/// A change to record: author, action, target.
package struct AuditChange: Sendable {
    package let actor: Actor
    /// `<area>.<verb>`, e.g. `catalogue.update`.
    package let action: String
    /// The id of the changed object, if it has one.
    package let subjectID: UUID?
    /// JSON of the previous state; nil if there was none.
    package let before: String?
    /// JSON of the new state; nil after a deletion.
    package let after: String?

    package init(actor: Actor, action: AuditAction, subjectID: UUID?, before: String?, after: String?) {
        self.init(actor: actor, stored: action.rawValue, subjectID: subjectID, before: before, after: after)
    }

    /// A change as read from its row, whose action may be that of another version of the program.
    package init(actor: Actor, stored action: String, subjectID: UUID?, before: String?, after: String?) {
        self.actor = actor
        self.action = action
        self.subjectID = subjectID
        self.before = before
        self.after = after
    }
}

extension AuditChange {
    /// Whether a token that has ended may be its author: it ends access, or has happened before it is recorded.
    var outlivesToken: Bool {
        let endings: [AuditAction] = [
            .tokenRevoke, .tokenRotate, .consolePasskeyRemove, .consoleSignOut, .consoleSessionEnd,
            .consoleSignInRefused, .storeBackup, .storeDrill,
        ]
        return endings.contains { $0.rawValue == action }
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
    /// Whether a list names the author: actor, token and request.
    package var namesActor = true

    /// Nil where a list does not name the author.
    package var shownActor: Actor? { namesActor ? change.actor : nil }
    /// ``hash`` in lower-case hexadecimal digits.
    package var hashText: String { Hexadecimal.text(hash) }
}

/// The hash that links an audit row to the next.
///
/// The canonical bytes of a row are its fields in a fixed order: integers as 8 bytes, most significant first; every
/// other field as one byte 0 when it is NULL, else one byte 1, its length as 8 bytes and its bytes. Different rows have
/// different canonical bytes, because each field has its length.
enum AuditDigest {
    /// The hash before the first row.
    static let origin = [UInt8](repeating: 0, count: 32)

    static func hash(previous: [UInt8], sequence: Int64, happenedAt: UTCInstant, change: AuditChange) -> [UInt8] {
        var bytes = previous
        append(sequence, to: &bytes)
        append(happenedAt.millisecondsSinceEpoch, to: &bytes)
        append(change.actor.tokenID?.rawBytes, to: &bytes)
        append(change.actor.name.utf8, to: &bytes)
        append(change.actor.requestID?.utf8, to: &bytes)
        append(change.action.utf8, to: &bytes)
        append(change.subjectID?.rawBytes, to: &bytes)
        append(change.before?.utf8, to: &bytes)
        append(change.after?.utf8, to: &bytes)
        return SHA256.hash(of: bytes)
    }

    private static func append(_ value: Int64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ field: (some Collection<UInt8>)?, to bytes: inout [UInt8]) {
        guard let field else {
            bytes.append(0)
            return
        }
        bytes.append(1)
        append(Int64(field.count), to: &bytes)
        bytes.append(contentsOf: field)
    }
}

/// The result of verifying the audit chain.
package struct AuditVerification: Sendable, Hashable {
    /// The first row that breaks the chain. Later rows cannot be trusted either.
    package struct Break: Sendable, Hashable {
        package enum Reason: String, Sendable {
            /// The row does not match its hash: one of them was changed.
            case altered
            /// The row with this sequence is missing.
            case missing
            /// The row has a format that this program never writes.
            case malformed
            /// The rows are intact, but the recorded end differs: rows are missing at the end.
            case headDiffers = "head_differs"
        }

        package let sequence: Int64
        package let reason: Reason
    }

    /// The number of rows read, up to the break if there is one.
    package let count: Int64
    package let firstBroken: Break?

    package var isIntact: Bool { firstBroken == nil }
}

/// Rows of the audit log as CSV (RFC 4180) for a spreadsheet. Formulas in texts are neutralised; states stay JSON.
package enum AuditCSV {
    package static func write(_ entries: [AuditEntry]) -> [UInt8] {
        var writer = CSVWriter()
        writer.record([
            "sequence", "happened_at", "actor", "token_id", "request_id", "action", "subject_id", "before", "after",
            "hash",
        ])
        for entry in entries {
            writer.guardedRecord([
                "\(entry.sequence)", entry.happenedAt.rfc3339, entry.change.actor.name,
                entry.change.actor.tokenID?.lowercased ?? "",
                entry.change.actor.requestID ?? "", entry.change.action, entry.change.subjectID?.lowercased ?? "",
                entry.change.before ?? "", entry.change.after ?? "", entry.hashText,
            ])
        }
        return writer.bytes
    }
}

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

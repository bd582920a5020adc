package import Backend
import Foundation
import JSONWire
package import SubGuardContract
import SubGuardDomain

extension AuditEntry: WireObject {
    package static let wire = WireSchema<AuditEntry>("AuditEntry") {
        Field("sequence", \.sequence, .integer(1...Int64.max), example: 4711)
        Field("happened_at", \.happenedAt, .instant)
        Field(
            "actor", \.shownActor?.name, nullable: .text(),
            "The token's name, or the user of the command line. Null in the history of an item without the permission "
                + "`audit.read`.", example: "Zoë, editor")
        Field("token_id", \.shownActor?.tokenID, nullable: .id)
        Field("request_id", \.shownActor?.requestID, nullable: .text(), example: "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e")
        Field("action", \.change.action, .text(1...Int.max), "`<area>.<verb>`.", example: "catalogue.update")
        Field("subject_id", \.change.subjectID, nullable: .id)
        Field(
            "before", \.change.before, .auditedState, "The state before; null when there was none.",
            example: #"{"name":"Netfix"}"#)
        Field(
            "after", \.change.after, .auditedState, "The state after; null when it was deleted.",
            example: #"{"name":"Netflix"}"#)
        Field(
            "hash", \.hashText, .text(pattern: "^[0-9a-f]{64}$"), "SHA-256 of the row before and of this one.",
            example: "9f2c5a7e1b3d4f60718293a4b5c6d7e8f9012a3b4c5d6e7f8091a2b3c4d5e6f7")
    }
}

extension WireType where Value == String? {
    /// A state as the audit log holds it: a JSON text, or nil.
    fileprivate static var auditedState: WireType {
        WireType { _ in
            ["type": ["object", "array", "null"], "items": [:]]
        } example: {
            .null
        } write: { text, writer in
            if let text { writer.raw(text.utf8) } else { writer.null() }
        } read: { _, _ in
            nil
        }
    }
}

import Crypto
import Foundation
import SubGuardDomain

/// The hash that chains one audit row to the next.
///
/// The canonical bytes of a row are its fields in a fixed order: integers as 8 bytes, most significant first; every
/// other field as one byte 0 when it is NULL, else one byte 1, its length as 8 bytes and its bytes. No two rows share
/// their canonical bytes, because no field can run into the next.
enum AuditDigest {
    /// What stands before the first row.
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
        return Array(SHA256.hash(data: bytes))
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

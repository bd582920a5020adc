import Foundation
import SubGuardDomain

/// The place behind the last group of a page: groups are listed by when they were last seen, newest first.
package struct CrashCursor: Sendable, Hashable {
    let lastSeenAt: UTCInstant
    let id: UUID

    init(lastSeenAt: UTCInstant, id: UUID) {
        self.lastSeenAt = lastSeenAt
        self.id = id
    }

    /// Opaque text, safe in a URL.
    package var encoded: String {
        let milliseconds = withUnsafeBytes(of: lastSeenAt.millisecondsSinceEpoch.bigEndian) { Array($0) }
        return Base64URL.text(of: milliseconds + id.rawBytes)
    }

    /// Nil for anything that ``encoded`` does not write.
    package init?(encoded: String) {
        guard let bytes = Base64URL.bytes(of: encoded), bytes.count == 24, let id = UUID(rawBytes: bytes[8...]) else {
            return nil
        }
        let milliseconds = bytes[..<8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        self.init(lastSeenAt: UTCInstant(millisecondsSinceEpoch: milliseconds), id: id)
    }
}

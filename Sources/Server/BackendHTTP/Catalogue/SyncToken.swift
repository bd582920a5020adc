import Foundation
import ServerContract
import TextCoding

/// The state of a device's catalogue copy: database and revision. Independent of any clock.
struct SyncToken: Equatable {
    let epoch: [UInt8]
    let revision: Int64

    private static let version: UInt8 = 1
    private static let epochBytes = 8

    init(epoch: [UInt8], revision: Int64) {
        self.epoch = epoch
        self.revision = revision
    }

    /// Nil for a text that is not a sync token of this format.
    init?(_ text: String) {
        guard text.utf8.count <= 64, let bytes = Base64URL.bytes(of: text), bytes.count == 1 + Self.epochBytes + 8,
            bytes[0] == Self.version
        else { return nil }
        epoch = Array(bytes[1...Self.epochBytes])
        revision = bytes[(1 + Self.epochBytes)...].reduce(0) { $0 << 8 | Int64($1) }
        guard revision >= 0 else { return nil }
    }

    var text: String {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: revision >> (56 - 8 * Int64($0))) }
        return Base64URL.text(of: [Self.version] + epoch + number)
    }
}

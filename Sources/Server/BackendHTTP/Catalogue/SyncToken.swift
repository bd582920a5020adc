import Foundation
import ServerContract
import TextCoding

/// Where a device's copy of the catalogue stands: which store it came from and up to which revision. Rests on no clock.
struct SyncToken: Equatable {
    let epoch: [UInt8]
    let revision: Int64

    private static let version: UInt8 = 1
    private static let epochBytes = 8

    init(epoch: [UInt8], revision: Int64) {
        self.epoch = epoch
        self.revision = revision
    }

    /// `nil` for a text that was never a token of ours.
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

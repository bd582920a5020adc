public import Foundation

extension UUID {
    /// The 16 bytes in the order in which they are written.
    public var rawBytes: [UInt8] {
        withUnsafeBytes(of: uuid) { Array($0) }
    }

    /// Nil unless there are exactly 16 bytes.
    public init?(rawBytes: some Collection<UInt8>) {
        guard rawBytes.count == 16 else { return nil }
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { target in
            for (index, byte) in rawBytes.enumerated() { target[index] = byte }
        }
        self.init(uuid: value)
    }

    /// The first and the last eight bytes as numbers, most significant byte first.
    public var halves: (high: UInt64, low: UInt64) {
        withUnsafeBytes(of: uuid) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// The id of these ``halves``.
    public init(high: UInt64, low: UInt64) {
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { target in
            target.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
            target.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        self.init(uuid: value)
    }
}

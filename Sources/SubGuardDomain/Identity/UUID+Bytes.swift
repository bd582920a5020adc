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
}

/// Numbers in as few bytes as possible (LEB128): seven bits per byte, lowest first, the high bit set on all but the
/// last.
extension Array<UInt8> {
    package mutating func append(packed value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    package mutating func append(packed value: Int) { append(packed: UInt64(truncatingIfNeeded: value)) }

    /// Small numbers of either sign become small numbers without one: 0, -1, 1, -2, …
    package mutating func append(packedSigned value: Int64) {
        append(packed: UInt64(bitPattern: value << 1 ^ value >> 63))
    }
}

/// A block of events that no version of this program can have written: the database is damaged.
package struct EventBlockError: Error, Sendable, Hashable, CustomStringConvertible {
    /// `event_blocks.id`; nil if unknown.
    package var block: Int64?

    package var description: String { "block \(block.map(String.init) ?? "") of the event log is damaged" }

    /// Adds the block's number to a thrown ``EventBlockError``.
    package static func naming<Result>(_ block: Int64, _ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch var error as EventBlockError {
            error.block = block
            throw error
        }
    }
}

/// Reads what was packed, and never beyond its end.
package struct PackedReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var isAtEnd: Bool { offset == bytes.count }

    package mutating func byte() throws -> UInt8 {
        guard offset < bytes.count else { throw Self.malformed }
        defer { offset += 1 }
        return bytes[offset]
    }

    package mutating func number() throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try byte()
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        throw Self.malformed
    }

    package mutating func signedNumber() throws -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// A number of things that take at least `size` bytes each, which must so be there: what is reserved for them is no
    /// more than a multiple of the block.
    package mutating func count(of size: Int) throws -> Int {
        let value = try number()
        guard value <= UInt64(bytes.count - offset) / UInt64(size) else { throw Self.malformed }
        return Int(value)
    }

    mutating func index(below bound: Int) throws -> Int {
        let value = try number()
        guard value < UInt64(bound) else { throw Self.malformed }
        return Int(value)
    }

    package mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count <= bytes.count - offset else { throw Self.malformed }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    package static let malformed = EventBlockError()
}

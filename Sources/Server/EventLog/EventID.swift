package import Foundation
import SubGuardDomain

/// The id of an event as one number, in the order of its bytes.
package struct EventID: Hashable, Comparable {
    package let value: UInt128

    package static let byteCount = 16

    package init(value: UInt128) { self.value = value }

    package init(_ id: UUID) {
        value = withUnsafeBytes(of: id.uuid) { Self.load($0, at: 0).value }
    }

    /// Reads 16 bytes at an offset, which must be within bounds.
    package static func load(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> EventID {
        EventID(value: UInt128(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt128.self)))
    }

    package static func < (left: EventID, right: EventID) -> Bool { left.value < right.value }

    package var uuid: UUID {
        withUnsafeBytes(of: value.bigEndian) { bytes in UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) }
    }
}

extension Array<UInt8> {
    package mutating func append(_ id: EventID) {
        Swift.withUnsafeBytes(of: id.value.bigEndian) { append(contentsOf: $0) }
    }
}

/// The secret with which a database hashes event ids. Clients choose the ids, and must not be able to choose them so
/// that many hashes collide.
package struct EventIDSeed: Equatable {
    private let low: UInt64
    private let high: UInt64

    package static let byteCount = 16

    package init() { (low, high) = (0, 0) }

    /// Nil unless there are exactly 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        (low, high) = bytes.withUnsafeBytes { bytes in
            (
                bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }

    /// The secret itself, from which other secrets of the database can be derived.
    package var bytes: [UInt8] { withUnsafeBytes(of: (low, high)) { Array($0) } }

    package func hash(_ id: EventID) -> UInt64 {
        let left = UInt64(truncatingIfNeeded: id.value) ^ low
        let right = UInt64(truncatingIfNeeded: id.value >> 64) ^ high
        let product = left.multipliedFullWidth(by: right | 1)
        let mixed = (product.high ^ product.low ^ right) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 32
    }
}

extension Array<EventID> {
    /// In sorted ids, the index of the last one that is not greater than `id`; nil if all are greater.
    package func lastIndex(notAfter id: EventID) -> Int? {
        let next = partitionIndex { $0 > id }
        return next > 0 ? next - 1 : nil
    }
}

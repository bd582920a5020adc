/// An output buffer with reusable storage. Appending costs only a copy, without the reference counting and uniqueness
/// checks that an array would add for each of the many short pieces of a response head.
// proof: it cannot be copied and is the only owner of its storage, so whatever thread holds the value is alone with it.
package struct OutputBuffer: ~Copyable, @unchecked Sendable {
    private var storage: UnsafeMutableRawBufferPointer
    package private(set) var count = 0

    package init(capacity: Int = 64 * 1024) {
        storage = .allocate(byteCount: max(capacity, 64), alignment: 16)
    }

    deinit { storage.deallocate() }

    package var isEmpty: Bool { count == 0 }

    /// The appended bytes, valid during the call.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(rebasing: storage[..<count]))
    }

    /// A copy of the appended bytes, from `start` on.
    package func bytes(from start: Int = 0) -> [UInt8] { Array(storage[start..<count]) }

    package mutating func removeAll() { count = 0 }

    @inline(__always)
    package mutating func append(_ octet: UInt8) {
        reserve(1)
        storage[count] = octet
        count += 1
    }

    @inline(__always)
    package mutating func append(_ octets: UnsafeRawBufferPointer) {
        reserve(octets.count)
        guard let source = octets.baseAddress, let target = storage.baseAddress else { return }
        (target + count).copyMemory(from: source, byteCount: octets.count)
        count += octets.count
    }

    @inline(__always)
    package mutating func append(_ octets: [UInt8]) { octets.withUnsafeBytes { append($0) } }

    @inline(__always)
    package mutating func append(_ literal: StaticString) {
        append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    package mutating func appendText(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends a non-negative number in decimal.
    package mutating func appendDecimal(_ number: Int) {
        reserve(20)
        var digits = 1
        var rest = number
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        rest = number
        for position in stride(from: count + digits - 1, through: count, by: -1) {
            storage[position] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digits
    }

    /// 16 lower-case hexadecimal digits.
    package mutating func appendHexadecimal(_ number: UInt64) {
        reserve(16)
        storage.storeBytes(of: Self.digits(UInt32(number >> 32)).bigEndian, toByteOffset: count, as: UInt64.self)
        storage.storeBytes(
            of: Self.digits(UInt32(truncatingIfNeeded: number)).bigEndian, toByteOffset: count + 8, as: UInt64.self)
        count += 16
    }

    /// Computes eight digits at once, the first in the highest octet.
    private static func digits(_ number: UInt32) -> UInt64 {
        // Spread the eight half-octets over eight octets.
        var spread = UInt64(number)
        spread = (spread | spread &<< 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread &<< 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread | spread &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in each octet whose value is over 9: its letter is 39 above the digit's code.
        let letters = ((spread &+ 0x0606_0606_0606_0606) &>> 4) & 0x0101_0101_0101_0101
        return spread &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if storage.count - count < more { grow(by: more) }
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(count + more, storage.count * 2), alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<count]))
        storage.deallocate()
        storage = larger
    }
}

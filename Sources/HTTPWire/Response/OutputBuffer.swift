/// Bytes on their way out, in storage that is used again and again. Appending costs a copy and nothing else: no
/// reference count is touched and no uniqueness asked for, which an array would do with each of the many short pieces
/// of a response head.
package struct OutputBuffer: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    package private(set) var count = 0

    package init(capacity: Int = 64 * 1024) {
        storage = .allocate(byteCount: max(capacity, 64), alignment: 16)
    }

    deinit { storage.deallocate() }

    package var isEmpty: Bool { count == 0 }

    /// What was appended. Valid during the call.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(rebasing: storage[..<count]))
    }

    /// A copy of what was appended, from `start` on.
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

    /// Decimal digits of a number that is not negative.
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
        let digits: StaticString = "0123456789abcdef"
        for position in 0..<16 {
            storage[count + position] = digits.utf8Start[Int((number &>> UInt64(60 - 4 * position)) & 0xF)]
        }
        count += 16
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

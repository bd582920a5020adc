/// Appends compact JSON to its bytes, adding the commas.
///
/// Nesting is not checked: each `begin` needs its `end`, and each value in an object its `key`.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    package mutating func key(_ name: String) {
        separate()
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func key(_ key: JSONKey) {
        separate()
        bytes.append(contentsOf: key.bytes)
        needsComma = false
    }

    package mutating func string(_ value: String) {
        separate()
        appendQuoted(value)
    }

    /// Writes valid UTF-8 bytes as a string.
    package mutating func string(utf8 value: UnsafeBufferPointer<UInt8>) {
        separate()
        appendQuoted(value)
    }

    /// Writes a string of ASCII characters. `fill` puts them into a buffer of `count` bytes and returns their number.
    package mutating func string(ascii count: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
            string(utf8: UnsafeBufferPointer(rebasing: buffer[..<fill(buffer)]))
        }
    }

    package mutating func integer(_ value: Int64) {
        separate()
        appendDecimal(value)
    }

    package mutating func integer(_ value: Int) { integer(Int64(value)) }

    package mutating func bool(_ value: Bool) { appendLiteral(value ? "true" : "false") }

    package mutating func null() { appendLiteral("null") }

    /// Writes bytes that are one complete JSON value, such as the exact text of a number.
    package mutating func raw(_ value: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: value)
    }

    private mutating func open(_ byte: UInt8) {
        separate()
        bytes.append(byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        bytes.append(byte)
        needsComma = true
    }

    /// Writes a comma if one is due before a value or key.
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func appendLiteral(_ literal: StaticString) {
        separate()
        literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func appendDecimal(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private mutating func appendQuoted(_ value: String) {
        var value = value
        value.withUTF8 { appendQuoted($0) }
    }

    private mutating func appendQuoted(_ value: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        // Most texts need no escape. Without an early end the compiler checks many bytes at once.
        var needsEscape = false
        for byte in value where JSONEscaping.isNeeded(for: byte) { needsEscape = true }
        if needsEscape { appendEscaped(value) } else { bytes.append(contentsOf: value) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ value: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in value.indices where JSONEscaping.isNeeded(for: value[index]) {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: value[start..<index]))
            JSONEscaping.append(value[index], to: &bytes)
            start = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: value[start...]))
    }
}

/// A member name in quotes with its colon, for objects that are written often.
package struct JSONKey: Sendable {
    fileprivate let bytes: [UInt8]

    package init(_ name: String) {
        var writer = JSONWriter(capacity: name.utf8.count + 3)
        writer.key(name)
        bytes = writer.bytes
    }
}

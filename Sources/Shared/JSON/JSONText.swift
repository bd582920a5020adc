/// A string or member name as written in the text: checked, but neither decoded nor copied.
///
/// It points into the reader's bytes and must not outlive them.
package struct JSONText {
    /// The bytes between the quotation marks, with escapes as written. Valid UTF-8.
    package let rawBytes: UnsafeRawBufferPointer
    package let hasEscapes: Bool

    /// The decoded content as a string.
    package var string: String {
        hasEscapes
            ? String(decoding: JSONUnescaping.bytes(of: rawBytes), as: UTF8.self)
            : String(decoding: rawBytes, as: UTF8.self)
    }

    /// Passes the decoded content to `body`; copies only if there are escapes.
    package func withDecodedBytes<T, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> T) throws(E) -> T {
        guard hasEscapes else { return try body(rawBytes) }
        return try JSONUnescaping.bytes(of: rawBytes)
            .withUnsafeBufferPointer { buffer throws(E) in try body(UnsafeRawBufferPointer(buffer)) }
    }

    /// Whether the decoded content equals `text` bytewise (no Unicode normalisation, RFC 8259 section 8.3).
    package func equals(_ text: StaticString) -> Bool {
        guard text.hasPointerRepresentation else { return string == text.description }
        let other = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard !hasEscapes else { return withDecodedBytes { $0.elementsEqual(other) } }
        guard rawBytes.count == other.count else { return false }
        for index in 0..<other.count where rawBytes[index] != other[index] { return false }
        return true
    }

    package static func == (text: JSONText, other: StaticString) -> Bool { text.equals(other) }

    /// Allows member names as the cases of a `switch`.
    package static func ~= (pattern: StaticString, text: JSONText) -> Bool { text.equals(pattern) }
}

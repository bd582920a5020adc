/// A strict pull reader of one JSON text (RFC 8259) that allocates only the requested strings.
///
/// Read the text value by value:
///
///     try reader.beginObject()
///     while let key = try reader.nextKey() {
///         switch key {
///         case "id": id = try reader.readString()
///         default: try reader.skipValue()
///         }
///     }
///     try reader.finish()
///
/// After each `nextKey()`, and after `nextElement()` returns true, read or skip exactly one value. Names that occur
/// twice in an object are returned twice; `JSONValue` rejects them.
///
/// The reader is a value, so a copy is a bookmark. To ignore a well-formed element that is otherwise invalid, return to
/// a copy made before the element and call `skipValue()`.
package struct JSONReader {
    package enum Kind: Sendable, Hashable {
        case object, array, string, number, bool, null

        var noun: String {
            switch self {
            case .object: "an object"
            case .array: "an array"
            case .string: "a string"
            case .number: "a number"
            case .bool: "true or false"
            case .null: "null"
            }
        }
    }

    /// Default for the maximum nesting of arrays and objects.
    package static let defaultMaximumDepth = 64

    let bytes: UnsafeRawBufferPointer
    /// Offset of the next unread byte.
    package internal(set) var position = 0
    /// The number of open arrays and objects.
    package internal(set) var depth = 0
    package let maximumDepth: Int
    /// Whether a surrogate escape that is not part of a pair is read as U+FFFD, in skipped values, too.
    let replacesLoneSurrogates: Bool
    /// True between the opening of an array or object and its first element.
    var isAtStart = false

    /// - Parameters:
    ///   - bytes: must stay valid and unchanged while the reader, or any `JSONText` from it, is used.
    ///   - maximumDepth: clamped to 0…512, because skipping recurses.
    ///   - replacesLoneSurrogates: reads a surrogate escape that is not part of a pair as U+FFFD, for bodies of SDKs
    ///     that cut texts between the two. Otherwise it is an error.
    package init(
        _ bytes: UnsafeRawBufferPointer, maximumDepth: Int = JSONReader.defaultMaximumDepth,
        replacesLoneSurrogates: Bool = false
    ) {
        self.bytes = bytes
        self.maximumDepth = min(max(maximumDepth, 0), 512)
        self.replacesLoneSurrogates = replacesLoneSurrogates
    }

    /// Passes a reader of `bytes` to `body`, which must call `finish()` to detect bytes after the value.
    package static func read<T, E: Error>(
        _ bytes: [UInt8], maximumDepth: Int = JSONReader.defaultMaximumDepth, replacesLoneSurrogates: Bool = false,
        _ body: (inout JSONReader) throws(E) -> T
    ) throws(E) -> T {
        try bytes.withUnsafeBufferPointer { buffer throws(E) in
            var reader = JSONReader(
                UnsafeRawBufferPointer(buffer), maximumDepth: maximumDepth,
                replacesLoneSurrogates: replacesLoneSurrogates)
            return try body(&reader)
        }
    }

    /// Throws if anything but whitespace follows.
    package mutating func finish() throws(JSONError) {
        skipWhitespace()
        guard position == bytes.count else { throw failure(.trailingContent) }
    }

    /// Advances to the next value and returns its kind, determined by its first byte only.
    package mutating func peek() throws(JSONError) -> Kind {
        skipWhitespace()
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        switch bytes[position] {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case 0xEF where position == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]): throw failure(.byteOrderMark)
        default: throw failure(.unexpectedByte)
        }
    }

    /// Advances to the next value and throws, staying at its start, if it is of another kind.
    mutating func expect(_ kind: Kind) throws(JSONError) {
        let found = try peek()
        guard found == kind else { throw failure(.wrongKind(expected: kind, found: found)) }
    }

    mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// The offset of the opening quotation mark of a string or name returned by this reader.
    package func offset(of text: JSONText) -> Int {
        guard let start = text.rawBytes.baseAddress, let base = bytes.baseAddress else { return position }
        return start - base - 1
    }

    func failure(_ reason: JSONError.Reason) -> JSONError { JSONError(offset: position, reason: reason) }

    func failure(_ reason: JSONError.Reason, at offset: Int) -> JSONError { JSONError(offset: offset, reason: reason) }
}

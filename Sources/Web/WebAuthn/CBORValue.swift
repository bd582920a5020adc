/// A value of CBOR (RFC 8949), as far as WebAuthn uses it: no tags, no floating-point numbers.
package enum CBORValue: Sendable, Hashable {
    case unsigned(UInt64)
    /// The number -1 - n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    /// Pairs in the order of the input, each key once.
    case map([CBORPair])
    case bool(Bool)
    case null

    package var bytesValue: [UInt8]? {
        if case .bytes(let value) = self { value } else { nil }
    }

    package var textValue: String? {
        if case .text(let value) = self { value } else { nil }
    }

    /// The integer; nil for other kinds and beyond 64 bits.
    package var integerValue: Int64? {
        switch self {
        case .unsigned(let value): Int64(exactly: value)
        case .negative(let value): Int64(exactly: value).map { -1 - $0 }
        default: nil
        }
    }

    /// The value of a key in a map; nil for other kinds.
    package subscript(_ key: Int64) -> CBORValue? {
        pairs?.first { $0.key.integerValue == key }?.value
    }

    package subscript(_ key: String) -> CBORValue? {
        pairs?.first { $0.key == .text(key) }?.value
    }

    package var pairs: [CBORPair]? {
        if case .map(let pairs) = self { pairs } else { nil }
    }
}

/// A key of a map with its value.
package struct CBORPair: Sendable, Hashable {
    package let key: CBORValue
    package let value: CBORValue

    package init(key: CBORValue, value: CBORValue) {
        self.key = key
        self.value = value
    }
}

/// Why bytes are not read.
package enum CBORError: Error, Sendable, Hashable {
    case truncated
    /// A length that is not stated in advance.
    case indefinite
    /// A tag, a floating-point number or an unassigned code.
    case unsupported
    case tooDeep
    case tooManyValues
    case notUTF8
    /// A text that is longer than any of WebAuthn.
    case longText
    case repeatedKey
    /// Bytes after the value.
    case trailing
}

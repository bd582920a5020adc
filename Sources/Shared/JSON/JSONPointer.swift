import TextCoding

/// The position of a value in a document, as a fragment (RFC 6901 section 6): `#/items/0/name`.
package struct JSONPointer: Sendable, Hashable {
    package let text: String

    /// The whole document.
    package static let root = JSONPointer(text: "#")

    /// Maximum bytes of a name in a pointer, including escapes: names are received, and must not determine the size of
    /// a response.
    private static let maximumNameBytes = 64

    private init(text: String) { self.text = text }

    /// The member of this name; special characters of pointers and fragments are escaped.
    package func member(_ name: String) -> JSONPointer {
        // The names that we declare need no escape.
        if name.utf8.count <= Self.maximumNameBytes, name.utf8.allSatisfy(Self.isPlain) {
            var text = text
            text.reserveCapacity(text.utf8.count + 1 + name.utf8.count)
            text += "/"
            text += name
            return JSONPointer(text: text)
        }
        var text = text + "/"
        let end = text.utf8.count + Self.maximumNameBytes
        for scalar in name.unicodeScalars {
            let part =
                switch scalar {
                case "~": "~0"
                case "/": "~1"
                default: PercentCoding.encode(String(scalar))
                }
            // Truncated at a whole character and a whole escape.
            guard text.utf8.count + part.utf8.count <= end else { break }
            text += part
        }
        return JSONPointer(text: text)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// The element at this index, counted from 0.
    package func element(_ index: Int) -> JSONPointer { JSONPointer(text: "\(text)/\(index)") }
}

import TextCoding

/// The place of a value in a document, as the fragment of RFC 6901 section 6: `#/items/0/name`.
package struct JSONPointer: Sendable, Hashable {
    package let text: String

    /// The document itself.
    package static let root = JSONPointer(text: "#")

    /// Of a name, at most this many bytes are given back, escapes counted: names come from outside, and an answer must not
    /// grow with them.
    private static let maximumNameBytes = 64

    private init(text: String) { self.text = text }

    /// The member of this name, its characters escaped where a pointer or a fragment gives them a meaning.
    package func member(_ name: String) -> JSONPointer {
        var text = text + "/"
        let end = text.utf8.count + Self.maximumNameBytes
        for scalar in name.unicodeScalars {
            let part =
                switch scalar {
                case "~": "~0"
                case "/": "~1"
                default: PercentCoding.encode(String(scalar))
                }
            // Never half an escape, and no character behind one that did not fit.
            guard text.utf8.count + part.utf8.count <= end else { break }
            text += part
        }
        return JSONPointer(text: text)
    }

    /// The element at this index, counted from 0.
    package func element(_ index: Int) -> JSONPointer { JSONPointer(text: "\(text)/\(index)") }
}

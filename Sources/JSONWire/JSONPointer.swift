/// The place of a value in a document, as the fragment of RFC 6901 section 6: `#/items/0/name`.
package struct JSONPointer: Sendable, Hashable {
    package let text: String

    /// The document itself.
    package static let root = JSONPointer(text: "#")

    /// Of a name, this many characters are given back: names come from outside, and a message need not carry a page.
    private static let maximumNameLength = 64

    private init(text: String) { self.text = text }

    /// The member of this name, its characters escaped where a pointer or a fragment gives them a meaning.
    package func member(_ name: String) -> JSONPointer {
        var text = text + "/"
        for scalar in name.unicodeScalars.prefix(Self.maximumNameLength) {
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_": text.unicodeScalars.append(scalar)
            default: for byte in String(scalar).utf8 { text += Self.percentEncoded(byte) }
            }
        }
        return JSONPointer(text: text)
    }

    /// The element at this index, counted from 0.
    package func element(_ index: Int) -> JSONPointer { JSONPointer(text: "\(text)/\(index)") }

    private static func percentEncoded(_ byte: UInt8) -> String {
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

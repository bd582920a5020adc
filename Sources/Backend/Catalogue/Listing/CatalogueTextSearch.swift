import SubGuardDomain

/// One text to be looked for in the names of items.
package struct CatalogueTextSearch: Sendable {
    private let texts: FoldedTexts
    private let pattern: [UInt8]
    private let letters: UInt64

    /// Nil for a text that folds to nothing.
    init?(_ text: String, in texts: FoldedTexts) {
        pattern = Array(TextFolding.fold(text).utf8)
        guard !pattern.isEmpty else { return nil }
        letters = FoldedTexts.letters(of: pattern[...])
        self.texts = texts
    }

    /// Whether the item at this place has the text in a name of it.
    package func finds(_ place: Int) -> Bool {
        // Most items lack one of the letters, and are done with here.
        guard texts.letters[place] & letters == letters else { return false }
        return texts.bytes.withUnsafeBufferPointer { bytes in
            pattern.withUnsafeBufferPointer { pattern in
                let last = texts.starts[place + 1] - pattern.count
                var position = texts.starts[place]
                while position <= last {
                    var index = 0
                    while index < pattern.count, bytes[position + index] == pattern[index] { index += 1 }
                    if index == pattern.count { return true }
                    position += 1
                }
                return false
            }
        }
    }
}

/// The folded names of all items in one row of bytes, each name with a line end behind it: folded text holds none.
struct FoldedTexts: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where each item begins, and at last where the row ends.
    private(set) var starts: [Int] = []
    /// Which letters an item has; rare ones share a bit, so that a missing bit is certain and a present one is not.
    private(set) var letters: [UInt64] = []

    init(_ items: [CatalogueItem]) {
        for item in items {
            let start = bytes.count
            starts.append(start)
            for name in [item.name, item.slug] + item.aliases {
                bytes += TextFolding.fold(name).utf8
                bytes.append(UInt8(ascii: "\n"))
            }
            letters.append(Self.letters(of: bytes[start...]))
        }
        starts.append(bytes.count)
    }

    static func letters(of bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 | 1 << UInt64($1 % 64) } }
}

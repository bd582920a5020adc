import SubGuardDomain

/// Searches the names of items for one text.
package struct CatalogueTextSearch: Sendable {
    private let texts: FoldedTexts
    private let pattern: [UInt8]
    private let letters: UInt64
    /// How far to advance when this byte is aligned with the end of the pattern (Horspool), so that a long pattern
    /// reads only a fraction of the text.
    private let shifts: [Int]

    /// Nil for a text that is empty after folding.
    init?(_ text: String, in texts: FoldedTexts) {
        let pattern = Array(TextFolding.fold(text).utf8)
        guard !pattern.isEmpty else { return nil }
        var shifts = [Int](repeating: pattern.count, count: 256)
        for (index, byte) in pattern.dropLast().enumerated() { shifts[Int(byte)] = pattern.count - 1 - index }
        self.pattern = pattern
        self.shifts = shifts
        self.texts = texts
        letters = FoldedTexts.letters(of: pattern[...])
    }

    /// Whether a name of the item at this position contains the text.
    package func finds(_ place: Int) -> Bool {
        var isFound = false
        forEachFound(CollectionOfOne(place)) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    /// Calls `visit` with each position whose item contains the text in a name, until it returns false.
    func forEachFound(_ places: some Sequence<Int>, _ visit: (Int) -> Bool) {
        // Opens the buffers once for all positions: there may be tens of thousands.
        texts.withBuffers { bytes, starts, letters in
            pattern.withUnsafeBufferPointer { pattern in
                shifts.withUnsafeBufferPointer { shifts in
                    for place in places {
                        // Most items lack one of the letters and are skipped here.
                        guard letters[place] & self.letters == self.letters else { continue }
                        let text = UnsafeBufferPointer(rebasing: bytes[starts[place]..<starts[place + 1]])
                        guard Self.occurs(pattern, in: text, shifts), !visit(place) else { continue }
                        return
                    }
                }
            }
        }
    }

    private static func occurs(
        _ pattern: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, _ shifts: UnsafeBufferPointer<Int>
    ) -> Bool {
        let tail = pattern.count - 1
        var position = tail
        while position < text.count {
            let byte = text[position]
            if byte == pattern[tail] {
                var index = 0
                while index < tail, text[position - tail + index] == pattern[index] { index += 1 }
                if index == tail { return true }
            }
            position += shifts[Int(byte)]
        }
        return false
    }
}

/// The folded names of all items in one byte array, each followed by a line feed, which folded text never contains.
struct FoldedTexts: Sendable {
    private var bytes: [UInt8] = []
    /// The start of each item, then the end of the array.
    private var starts: [Int] = []
    /// Bit mask of the letters in each item. Rare letters share a bit: a clear bit is certain, a set bit is not.
    private var letters: [UInt64] = []

    init(_ items: [CatalogueItem]) {
        for item in items {
            let start = bytes.count
            starts.append(start)
            for name in [item.name, item.slug] + item.aliases {
                for spelling in TextFolding.spellings(name) {
                    bytes += spelling.utf8
                    bytes.append(UInt8(ascii: "\n"))
                }
            }
            letters.append(Self.letters(of: bytes[start...]))
        }
        starts.append(bytes.count)
    }

    func withBuffers(
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<Int>, UnsafeBufferPointer<UInt64>) -> Void
    ) {
        bytes.withUnsafeBufferPointer { bytes in
            starts.withUnsafeBufferPointer { starts in
                letters.withUnsafeBufferPointer { letters in body(bytes, starts, letters) }
            }
        }
    }

    static func letters(of bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 | 1 << UInt64($1 % 64) } }
}

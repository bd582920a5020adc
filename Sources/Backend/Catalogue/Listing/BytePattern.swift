/// A row of bytes to be looked for in longer ones (Horspool): after a mismatch it moves on by as much as the byte under its
/// end allows, so that long patterns look at a fraction of the text.
struct BytePattern: Sendable {
    private let pattern: [UInt8]
    private let shifts: [Int]

    /// `pattern` is not empty.
    init(_ pattern: [UInt8]) {
        self.pattern = pattern
        var shifts = [Int](repeating: pattern.count, count: 256)
        for (index, byte) in pattern.dropLast().enumerated() { shifts[Int(byte)] = pattern.count - 1 - index }
        self.shifts = shifts
    }

    /// The first place at or after `start`, nil when there is none.
    func first(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let last = pattern.count - 1
        return pattern.withUnsafeBufferPointer { pattern in
            shifts.withUnsafeBufferPointer { shifts in
                var position = start
                while position + last < text.count {
                    let end = text[position + last]
                    if end == pattern[last] {
                        var index = 0
                        while index < last, text[position + index] == pattern[index] { index += 1 }
                        if index == last { return position }
                    }
                    position += shifts[Int(end)]
                }
                return nil
            }
        }
    }
}

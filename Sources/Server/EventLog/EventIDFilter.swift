/// Determines that an id is certainly not in the set that the filter was built from, or that it may be.
///
/// A Bloom filter in blocks of one cache line (Putze, Sanders, Singler: Cache-, Hash- and Space-Efficient Bloom
/// Filters, 2007). With 16 bits per id, the rate of false positives is about 1 in 500.
///
/// A filter is in memory or in a file; one in a file reads the line that it needs.
struct EventIDFilter {
    private static let bitsPerID = 16
    private static let wordsPerLine = 8
    private static let probes = 7

    private enum Lines {
        case memory([UInt64])
        case file(EventIDFilterFile.Place)
    }

    private var lines: Lines
    private let lineCount: Int

    init(hashes: some Collection<UInt64>) {
        let lineCount = max(1, (hashes.count * Self.bitsPerID + 511) / 512)
        var words = [UInt64](repeating: 0, count: lineCount * Self.wordsPerLine)
        for hash in hashes {
            let line = Self.line(of: hash, among: lineCount) * Self.wordsPerLine
            _ = Self.forEachBit(of: hash) { bit in
                words[line + (bit >> 6)] |= 1 << UInt64(bit & 63)
                return true
            }
        }
        self.lineCount = lineCount
        lines = .memory(words)
    }

    /// Nil unless the bytes are a whole number of lines.
    init?(bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: Self.bytesPerLine) else { return nil }
        lineCount = bytes.count / Self.bytesPerLine
        let words = bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map {
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self))
            }
        }
        lines = .memory(words)
    }

    /// As in the database; nil if the filter is in a file.
    var bytes: [UInt8]? {
        guard case .memory(let words) = lines else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * words.count)
        for word in words { withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    var byteCount: Int { lineCount * Self.bytesPerLine }

    var isInMemory: Bool {
        if case .memory = lines { return true }
        return false
    }

    /// Returns false if it is there already or cannot be written.
    mutating func move(to file: EventIDFilterFile) -> Bool {
        guard case .memory(let words) = lines, let place = words.withUnsafeBytes(file.write) else { return false }
        lines = .file(place)
        return true
    }

    /// Returns false if it is there already or cannot be read.
    mutating func moveToMemory() -> Bool {
        guard case .file(let place) = lines else { return false }
        var words = [UInt64](repeating: 0, count: lineCount * Self.wordsPerLine)
        guard words.withUnsafeMutableBytes({ place.read(from: 0, into: $0) }) else { return false }
        lines = .memory(words)
        return true
    }

    /// A filter that cannot be read contains anything.
    func mayContain(_ hash: UInt64) -> Bool {
        let line = Self.line(of: hash, among: lineCount)
        switch lines {
        case .memory(let words):
            return words.withUnsafeBufferPointer { Self.mayContain(hash, $0, from: line * Self.wordsPerLine) }
        case .file(let place):
            return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.wordsPerLine) { words in
                let isRead = place.read(from: line * Self.bytesPerLine, into: UnsafeMutableRawBufferPointer(words))
                return !isRead || Self.mayContain(hash, UnsafeBufferPointer(words), from: 0)
            }
        }
    }

    @inline(__always)
    private static func mayContain(_ hash: UInt64, _ words: UnsafeBufferPointer<UInt64>, from start: Int) -> Bool {
        forEachBit(of: hash) { words[start + ($0 >> 6)] & (1 << UInt64($0 & 63)) != 0 }
    }

    private static let bytesPerLine = 8 * wordsPerLine

    /// The number of the line of a hash.
    private static func line(of hash: UInt64, among count: Int) -> Int {
        Int((hash >> 32 &* UInt64(count)) >> 32)
    }

    /// Visits bits of a line until `visit` returns false; returns whether it never did.
    @inline(__always)
    private static func forEachBit(of hash: UInt64, _ visit: (Int) -> Bool) -> Bool {
        var bits = hash &* 0xD6E8_FEB8_6659_FD93
        bits ^= bits >> 32
        for _ in 0..<probes {
            guard visit(Int(bits & 511)) else { return false }
            bits >>= 9
        }
        return true
    }
}

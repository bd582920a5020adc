/// Determines that an id is certainly not in the set that the filter was built from, or that it may be.
///
/// A Bloom filter in blocks of one cache line (Putze, Sanders, Singler: Cache-, Hash- and Space-Efficient Bloom
/// Filters, 2007). With 16 bits per id, the rate of false positives is about 1 in 500.
struct EventIDFilter {
    private static let bitsPerID = 16
    private static let wordsPerLine = 8
    private static let probes = 7

    private var words: [UInt64]

    init(hashes: some Collection<UInt64>) {
        let lines = max(1, (hashes.count * Self.bitsPerID + 511) / 512)
        words = [UInt64](repeating: 0, count: lines * Self.wordsPerLine)
        for hash in hashes {
            let line = line(of: hash)
            _ = Self.forEachBit(of: hash) { bit in
                words[line + (bit >> 6)] |= 1 << UInt64(bit & 63)
                return true
            }
        }
    }

    /// Nil unless the bytes are a whole number of lines.
    init?(bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 8 * Self.wordsPerLine) else { return nil }
        words = bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map {
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self))
            }
        }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * words.count)
        for word in words { withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    func mayContain(_ hash: UInt64) -> Bool {
        let line = line(of: hash)
        return words.withUnsafeBufferPointer { words in
            Self.forEachBit(of: hash) { words[line + ($0 >> 6)] & (1 << UInt64($0 & 63)) != 0 }
        }
    }

    /// The offset of the line of a hash.
    private func line(of hash: UInt64) -> Int {
        Int((hash >> 32 &* UInt64(words.count / Self.wordsPerLine)) >> 32) * Self.wordsPerLine
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

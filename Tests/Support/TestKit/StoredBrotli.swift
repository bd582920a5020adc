extension Collection<UInt8> {
    /// The bytes as one uncompressed block of Brotli (RFC 7932 section 9.2), from 1 to 65,536 of them.
    package var storedBrotli: [UInt8] {
        // From the lowest bit: a window of 64 KiB, not the last block, 4 nibbles of length, length - 1, uncompressed.
        let head = (count - 1) << 4 | 1 << 20
        return [UInt8(truncatingIfNeeded: head), UInt8(truncatingIfNeeded: head >> 8), UInt8(head >> 16)] + self
            // The last block, empty.
            + [3]
    }
}

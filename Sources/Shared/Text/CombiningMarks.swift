/// Marks such as accents that follow a letter. Swift sorts a run of them whenever it compares or hashes a text, which
/// costs the square of the run's length; so texts of strangers may only have short runs.
package enum CombiningMarks {
    /// Maximum in a row: far more than any script has, and a fraction of a millisecond.
    package static let most = 255
    /// Maximum in a field of a request's head, which is compared before the client's allowance is looked at: that of
    /// Unicode's Stream-Safe Text Format (UAX #15 section 13).
    package static let mostInHead = 30

    /// Whether valid UTF-8 has more of them in a row. Linear; texts below U+0300 cost one comparison a byte.
    package static func areTooMany(in bytes: UnsafeRawBufferPointer) -> Bool { areMore(than: most, in: bytes) }

    /// As ``areTooMany(in:)``, with another maximum.
    package static func areMore(than most: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        var (run, place) = (0, 0)
        while place < bytes.count {
            let lead = bytes[place]
            // The scalars up to U+02FF have none.
            guard lead >= 0xCC else {
                place += 1
                // A following byte belongs to the scalar before.
                if lead < 0x80 || lead >= 0xC0 { run = 0 }
                continue
            }
            let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            guard place + length <= bytes.count else { return false }
            var value = UInt32(lead) & (0x7F >> UInt32(length))
            for offset in 1..<length { value = value << 6 | UInt32(bytes[place + offset]) & 0x3F }
            place += length
            let isMark =
                Unicode.Scalar(value).map { $0.properties.canonicalCombiningClass != .notReordered } ?? false
            run = isMark ? run + 1 : 0
            if run > most { return true }
        }
        return false
    }
}

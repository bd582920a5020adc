/// Runs of Unicode scalars that cost the square of their length, so that texts of strangers may only have short ones:
/// Swift sorts the combining marks of a letter whenever it compares or hashes a text, and counts the regional
/// indicators of a row, two of which are a flag, before each step backwards by a character (UAX #29, GB12).
///
/// Conjuncts, emoji with joiners, Hangul jamo and prepended marks cost what their length does (`CharacterCostTests`).
package enum CharacterRuns {
    /// Maximum of combining marks in a row: far more than any script has, and a fraction of a millisecond.
    package static let mostMarks = 255
    /// Maximum in a field of a request's head, which is compared before the client's allowance is looked at: that of
    /// Unicode's Stream-Safe Text Format (UAX #15 section 13).
    package static let mostMarksInHead = 30
    /// Maximum of flags in a row.
    package static let mostFlags = 32
    /// Maximum of regional indicators in a row.
    package static let mostIndicators = 2 * mostFlags
    /// A text of fewer bytes has no run that is too long: a mark takes at least one, an indicator four.
    package static let fewestBytes = min(mostMarks, 4 * mostIndicators) + 1

    /// How many marks of a run a scalar is, in its canonical decomposition; 0 for one that ends the run. Of those that
    /// become two, three are no marks themselves.
    package static func marks(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x344, 0xF73, 0xF75, 0xF81: 2
        default: scalar.properties.canonicalCombiningClass == .notReordered ? 0 : 1
        }
    }

    /// Whether valid UTF-8 has more of them in a row. Linear; texts below U+0300 cost one comparison a byte.
    package static func areTooLong(in bytes: UnsafeRawBufferPointer) -> Bool {
        areTooLong(in: bytes, mostMarks: mostMarks)
    }

    /// As ``areTooLong(in:)``, with another maximum of marks.
    package static func areTooLong(in bytes: UnsafeRawBufferPointer, mostMarks: Int) -> Bool {
        var (marks, indicators, place) = (0, 0, 0)
        while place < bytes.count {
            let lead = bytes[place]
            // The scalars up to U+02FF have none.
            guard lead >= 0xCC else {
                place += 1
                // A following byte belongs to the scalar before.
                if lead < 0x80 || lead >= 0xC0 { (marks, indicators) = (0, 0) }
                continue
            }
            let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            guard place + length <= bytes.count else { return false }
            var value = UInt32(lead) & (0x7F >> UInt32(length))
            for offset in 1..<length { value = value << 6 | UInt32(bytes[place + offset]) & 0x3F }
            place += length
            let isIndicator = (0x1F1E6...0x1F1FF).contains(value)
            let added = isIndicator ? 0 : Unicode.Scalar(value).map { Self.marks(of: $0) } ?? 0
            marks = added > 0 ? marks + added : 0
            indicators = isIndicator ? indicators + 1 : 0
            if marks > mostMarks || indicators > mostIndicators { return true }
        }
        return false
    }
}

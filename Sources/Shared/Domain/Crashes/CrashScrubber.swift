/// Masks personal data and secrets in texts of a crash report, and counts them. The rules match patterns and cannot
/// find names in plain words, so fields that may contain one are not kept at all (``CrashRegistry``).
package struct CrashScrubber: Sendable {
    /// The number of masked places by kind.
    package private(set) var counts: [Masking: Int] = [:]

    /// Results by text. The rules cost about 100 ns per byte and the same frames recur in honest reports, and even more
    /// in requests built to compress well.
    private var known: [Text: Outcome] = [:]
    /// Further texts are not cached.
    private static let maximumKnown = 1_000

    private struct Text: Hashable {
        let text: String
        let maximumBytes: Int
        let isProse: Bool
    }

    private struct Outcome {
        let text: String
        let counts: [Masking: Int]
    }

    package init() {}

    /// Applies every rule to free text, and truncates it to `maximumBytes`.
    package mutating func text(_ text: String, maximumBytes: Int) -> String {
        scrub(text, maximumBytes: maximumBytes, isProse: true)
    }

    /// Masks a symbol name. Skips the rules for numbers and unknown tokens, which would match mangled names.
    package mutating func symbol(_ text: String, maximumBytes: Int) -> String {
        scrub(text, maximumBytes: maximumBytes, isProse: false)
    }

    private mutating func scrub(_ text: String, maximumBytes: Int, isProse: Bool) -> String {
        let key = Text(text: text, maximumBytes: maximumBytes, isProse: isProse)
        if let outcome = known[key] {
            counts.merge(outcome.counts, uniquingKeysWith: +)
            return outcome.text
        }
        let before = counts
        counts = [:]
        let scrubbed = scrubAnew(text, maximumBytes: maximumBytes, isProse: isProse)
        if known.count < Self.maximumKnown { known[key] = Outcome(text: scrubbed, counts: counts) }
        counts.merge(before, uniquingKeysWith: +)
        return scrubbed
    }

    private mutating func scrubAnew(_ text: String, maximumBytes: Int, isProse: Bool) -> String {
        // Truncated with a margin first, so that rules see whole tokens but never a megabyte.
        var bytes = Self.printable(Array(text.utf8.prefix(maximumBytes * 2 + 256)))
        // Masking can expose another match, such as an address behind a scheme, so repeat until nothing is found.
        for _ in 0..<4 {
            let count = pass(&bytes, isProse: isProse)
            if count == 0 { break }
        }
        return Self.cut(bytes, maximumBytes: maximumBytes)
    }

    /// The text with U+FFFD in place of control characters other than tabs and line ends, which a database may refuse
    /// (NUL), and of those that reorder the text around them.
    package static func printable(_ bytes: [UInt8]) -> [UInt8] {
        func isSuspect(_ byte: UInt8) -> Bool {
            byte < 0x20 && !(9...13).contains(byte) || byte == 0x7F || byte == 0xE2
        }
        guard bytes.contains(where: isSuspect) else { return bytes }
        var scalars = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            let isControl = scalar.value < 0x20 && !(9...13).contains(scalar.value) || scalar.value == 0x7F
            let reorders = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            scalars.append(isControl || reorders ? "\u{FFFD}" : scalar)
        }
        return Array(String(scalars).utf8)
    }

    /// Runs the rules over the text once; returns the number of masked places.
    private mutating func pass(_ bytes: inout [UInt8], isProse: Bool) -> Int {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var found = 0
        var text = ScannedText(bytes)
        var position = 0
        var isInLink = false
        while position < bytes.count {
            if Octet.isBlank(bytes[position]) { isInLink = false }
            if text.has("://", at: position) { isInLink = true }
            guard let place = text.place(at: position, isInLink: isInLink, isProse: isProse) else {
                out.append(bytes[position])
                position += 1
                continue
            }
            out.append(contentsOf: bytes[position..<place.start])
            out.append(contentsOf: place.kind.mark)
            counts[place.kind, default: 0] += 1
            found += 1
            position = place.end
        }
        bytes = out
        return found
    }

    /// The longest prefix of whole characters that fits.
    private static func cut(_ bytes: [UInt8], maximumBytes: Int) -> String {
        var end = min(bytes.count, maximumBytes)
        while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}

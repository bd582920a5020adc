/// Masks what looks personal or secret in texts of a crash report, and counts it. The rules look for shapes, so a name
/// in plain words is not found: what may hold one is not kept in the first place (``CrashRegistry``).
package struct CrashScrubber: Sendable {
    /// How often each kind was masked so far.
    package private(set) var counts: [Masking: Int] = [:]

    /// Texts that were looked at before. The rules cost some 100 ns a byte, and the same frames come again and again, in
    /// honest reports and above all in those that were made to shrink to nothing when compressed.
    private var known: [Text: Outcome] = [:]
    /// Beyond these, texts are looked at anew.
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

    /// Free text: every rule. Cut to `maximumBytes` before and after.
    package mutating func text(_ text: String, maximumBytes: Int) -> String {
        scrub(text, maximumBytes: maximumBytes, isProse: true)
    }

    /// A name out of a program: not the rules for numbers and for tokens of unknown make, which would hit mangled names.
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
        // Cut off generously first: a rule should see the whole of what it masks, but not a megabyte.
        var bytes = Array(text.utf8.prefix(maximumBytes * 2 + 256))
        // Masking can bring a shape to light, e.g. an address behind a scheme; a second look settles it.
        for _ in 0..<4 {
            let count = pass(&bytes, isProse: isProse)
            if count == 0 { break }
        }
        return Self.cut(bytes, maximumBytes: maximumBytes)
    }

    /// One walk over the text; returns how many places were masked.
    private mutating func pass(_ bytes: inout [UInt8], isProse: Bool) -> Int {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var found = 0
        let text = ScannedText(bytes)
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

    /// The longest beginning of whole characters that fits.
    private static func cut(_ bytes: [UInt8], maximumBytes: Int) -> String {
        var end = min(bytes.count, maximumBytes)
        while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}

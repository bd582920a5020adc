import Foundation
import TextCoding

/// Normalises names for comparison and search: removes case, accents, width and punctuation.
package enum TextFolding {
    /// Folds a text to words separated by single blanks.
    ///
    /// - Resolves compatibility forms (`ﬁ` is `fi`, `Ａ` is `a`), removes case and accents, and spells out special
    ///   letters: `ß` is `ss`, `œ` is `oe`, `æ` is `ae`, `ł` is `l`, `ø` is `o`.
    /// - `+` becomes the word `plus`: `Disney+` matches `disney`, `disney+` and `disney plus`, but is not equal to
    ///   `Disney`.
    /// - Other punctuation and symbols separate words, including trademark signs. Invisible marks are removed.
    /// - A text that consists of symbols only, such as an emoji, keeps them.
    ///
    /// Idempotent.
    package static func fold(_ text: String) -> String {
        var buffer = FoldingBuffer(capacity: text.utf8.count)
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 { buffer.append(ascii: byte) }
        } else {
            decompose(text) { append($0, to: &buffer) }
        }
        return buffer.isEmpty ? symbols(of: text) : buffer.text
    }

    /// The folded text and, if punctuation stands inside a word, the text folded without it: `AT&T` is `at t` and
    /// `att`, `Coca-Cola` is `coca cola` and `cocacola`.
    package static func spellings(_ text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        var joined = String.UnicodeScalarView()
        var hasJoined = false
        var end = 0
        for (place, scalar) in scalars.enumerated() where isLetter(scalar) {
            let between = scalars[end..<place]
            let isInside = end > 0 && !between.isEmpty && between.allSatisfy(isJoining)
            if isInside { hasJoined = true } else { joined.append(contentsOf: between) }
            joined.append(scalar)
            end = place + 1
        }
        let folded = fold(text)
        guard hasJoined else { return [folded] }
        joined.append(contentsOf: scalars[end...])
        let whole = fold(String(joined))
        return folded == whole ? [folded] : [folded, whole]
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Punctuation that people leave out when they type a name.
    private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .otherPunctuation, .initialPunctuation, .finalPunctuation,
            .modifierSymbol:
            true
        default: false
        }
    }

    /// The limit of the stream-safe text format (Unicode Standard Annex 15).
    private static let maximumMarksInARow = 30

    /// How many scalars are decomposed together: Foundation takes quadratic time.
    private static let piece = 128

    /// The compatibility decomposition of a text without what must not be decomposed: trademark signs, which would
    /// become letters of the word, and long runs of marks, which take quadratic time. Pieces begin where no mark is
    /// moved to, so that together they are what the whole would be.
    private static func decompose(_ text: String, _ body: (Unicode.Scalar) -> Void) {
        var kept = String.UnicodeScalarView()
        var (count, marks) = (0, 0)
        for scalar in text.unicodeScalars {
            let added = Self.marks(of: scalar)
            marks = added > 0 ? marks + added : 0
            guard marks <= maximumMarksInARow else { continue }
            if count >= piece, added == 0 {
                String(kept).decomposedStringWithCompatibilityMapping.unicodeScalars.forEach(body)
                (kept, count) = (String.UnicodeScalarView(), 0)
            }
            kept.append(isTrademark(scalar) ? " " : scalar)
            count += 1
        }
        String(kept).decomposedStringWithCompatibilityMapping.unicodeScalars.forEach(body)
    }

    /// The half-width voicing signs of katakana are marks only in the compatibility decomposition.
    private static func marks(of scalar: Unicode.Scalar) -> Int {
        scalar == "\u{FF9E}" || scalar == "\u{FF9F}" ? 1 : CharacterRuns.marks(of: scalar)
    }

    private static func append(_ scalar: Unicode.Scalar, to buffer: inout FoldingBuffer) {
        guard !scalar.isASCII else { return buffer.append(ascii: UInt8(truncatingIfNeeded: scalar.value)) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber, .letterNumber,
            .otherNumber, .spacingMark:
            for lower in scalar.properties.lowercaseMapping.unicodeScalars { appendLetter(lower, to: &buffer) }
        case .modifierLetter:
            // Includes characters that people type as an apostrophe.
            if (0x2B9...0x2C1).contains(scalar.value) { buffer.appendBlank() } else { buffer.append(scalar) }
        case .nonspacingMark:
            if !isAccent(scalar) { buffer.append(scalar) }
        case .enclosingMark, .format: break
        default: buffer.appendBlank()
        }
    }

    private static func appendLetter(_ scalar: Unicode.Scalar, to buffer: inout FoldingBuffer) {
        switch scalar {
        case "ß": buffer.append(letters: "ss")
        case "œ": buffer.append(letters: "oe")
        case "æ": buffer.append(letters: "ae")
        case "þ": buffer.append(letters: "th")
        case "ø": buffer.append(letters: "o")
        case "ł": buffer.append(letters: "l")
        case "đ", "ð": buffer.append(letters: "d")
        case "ħ": buffer.append(letters: "h")
        case "ŧ": buffer.append(letters: "t")
        case "ŋ": buffer.append(letters: "n")
        case "ı": buffer.append(letters: "i")
        case "ς": buffer.append("σ")
        default:
            if !isAccent(scalar) { buffer.append(scalar) }
        }
    }

    /// Marks that are optional in writing: accents, and the vowel signs of Arabic and Hebrew. Marks of other scripts
    /// are part of the letter and kept.
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F,
            0x0591...0x05C7, 0x0610...0x061A, 0x064B...0x065F, 0x0670, 0xE0100...0xE01EF:
            true
        default: false
        }
    }

    private static func isTrademark(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{2122}" || scalar == "\u{2120}"
    }

    private static func symbols(of text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !scalar.properties.isWhitespace {
            if scalar.properties.generalCategory != .control { kept.append(scalar) }
        }
        return String(kept)
    }
}

/// Collects folded words, separated by single blanks.
struct FoldingBuffer {
    private var bytes: [UInt8] = []
    private var isBlankDue = false

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    var isEmpty: Bool { bytes.isEmpty }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(ascii byte: UInt8) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            startLetter()
            bytes.append(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            startLetter()
            bytes.append(byte | 0x20)
        case UInt8(ascii: "+"):
            appendBlank()
            append(letters: "plus")
            appendBlank()
        default: appendBlank()
        }
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        startLetter()
        if let encoded = UTF8.encode(scalar) { bytes.append(contentsOf: encoded) }
    }

    mutating func append(letters: StaticString) {
        startLetter()
        letters.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func appendBlank() {
        isBlankDue = true
    }

    private mutating func startLetter() {
        if isBlankDue, !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
        isBlankDue = false
    }
}

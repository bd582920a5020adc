import Foundation
import SubGuardDomain
import TestKit
import Testing
import TextCoding

@Suite struct TextFoldingTests {
    @Test(arguments: [
        ("Éñ", "en"), ("Straße", "strasse"), ("STRASSE", "strasse"), ("ẞ", "ss"), ("Œuvre", "oeuvre"), ("Æon", "aeon"),
        ("Łódź", "lodz"), ("Øre", "ore"),
        ("Þór Ðe", "thor de"), ("Đà Nẵng", "da nang"), ("ıİIi", "iiii"), ("Ħŧŋ", "htn"), ("Ångström", "angstrom"),
        ("e\u{301}", "e"), ("é", "e"),
        ("ﬁnance ﬄ", "finance ffl"), ("Ｄｉｓｎｅｙ＋", "disney plus"), ("ﾈｯﾄ", "ネット"), ("ガ", "カ\u{3099}"),
        ("ｶﾞ", "カ\u{3099}"),
        ("Яндекс.Музыка", "яндекс музыка"),
        ("Ёлка й", "елка и"), ("Οδός", "οδοσ"), ("ΟΔΟΣ", "οδοσ"), ("ǅ", "dz"), ("Ⅳ ½ ²", "iv 1 2 2"),
        ("한국", "한국".decomposed), ("ไทย", "ไทย"), ("हिन्दी", "हिन्दी"),
        ("مُحَمَّد", "محمد"), ("שָׁלוֹם", "שלום"),
    ])
    func dropsCaseAccentsAndWidth(_ text: String, _ folded: String) {
        #expect(
            Array(TextFolding.fold(text).unicodeScalars) == Array(folded.unicodeScalars), "\(TextFolding.fold(text))")
    }

    @Test(arguments: [
        ("Disney+", "disney plus"), ("disney plus", "disney plus"), ("Canal+ Séries", "canal plus series"),
        ("C++", "c plus plus"), ("+1", "plus 1"),
        ("  Amazon   Prime\tVideo \n", "amazon prime video"), ("L'Équipe", "l equipe"), ("L’Équipe", "l equipe"),
        ("AT&T", "at t"), ("Netflix™", "netflix"),
        ("Xbox® Live℠", "xbox live"), ("Tinder: Gold!", "tinder gold"), ("...a...b...", "a b"), ("-", "-"),
        ("12.34 €", "12 34"), ("a\u{200B}b\u{AD}c", "abc"),
        ("a\u{A0}b\u{3000}c", "a b c"), ("Deezer 🎵", "deezer"), ("👩‍💻 Code", "code"), ("\"Quoted\"", "quoted"),
        ("", ""),
        ("   ", ""), ("\u{0}\u{7}", ""), ("é\u{0}a\u{7}", "e a"),
        ("🎮", "🎮"), ("🎮 🎮", "🎮🎮"), ("!!!", "!!!"), ("™", "™"), ("ʻOkina", "okina"),
    ])
    func partsWordsByOneBlank(_ text: String, _ folded: String) {
        #expect(Array(TextFolding.fold(text).utf8) == Array(folded.utf8), "\(TextFolding.fold(text))")
    }

    @Test func changesNothingTheSecondTime() {
        for value in UInt32.min...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = TextFolding.fold("x\(scalar)y")
            let again = TextFolding.fold(folded)
            if !folded.utf8.elementsEqual(again.utf8) {
                Issue.record("U+\(String(value, radix: 16)): \(folded) became \(again)")
            }
        }
    }

    /// Sorting a run of marks takes quadratic time; without a limit this test would time out.
    @Test(.timeLimit(.minutes(1)))
    func foldsEndlessRowsOfMarks() {
        let marks = String(repeating: "\u{301}\u{323}\u{308}", count: 400_000)
        #expect(TextFolding.fold("e\(marks)x") == "ex")
        #expect(TextFolding.fold(marks + "é") == "e")
    }

    /// Eight times the length takes about eight times as long, not 64 times.
    @Test(arguments: ["é", "\u{390}", "한", "ﬁ", "e\u{301}\u{323}", "\u{F73}", "\u{F81}x", "\u{344}", "\u{FF9E}", "a"])
    func growsWithTheLength(_ unit: String) {
        let time = { (length: Int) in
            let text = String(repeating: unit, count: length)
            return leastProcessorSeconds(of: 3) { _ = TextFolding.fold(text) }
        }
        #expect(time(64_000) < time(8000) * 24)
    }

    /// Texts are decomposed in pieces: wherever one ends, the result is that of the whole.
    @Test func foldsLongTextsLikeShortOnes() {
        let marks = ["\u{F73}", "\u{344}", "\u{FF9E}", "\u{3099}", "\u{301}", "\u{323}", "\u{5B0}", "\u{64E}"]
        let letters = ["é", "ｶ", "한", "ﬁ", "क", "\u{F40}", "\u{1D15E}", "\u{FDFA}", "x", "Å"]
        var random = SeededRandom(seed: 5)
        for _ in 0..<50 {
            let parts = (0..<40).map { _ in (Int.random(in: 0...2, using: &random) == 0 ? letters : marks) }
            let text = "x" + parts.compactMap { $0.randomElement(using: &random) }.joined()
            let folded = TextFolding.fold(text)
            for lead in 90..<130 {
                let letters = String(repeating: "a", count: lead)
                #expect(TextFolding.fold(letters + text) == letters + folded, "\(text.unicodeScalars.map(\.value))")
            }
        }
    }

    /// A piece can begin with any scalar that is counted as no mark.
    @Test func knowsEveryMark() {
        for scalar in (UInt32.min...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) {
            let first = String(scalar).decomposed.unicodeScalars.first ?? scalar
            let isMark = first.properties.canonicalCombiningClass != .notReordered
            #expect((CharacterRuns.marks(of: scalar) > 0) == isMark, "U+\(String(scalar.value, radix: 16))")
            let plain = String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars.first ?? scalar
            guard plain.properties.canonicalCombiningClass != .notReordered else { continue }
            #expect(isMark || [0xFF9E, 0xFF9F].contains(scalar.value), "U+\(String(scalar.value, radix: 16))")
        }
    }

    @Test func treatsComposedAndDecomposedTextAlike() {
        for value: UInt32 in 0xC0...0x1FFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar)
            #expect(
                TextFolding.fold("a" + text.decomposed).utf8.elementsEqual(TextFolding.fold("a" + text).utf8),
                "\(value)")
        }
    }
}

extension String {
    /// The same text with accents as separate scalars.
    var decomposed: String { decomposedStringWithCanonicalMapping }
}

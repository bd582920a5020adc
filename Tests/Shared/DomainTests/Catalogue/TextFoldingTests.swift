import Foundation
import SubGuardDomain
import Testing

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

import SubGuardDomain
import Testing

@Suite struct NameVisibilityTests {
    private func code(_ name: String) -> FaultCode? {
        CatalogueRules.nameError(CatalogueRules.trimmed(name), field: "name")?.code
    }

    @Test(arguments: [
        "L'Été “29” 🎬", "Cinéma\u{301}", "ＮＥＴ", "1️⃣ Radio", "👩‍👩‍👧 Famille", "❤️ Club", "نمی\u{200C}دانم",
        "क\u{94D}\u{200D}ष",
        "שָׁלוֹם", "네이버", "…", "1.2", "Việ\u{302}\u{323}t",
    ])
    func takesWhatPeopleWrite(_ name: String) { #expect(code(name) == nil) }

    @Test(arguments: [
        "\u{3164}", "\u{2800}\u{2800}", "\u{E0041}\u{E0042}", "\u{200B}", "\u{FEFF}", "\u{301}\u{302}",
        "\u{115F}\u{1160}",
        "\u{FFA0}", "\u{AD}", "\u{2060}", "\u{FE0F}", "\u{200D}", "\u{180E}", "\u{FFF9}",
    ])
    func refusesWhatLooksEmpty(_ name: String) { #expect(code(name) != nil, "\(name.unicodeScalars)") }

    @Test(arguments: [
        "Net\u{200B}flix", "Net\u{200D}flix", "Net\u{200C}flix", "Net\u{AD}flix", "Netflix\u{E0041}", "Netflix\u{3164}",
        "Net\u{2800}flix", "Net\u{FE0F}flix", "Net\u{2060}flix", "\u{200F}Netflix", "Netflix\u{200D}", "Net\u{34F}flix",
    ])
    func refusesWhatCannotBeSeenInAName(_ name: String) { #expect(code(name) == .invisibleCharacters) }

    @Test func boundsTheMarksOfALetter() {
        #expect(code("N" + String(repeating: "\u{301}", count: 4) + "etflix") == nil)
        #expect(code("N" + String(repeating: "\u{301}", count: 5) + "etflix") == .tooManyMarks)
        #expect(code("\u{3164}") == .blank)
        #expect(CatalogueRules.nameError("a\u{200B}", field: "name")?.detail.contains("U+200B") == true)
        #expect(CatalogueRules.nameError("a\u{AD}", field: "name")?.detail.contains("U+00AD") == true)
    }

    @Test func marksWordsOfSeveralAlphabets() {
        let forged = NameScripts(of: "N\u{435}tflix")
        #expect(forged.isMixed && forged.all == [.latin, .cyrillic])
        #expect(forged.lookalike == "Netflix")
        #expect(NameScripts(of: "Νetflix").lookalike == "Netflix")
        for name in ["Яндекс Go", "Кинопоиск+HD", "楽天TV", "네이버 Plus", "L'Équipe", "Ελλάδα TV", "29", "🎬", ""] {
            let scripts = NameScripts(of: name)
            #expect(!scripts.isMixed, "\(name)")
            #expect(scripts.lookalike == name)
        }
        // A mark between letters does not separate words.
        #expect(NameScripts(of: "N\u{435}\u{301}tflix").isMixed)
        #expect(NameScripts(of: "楽天TV").all == [.latin])
        #expect(NameScripts(of: "сор").lookalike == "сор")
    }
}

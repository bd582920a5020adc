import TestKit
import Testing
import TextCoding

@Suite struct CharacterRunsTests {
    private func isTooLong(_ text: String) -> Bool { Array(text.utf8).withUnsafeBytes(CharacterRuns.areTooLong) }

    private func flags(_ count: Int) -> String { String(repeating: "🇫🇷", count: count) }

    @Test func boundsFlagsInARow() {
        #expect(!isTooLong("Flags " + flags(32)))
        #expect(isTooLong(flags(32) + "\u{1F1E6}"))
        #expect(isTooLong("x" + flags(33) + "x"))
        #expect(!isTooLong(String(repeating: flags(32) + "é", count: 50)))
        #expect(!isTooLong(String(repeating: "\u{1F1E5}\u{1F200}", count: 100)), "what stands beside them is free")
    }

    @Test func boundsMarksOnALetter() {
        #expect(!isTooLong("e" + String(repeating: "\u{301}", count: 255)))
        #expect(isTooLong("e" + String(repeating: "\u{301}", count: 256)))
    }

    /// U+0F73 is no mark itself, but two of them once it is decomposed; so is U+0344, which is one.
    @Test(arguments: ["\u{F73}", "\u{F75}", "\u{F81}", "\u{344}"])
    func countsTheMarksOfTheDecomposition(_ mark: String) {
        #expect(!isTooLong("e" + String(repeating: mark, count: 127)))
        #expect(isTooLong(String(repeating: mark, count: 128)))
    }

    @Test(arguments: [
        "👩‍👩‍👧‍👦 Famille 👨🏽‍👩🏿‍👧🏻", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 England", "हिन्दी कार्यक्रम क्षत्रिय", "한국어 텔레비전",
        "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}\u{110B}\u{1165}", "العربية", "ไทย", "é\u{323}\u{302}",
    ])
    func takesTextsThatPeopleWrite(_ text: String) {
        #expect(!isTooLong(text))
        #expect(!isTooLong(String(repeating: text, count: 200)))
    }

    @Test func aShortTextHasNoLongRun() {
        for unit in ["\u{1F1E6}", "\u{301}", "\u{344}"] {
            let most = CharacterRuns.fewestBytes - 1
            #expect(!isTooLong(String(repeating: unit, count: most / unit.utf8.count)))
        }
    }
}

/// What Swift's characters cost in texts that are not refused.
@Suite(.serialized) struct CharacterCostTests {
    /// Units that extend a character or need a look back at its start, by UAX #29.
    static let units: [(name: String, unit: String)] = [
        ("flags", String(repeating: "🇫🇷", count: 32) + "x"), ("conjuncts", "\u{915}\u{94D}"),
        ("conjuncts with joiners", "\u{915}\u{94D}\u{200D}\u{93C}"), ("emoji with joiners", "👩\u{200D}"),
        ("emoji with skin and joiners", "👩🏽\u{200D}"), ("joiners", "\u{200D}"), ("variation selectors", "\u{FE0F}"),
        ("tags", "\u{E0061}"), ("leading jamo", "\u{1100}"), ("vowel jamo", "\u{1161}"), ("final jamo", "\u{11A8}"),
        ("syllables", "\u{AC00}"), ("prepended marks", "\u{600}"), ("spacing marks", "\u{903}"), ("line ends", "\r\n"),
        ("marks", "e" + String(repeating: "\u{301}", count: 120) + String(repeating: "\u{323}", count: 120)),
        ("enclosing marks", "\u{20DD}"),
    ]

    /// 32 kB of any of them take milliseconds; what grows with the square takes more than a second.
    @Test(arguments: units.map(\.name))
    func growsWithTheLength(_ name: String) throws {
        let unit = try #require(Self.units.first { $0.name == name }).unit
        let text = "x" + String(repeating: unit, count: 32_768 / unit.utf8.count)
        #expect(!Array(text.utf8).withUnsafeBytes(CharacterRuns.areTooLong))
        var best = Double.infinity
        for _ in 0..<5 where best > 0.5 {
            best = min(
                best,
                processorSeconds {
                    _ = text.lastIndex(of: "/")
                    _ = text[...].lastIndex(of: "/")
                    _ = text[...].firstRange(of: " (in ")
                    _ = text.split(separator: ":").count
                    _ = text.reversed().count + text.count
                    _ = text.hasSuffix(":") || text.contains("zq")
                    _ = text.lowercased().hashValue
                    var rest = text[...]
                    for _ in 0..<20 where rest.last != nil { rest.removeLast() }
                })
        }
        #expect(best < 0.5, "\(name): \(best) s")
    }
}

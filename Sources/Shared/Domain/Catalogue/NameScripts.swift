/// Scripts with look-alike letters: a name that mixes them can imitate another one.
///
/// Scripts that are commonly mixed with Latin letters, such as those of Japanese, Chinese and Korean, are not included.
package enum NameScript: String, Sendable, Hashable, CaseIterable {
    case latin = "Latin"
    case cyrillic = "Cyrillic"
    case greek = "Greek"
    case armenian = "Armenian"
    case cherokee = "Cherokee"
    case coptic = "Coptic"

    /// The script of a letter; nil for other characters.
    package init?(_ letter: Unicode.Scalar) {
        let value = letter.value
        if value < 0x80 {
            guard (0x61...0x7A).contains(value | 0x20) else { return nil }
            self = .latin
            return
        }
        guard let script = Self.allCases.first(where: { $0.letters.contains { $0.contains(value) } }) else {
            return nil
        }
        self = script
    }

    /// Letters and marks of the script (Unicode 15, Scripts.txt); ranges may include unassigned code points.
    private var letters: [ClosedRange<UInt32>] {
        switch self {
        case .latin: Self.latinLetters
        case .cyrillic: Self.cyrillicLetters
        case .greek: Self.greekLetters
        case .armenian: Self.armenianLetters
        case .cherokee: Self.cherokeeLetters
        case .coptic: Self.copticLetters
        }
    }

    private static let latinLetters: [ClosedRange<UInt32>] = [
        0x0041...0x005A, 0x0061...0x007A, 0x00AA...0x00AA, 0x00BA...0x00BA, 0x00C0...0x00D6, 0x00D8...0x00F6,
        0x00F8...0x02B8, 0x02E0...0x02E4, 0x1D00...0x1D25, 0x1D2C...0x1D5C, 0x1D62...0x1D65, 0x1D6B...0x1D77,
        0x1D79...0x1DBE, 0x1E00...0x1EFF, 0x2071...0x2071, 0x207F...0x207F, 0x2090...0x209C, 0x212A...0x212B,
        0x2132...0x2132, 0x214E...0x214E, 0x2183...0x2184, 0x2C60...0x2C7F, 0xA722...0xA787, 0xA78B...0xA7FF,
        0xAB30...0xAB5A, 0xAB5C...0xAB64, 0xAB66...0xAB69, 0xFB00...0xFB06, 0xFF21...0xFF3A, 0xFF41...0xFF5A,
        0x10780...0x107BA, 0x1DF00...0x1DF2A,
    ]
    private static let cyrillicLetters: [ClosedRange<UInt32>] = [
        0x0400...0x0484, 0x0487...0x052F, 0x1C80...0x1C88, 0x1D2B...0x1D2B, 0x1D78...0x1D78, 0x2DE0...0x2DFF,
        0xA640...0xA69F, 0xFE2E...0xFE2F, 0x1E030...0x1E08F,
    ]
    private static let greekLetters: [ClosedRange<UInt32>] = [
        0x0370...0x0373, 0x0376...0x037D, 0x037F...0x037F, 0x0386...0x0386, 0x0388...0x03E1, 0x03F0...0x03FF,
        0x1D26...0x1D2A, 0x1D5D...0x1D61, 0x1D66...0x1D6A, 0x1DBF...0x1DBF, 0x1F00...0x1FFC, 0x2126...0x2126,
        0xAB65...0xAB65, 0x1D242...0x1D244,
    ]
    private static let armenianLetters: [ClosedRange<UInt32>] = [0x0531...0x0588, 0xFB13...0xFB17]
    private static let cherokeeLetters: [ClosedRange<UInt32>] = [0x13A0...0x13FD, 0xAB70...0xABBF]
    private static let copticLetters: [ClosedRange<UInt32>] = [0x03E2...0x03EF, 0x2C80...0x2CF3]
}

/// The scripts of a name.
package struct NameScripts: Sendable, Hashable {
    /// In the order of the cases of ``NameScript``.
    package let all: [NameScript]
    /// Whether a single word mixes scripts, such as `N` and `tflix` around a Cyrillic `е`. Words are separated by
    /// anything but letters, marks and digits, so `Яндекс Go` is not mixed.
    package let isMixed: Bool
    private let name: String

    package init(of name: String) {
        self.name = name
        var found: Set<NameScript> = []
        var inWord: Set<NameScript> = []
        var isMixed = false
        for scalar in name.unicodeScalars {
            if let script = NameScript(scalar) {
                inWord.insert(script)
                found.insert(script)
                isMixed = isMixed || inWord.count > 1
            } else if !Self.isOfWord(scalar) {
                inWord = []
            }
        }
        self.isMixed = isMixed
        all = NameScript.allCases.filter(found.contains)
    }

    /// With mixed words, the name with look-alike letters replaced by Latin ones; otherwise the name itself. For
    /// comparison only, never for display.
    package var lookalike: String {
        guard isMixed else { return name }
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { scalars.append(Self.latin[scalar] ?? scalar) }
        return String(scalars)
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .format:
            true
        default: false
        }
    }

    /// Latin equivalents of look-alike Cyrillic, Greek and Armenian letters (Unicode Technical Standard 39,
    /// confusables.txt).
    private static let latin: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs: [(String, String)] = [
            ("авсеԁһіјкӏмпорԛѕтуԝхѵг", "abcedhijklmnopqstywxvr"), ("АВСЕԌНІЈКМОРЅТУХԚԜ", "ABCEGHIJKMOPSTYXQW"),
            ("αβεηικνορτυχ", "abenikvoptux"), ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"), ("ոսօցհ", "nuoqh"),
        ]
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (alike, latin) in pairs {
            for (one, other) in zip(alike.unicodeScalars, latin.unicodeScalars) { table[one] = other }
        }
        return table
    }()
}

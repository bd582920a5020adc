/// A folded query and the ways in which it can match.
struct SearchPattern {
    typealias Units = UnsafeBufferPointer<UInt16>

    let units: [UInt16]
    private let letters: LetterSet
    /// The letters that occur more than once; a text without one of them is two typos away.
    private let repeatedLetters: LetterSet
    private let forgivesTypo: Bool

    /// A typo is forgiven in queries of this many letters and more.
    static let minimumLettersForTypo = 4

    private static let blank: UInt16 = 0x20

    init(_ query: String) {
        let folded = Array(TextFolding.fold(query).utf16)
        var letters = LetterSet([])
        units = folded
        repeatedLetters = LetterSet(folded.filter { !letters.insert($0) })
        self.letters = letters
        forgivesTypo = folded.count(where: { $0 != Self.blank }) >= Self.minimumLettersForTypo
    }

    /// The best way in which the text matches, or nil.
    ///
    /// - Parameters:
    ///   - query: the pattern's own units, opened once for all texts.
    ///   - units: those of all texts.
    ///   - wantsTypos: false when matches with a typo are not worth looking for any more.
    func kind(of text: SearchText, query: Units, units: Units, wantsTypos: Bool) -> CatalogueMatchKind? {
        let forgivesTypo = forgivesTypo && wantsTypos
        let missing = text.letters.missing(from: letters)
        // A typo brings in at most one letter that the text has not.
        guard missing == 0 || missing == 1 && forgivesTypo, Int(text.count) + 1 >= query.count else { return nil }
        let letters = text.units(in: units)
        if missing == 0, let kind = Self.plainKind(query, in: letters) { return kind }
        guard forgivesTypo, missing == 0 || text.letters.missing(from: repeatedLetters) == 0 else { return nil }
        return Self.typoKind(query, in: letters)
    }

    private static func plainKind(_ query: Units, in text: Units) -> CatalogueMatchKind? {
        guard query.count <= text.count else { return nil }
        var best: CatalogueMatchKind?
        let first = query[0]
        for start in 0...(text.count - query.count) where text[start] == first {
            guard hasPrefix(query, text, at: start) else { continue }
            if start == 0 { return query.count == text.count ? .exact : .prefix }
            if text[start - 1] == blank { return .wordPrefix }
            best = .infix
        }
        return best
    }

    private static func hasPrefix(_ query: Units, _ text: Units, at start: Int) -> Bool {
        for index in 0..<query.count where text[start + index] != query[index] { return false }
        return true
    }

    private static func typoKind(_ query: Units, in text: Units) -> CatalogueMatchKind? {
        switch SingleTypo.match(query, text, from: 0) {
        case .whole: return .typo
        case .prefix: return .typoPrefix
        case .none: break
        }
        for index in 0..<text.count where text[index] == blank {
            if SingleTypo.match(query, text, from: index + 1) != .none { return .typoWordPrefix }
        }
        return nil
    }
}

/// A folded query and its matching rules.
struct SearchPattern {
    typealias Units = UnsafeBufferPointer<UInt16>

    let units: [UInt16]
    private let letters: LetterSet
    /// Letters that occur more than once; a text without one of them differs by two typos.
    private let repeatedLetters: LetterSet
    private let forgivesTypo: Bool

    /// Minimum number of letters for a typo to be forgiven.
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

    /// The best kind of match with the text, or nil.
    ///
    /// - Parameters:
    ///   - query: the units of this pattern.
    ///   - units: the units of all texts.
    ///   - wantsTypos: false when matches with a typo can no longer be among the results.
    func kind(of text: SearchText, query: Units, units: Units, wantsTypos: Bool) -> CatalogueMatchKind? {
        let forgivesTypo = forgivesTypo && wantsTypos
        let missing = text.letters.missing(from: letters)
        // A typo adds at most one letter that is not in the text.
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

/// The set of letters of a text as a Bloom filter: rare letters share a bit.
struct LetterSet: Sendable {
    private var bits: UInt64 = 0

    init(_ units: [UInt16]) {
        for unit in units { _ = insert(unit) }
    }

    /// Returns false when the bit was already set.
    mutating func insert(_ unit: UInt16) -> Bool {
        let bit: UInt64 = 1 << Self.position(unit)
        defer { bits |= bit }
        return bits & bit == 0
    }

    /// The minimum number of distinct letters of `other` that are missing here.
    func missing(from other: LetterSet) -> Int {
        (other.bits & ~bits).nonzeroBitCount
    }

    private static func position(_ unit: UInt16) -> UInt64 {
        switch unit {
        case 0x61...0x7A: UInt64(unit - 0x61)
        case 0x30...0x39: UInt64(unit - 0x30) + 26
        case 0x20: 36
        default: 37 + UInt64(unit % 27)
        }
    }
}

/// Compares a query with a text that may differ from it by one typo: a letter missing, added, wrong, or two swapped.
enum SingleTypo {
    enum Outcome {
        case none
        /// The text begins with the query, except for the typo.
        case prefix
        /// The whole text equals the query, except for the typo.
        case whole
    }

    typealias Units = UnsafeBufferPointer<UInt16>

    /// Compares the query with the text from `start`.
    ///
    /// A single typo can only be at the first difference, so each of the four kinds is tried once, there.
    static func match(_ query: Units, _ text: Units, from start: Int) -> Outcome {
        guard text.count - start + 1 >= query.count, beginsAlike(query, text, start) else { return .none }
        var at = 0
        var place = start
        while at < query.count, place < text.count, query[at] == text[place] {
            at += 1
            place += 1
        }
        guard at < query.count else { return place == text.count ? .whole : .prefix }
        let added = rest(query, at + 1, text, place)
        guard place < text.count else { return added }
        let wrong = rest(query, at + 1, text, place + 1)
        let missing = rest(query, at, text, place + 1)
        let outcome = best(added, best(wrong, missing))
        guard at + 1 < query.count, place + 1 < text.count, query[at] == text[place + 1], query[at + 1] == text[place]
        else { return outcome }
        return best(outcome, rest(query, at + 2, text, place + 2))
    }

    /// Whether the first two letters allow a single typo; rejects most texts.
    private static func beginsAlike(_ query: Units, _ text: Units, _ start: Int) -> Bool {
        guard query.count >= 2, text.count >= start + 2 else { return true }
        return query[0] == text[start] || query[1] == text[start + 1] || query[1] == text[start]
            || query[0] == text[start + 1]
    }

    /// Compares the rest of both, without a typo.
    private static func rest(_ query: Units, _ at: Int, _ text: Units, _ place: Int) -> Outcome {
        let length = query.count - at
        guard length <= text.count - place else { return .none }
        for offset in 0..<length where query[at + offset] != text[place + offset] { return .none }
        return place + length == text.count ? .whole : .prefix
    }

    private static func best(_ first: Outcome, _ second: Outcome) -> Outcome {
        switch (first, second) {
        case (.whole, _), (_, .whole): .whole
        case (.prefix, _), (_, .prefix): .prefix
        default: .none
        }
    }
}

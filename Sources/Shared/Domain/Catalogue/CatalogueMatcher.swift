package import Foundation

/// Autocomplete for the catalogue, used by both server and device.
///
/// Immutable. A search scans all names and aliases as flat arrays of folded UTF-16 units (one unit per letter in every
/// script in use) and rejects most of them by their set of letters.
package struct CatalogueMatcher: Sendable {
    /// An item to search for.
    package struct Entry: Sendable, Hashable {
        package var id: UUID
        package var name: String
        package var aliases: [String]

        package init(id: UUID, name: String, aliases: [String] = []) {
            self.id = id
            self.name = name
            self.aliases = aliases
        }
    }

    /// A search result.
    package struct Match: Sendable, Hashable {
        package let id: UUID
        /// From 100 (whole name) down to 35; see `CatalogueMatchKind`.
        package let score: Int
        /// The matching name or alias as spelled in the catalogue.
        package let matched: String
    }

    /// In the order of results with equal score: shorter name first, then alphabetically, then by id.
    private let ids: [UUID]
    private let texts: [SearchText]
    /// The original spellings, parallel to `texts`.
    private let spellings: [String]
    private let units: [UInt16]

    package init(_ entries: [Entry]) {
        var ids: [UUID] = []
        var texts: [SearchText] = []
        var spellings: [String] = []
        var units: [UInt16] = []
        for entry in Self.ordered(entries) {
            for (index, spelling) in ([entry.name] + entry.aliases).enumerated() {
                for text in TextFolding.spellings(spelling).map({ Array($0.utf16) }) where !text.isEmpty {
                    texts.append(
                        SearchText(
                            letters: LetterSet(text), start: Int32(units.count), count: Int32(text.count),
                            entry: Int32(ids.count), isAlias: index > 0))
                    spellings.append(spelling)
                    units += text
                }
            }
            ids.append(entry.id)
        }
        self.ids = ids
        self.texts = texts
        self.spellings = spellings
        self.units = units
    }

    package var count: Int { ids.count }

    /// The best matches for the text typed so far, best first, at most `limit`.
    ///
    /// Uses only the first 200 Unicode scalars of the query. A query without letters, digits or symbols has no results.
    package func search(_ query: String, limit: Int) -> [Match] {
        let pattern = SearchPattern(String(query.unicodeScalars.prefix(200)))
        guard limit > 0, !pattern.units.isEmpty else { return [] }
        return ranking(of: pattern, limit: limit).best.map { rank, text in
            Match(
                id: ids[Int(texts[text].entry)], score: CatalogueMatchKind.score(ofRank: rank),
                matched: spellings[text])
        }
    }

    private func ranking(of pattern: SearchPattern, limit: Int) -> SearchRanking {
        var ranking = SearchRanking(limit: limit)
        units.withUnsafeBufferPointer { units in
            pattern.units.withUnsafeBufferPointer { query in
                var best: (rank: Int, text: Int)?
                for (index, text) in texts.enumerated() {
                    // The texts of an entry follow one another, its name first.
                    if let found = best, texts[found.text].entry != text.entry {
                        ranking.insert(text: found.text, rank: found.rank)
                        best = nil
                    }
                    let wantsTypos = ranking.hasRoomForTypos
                    guard let kind = pattern.kind(of: text, query: query, units: units, wantsTypos: wantsTypos)
                    else { continue }
                    let rank = kind.rank(isAlias: text.isAlias)
                    if best.map({ rank < $0.rank }) ?? true { best = (rank, index) }
                }
                if let best { ranking.insert(text: best.text, rank: best.rank) }
            }
        }
        return ranking
    }

    private static func ordered(_ entries: [Entry]) -> [Entry] {
        entries.map { ($0, Array(TextFolding.fold($0.name).utf16)) }
            .sorted { left, right in
                if left.1.count != right.1.count { return left.1.count < right.1.count }
                if left.1 != right.1 { return left.1.lexicographicallyPrecedes(right.1) }
                return left.0.id.rawBytes.lexicographicallyPrecedes(right.0.id.rawBytes)
            }.map(\.0)
    }
}

/// The kinds of matches, best first.
enum CatalogueMatchKind: Int {
    case exact
    /// The name begins with the query.
    case prefix
    /// A later word of the name begins with the query.
    case wordPrefix
    case infix
    /// The name equals the query except for one typo.
    case typo
    /// The name begins with the query except for one typo.
    case typoPrefix
    /// A later word begins with the query except for one typo.
    case typoWordPrefix

    /// The rank among all results; an alias ranks just after a name with the same kind of match.
    func rank(isAlias: Bool) -> Int { rawValue * 2 + (isAlias ? 1 : 0) }

    static let rankCount = 14

    /// 100 for the best rank, 5 less for each further one.
    static func score(ofRank rank: Int) -> Int { 100 - 5 * rank }
}

/// The range of a folded name or alias in the matcher's units.
struct SearchText: Sendable {
    let letters: LetterSet
    let start: Int32
    let count: Int32
    let entry: Int32
    let isAlias: Bool

    func units(in all: UnsafeBufferPointer<UInt16>) -> UnsafeBufferPointer<UInt16> {
        UnsafeBufferPointer(rebasing: all[Int(start)..<Int(start + count)])
    }
}

/// Collects the best results. Candidates must arrive in the order of their names.
///
/// Within a rank that order is already the final one, so no sorting is needed.
struct SearchRanking {
    private let limit: Int
    private var textsByRank: [[Int]]
    private var plainCount = 0

    init(limit: Int) {
        self.limit = limit
        textsByRank = Array(repeating: [], count: CatalogueMatchKind.rankCount)
    }

    mutating func insert(text: Int, rank: Int) {
        guard textsByRank[rank].count < limit else { return }
        textsByRank[rank].append(text)
        if rank < CatalogueMatchKind.typo.rank(isAlias: false) { plainCount += 1 }
    }

    /// Whether a match with a typo can still be among the results.
    var hasRoomForTypos: Bool { plainCount < limit }

    var best: [(rank: Int, text: Int)] {
        var results: [(rank: Int, text: Int)] = []
        for rank in textsByRank.indices {
            for text in textsByRank[rank] {
                guard results.count < limit else { return results }
                results.append((rank, text))
            }
        }
        return results
    }
}

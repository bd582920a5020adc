public import SubGuardDomain

/// Finds the service of a payee. Statements add words to names, where `CatalogueMatcher` completes what was typed so
/// far.
public struct PayeeCatalogue: Sendable {
    private let items: [CatalogueItem]
    /// Places in `items` by folded name or alias without blanks.
    private let places: [String: Int]

    /// Of several items with the same name or alias, a name wins over an alias, and an earlier item over a later one.
    public init(_ items: [CatalogueItem]) {
        self.items = items
        var places: [String: Int] = [:]
        // Names win over aliases, and earlier items over later ones.
        for (place, item) in items.enumerated() { Self.add(item.name, place, to: &places) }
        for (place, item) in items.enumerated() {
            for alias in item.aliases { Self.add(alias, place, to: &places) }
        }
        self.places = places
    }

    private static func add(_ name: String, _ place: Int, to places: inout [String: Int]) {
        let squashed = squash(TextFolding.fold(name).split(separator: " ")[...])
        if squashed.utf8.count >= 2, places[squashed] == nil { places[squashed] = place }
    }

    private static func squash(_ words: some Sequence<some StringProtocol>) -> String { words.joined() }

    /// The service whose name the payee begins with, the longest name first; a name of less than four letters must be
    /// the whole payee. A name of five or more letters is also found after the first word.
    public func item(_ payee: PayeeName) -> CatalogueItem? {
        item(in: payee.words, starts: 3)
    }

    /// The service with whose name words begin.
    func item(beginning words: [String]) -> CatalogueItem? { item(in: words, starts: 1) }

    private func item(in words: [String], starts: Int) -> CatalogueItem? {
        guard !words.isEmpty else { return nil }
        for start in 0..<min(words.count, starts) {
            for end in stride(from: min(words.count, start + 5), to: start, by: -1) {
                let name = Self.squash(words[start..<end])
                let isWhole = start == 0 && end == words.count
                guard isWhole || name.utf8.count >= (start == 0 ? 4 : 5), let place = places[name] else { continue }
                return items[place]
            }
        }
        return nil
    }
}

package import Foundation
package import SubGuardDomain

/// The item closest to a suggested name.
package struct CatalogueNearest: Sendable, Hashable {
    package let id: UUID
    package let name: String
    /// 100 for the same name, ignoring case, accents and spaces; lower the more the names differ. See
    /// ``NameResemblance/score(_:_:)``.
    package let score: Int

    /// From this score on, the name is an alias of the item in 98 of 100 cases: `SuggestedAliasTests` holds the
    /// numbers.
    package static let sureScore = 85
    /// Minimum score of a result.
    private static let leastScore = 50
    /// At most, if another item is as similar.
    private static let mostOfSeveral = 70
    private static let maximumQueries = 6

    /// Whether a moderator may make the name an alias without looking at the item.
    package var isSure: Bool { score >= Self.sureScore }

    /// The most similar of the items that a search finds for the name, or for those of its words that tell a service.
    /// Nil if no item is similar.
    package static func find(
        _ name: String, in matcher: CatalogueMatcher, item: (UUID) -> CatalogueItem?
    ) -> CatalogueNearest? {
        scored(name, in: matcher, limit: 20, item: item).first
    }

    /// Like ``find(_:in:item:)``, with the items that follow, most similar first.
    package static func list(
        _ name: String, in matcher: CatalogueMatcher, count: Int, item: (UUID) -> CatalogueItem?
    ) -> [CatalogueNearest] {
        Array(scored(name, in: matcher, limit: 50, item: item).prefix(count))
    }

    private static func scored(
        _ name: String, in matcher: CatalogueMatcher, limit: Int, item: (UUID) -> CatalogueItem?
    ) -> [CatalogueNearest] {
        let typed = TypedName(name)
        var seen: Set<UUID> = []
        var found: [CatalogueNearest] = []
        for query in [name] + typed.queries.prefix(maximumQueries) where found.first?.score ?? 0 < sureScore {
            for match in matcher.search(query, limit: limit) where seen.insert(match.id).inserted {
                guard let item = item(match.id) else { continue }
                let score = ([item.name] + item.aliases).map { typed.score(NameWords($0)) }.max() ?? 0
                if score >= leastScore { found.append(CatalogueNearest(id: item.id, name: item.name, score: score)) }
            }
            found = ranked(found)
        }
        guard let best = found.first?.score, best < 100, found.dropFirst().first?.score == best else { return found }
        return ranked(
            found.map { item in
                guard item.score == best else { return item }
                return CatalogueNearest(id: item.id, name: item.name, score: min(best, mostOfSeveral))
            })
    }

    /// Best first. Equal scores keep the order of the searches.
    private static func ranked(_ found: [CatalogueNearest]) -> [CatalogueNearest] {
        found.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element)
    }
}

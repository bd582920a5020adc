package import Foundation
package import SubGuardDomain
import Synchronization

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
    /// The names that are compared for each item that a search may find. Items have two or three names; an attacker who
    /// chooses names with words of many items, and items with twenty aliases, must not make a comparison cost more.
    private static let comparedPerItem = 15

    /// Whether a moderator may make the name an alias without looking at the item.
    package var isSure: Bool { score >= Self.sureScore }

    /// The most similar of the items that a search finds for the name, or for those of its words that tell a service.
    /// Nil if no item is similar.
    package static func find(
        _ name: String, in matcher: CatalogueMatcher, names: CatalogueNames, item: (UUID) -> CatalogueItem?
    ) -> CatalogueNearest? {
        scored(name, in: matcher, limit: 20, names, item: item).first
    }

    /// Like ``find(_:in:names:item:)``, with the items that follow, most similar first.
    package static func list(
        _ name: String, in matcher: CatalogueMatcher, count: Int, names: CatalogueNames,
        item: (UUID) -> CatalogueItem?
    ) -> [CatalogueNearest] {
        Array(scored(name, in: matcher, limit: 50, names, item: item).prefix(count))
    }

    private static func scored(
        _ name: String, in matcher: CatalogueMatcher, limit: Int, _ names: CatalogueNames,
        item: (UUID) -> CatalogueItem?
    ) -> [CatalogueNearest] {
        var left = limit * comparedPerItem
        let typed = TypedName(name)
        var seen: Set<UUID> = []
        var found: [CatalogueNearest] = []
        for query in [name] + typed.queries.prefix(maximumQueries) where found.first?.score ?? 0 < sureScore {
            for match in matcher.search(query, limit: limit) where left > 0 && seen.insert(match.id).inserted {
                guard let item = item(match.id) else { continue }
                var score = 0
                // Of the aliases, those that may be similar.
                for (number, name) in names.words(of: item).enumerated()
                where left > 0 && (number == 0 || typed.mayResemble(name)) {
                    left -= 1
                    score = max(score, typed.score(name))
                }
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

/// The words of the names of catalogue items, made once for each item that is compared.
package final class CatalogueNames: Sendable {
    private struct State {
        var words: [UUID: (revision: Int64, names: [NameWords])] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// About 1 kB each; when it is exceeded, all are made again.
    private static let mostNames = 20_000

    package init() {}

    /// Of the item's name, then of its aliases.
    func words(of item: CatalogueItem) -> [NameWords] {
        if let known = state.withLock({ $0.words[item.id] }), known.revision == item.revision { return known.names }
        let names = ([item.name] + item.aliases).map { NameWords($0) }
        state.withLock { state in
            if state.count + names.count > Self.mostNames { state = State() }
            state.count += names.count - (state.words[item.id]?.names.count ?? 0)
            state.words[item.id] = (item.revision, names)
        }
        return names
    }
}

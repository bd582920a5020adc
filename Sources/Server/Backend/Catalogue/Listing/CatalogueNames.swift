import Foundation
import SubGuardDomain
import Synchronization

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

import Backend
import Foundation
import Synchronization

/// Caches the nearest items of suggested names for one catalogue revision. Finding one compares a name with many
/// others, and moderators request pages of 500 names repeatedly.
final class NearestItems: Sendable {
    private struct State {
        var epoch: [UInt8] = []
        var revision: Int64 = -1
        var found: [String: CatalogueNearest?] = [:]
    }

    private let state = Mutex(State())

    /// Maximum number of cached names; when it is exceeded, the cache is cleared.
    private static let maximumNames = 20_000

    /// Nil if no item is similar to the name.
    func find(_ name: String, in view: CatalogueView) -> CatalogueNearest? {
        let known: CatalogueNearest?? = state.withLock { state in
            if state.revision != view.revision || state.epoch != view.epoch || state.found.count >= Self.maximumNames {
                state = State(epoch: view.epoch, revision: view.revision)
            }
            return state.found[name]
        }
        if let known { return known }
        let nearest = CatalogueNearest.find(name, in: view.matcher, names: view.names, item: view.item)
        state.withLock { state in
            guard state.revision == view.revision, state.epoch == view.epoch else { return }
            state.found[name] = .some(nearest)
        }
        return nearest
    }
}

import Backend
import Foundation
import Synchronization

/// Remembers the nearest items of suggested names for one revision of the catalogue: finding one compares a name with many
/// others, and a moderator reads a page of 500 names again and again.
final class NearestItems: Sendable {
    private struct State {
        var epoch: [UInt8] = []
        var revision: Int64 = -1
        var found: [String: CatalogueNearest?] = [:]
    }

    private let state = Mutex(State())

    /// Names that are remembered at most; beyond them all are forgotten.
    private static let maximumNames = 20_000

    /// Nil when nothing resembles the name.
    func find(_ name: String, in view: CatalogueView) -> CatalogueNearest? {
        let known: CatalogueNearest?? = state.withLock { state in
            if state.revision != view.revision || state.epoch != view.epoch || state.found.count >= Self.maximumNames {
                state = State(epoch: view.epoch, revision: view.revision)
            }
            return state.found[name]
        }
        if let known { return known }
        let nearest = CatalogueNearest.find(name, in: view.matcher, item: view.item)
        state.withLock { state in
            guard state.revision == view.revision, state.epoch == view.epoch else { return }
            state.found[name] = .some(nearest)
        }
        return nearest
    }
}

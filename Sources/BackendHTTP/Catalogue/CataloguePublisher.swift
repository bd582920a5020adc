import Backend
import Synchronization

/// Holds the view that devices read, and replaces it when the catalogue has changed, by whomever.
final class CataloguePublisher: Sendable {
    private let store: CatalogueStore
    private let current: Mutex<CatalogueView>
    /// Loads run one after another, so that an older one cannot replace a newer.
    private let loading = Mutex<Void>(())

    init(store: CatalogueStore) throws {
        self.store = store
        current = Mutex(CatalogueView(try store.loadSnapshot()))
    }

    var view: CatalogueView { current.withLock { $0 } }

    /// The view of this moment, whoever changed the catalogue last.
    func freshView() throws -> CatalogueView {
        try refresh()
        return view
    }

    /// Brings the view up to date. Called after each change of our own before it is answered, and once a second for the
    /// changes of other processes.
    func refresh() throws {
        try loading.withLock { _ in
            let shown = view
            guard try store.currentRevision() != shown.revision else { return }
            let fresh = CatalogueView(try store.loadSnapshot(after: shown.snapshot))
            current.withLock { $0 = fresh }
        }
    }
}

import Backend
import Dispatch
import Synchronization

/// Holds the view from which devices are served, and replaces it after changes by any process.
final class CataloguePublisher: Sendable {
    private let store: CatalogueStore
    private let current: Mutex<CatalogueView>
    /// Serialises loads, so that an older snapshot cannot replace a newer one.
    private let loading = Mutex<Void>(())
    private let preparation = DispatchQueue(label: "subguard.catalogue", qos: .utility)

    init(store: CatalogueStore) throws {
        self.store = store
        current = Mutex(CatalogueView(try store.loadSnapshot()))
    }

    var view: CatalogueView { current.withLock { $0 } }

    /// Prepares the search index before the first search, unless the view was replaced meanwhile.
    private func prepare(_ fresh: CatalogueView) {
        preparation.async { [weak self] in
            guard self?.view === fresh else { return }
            _ = fresh.matcher
        }
    }

    /// Returns the current view, including changes by other processes.
    func freshView() throws -> CatalogueView {
        try refresh()
        return view
    }

    /// Updates the view. Called after each change by this process, before its response, and once per second for changes
    /// by other processes.
    func refresh() throws {
        try loading.withLock { _ in
            let shown = view
            guard try !store.isCurrent(shown.snapshot) else { return }
            let fresh = CatalogueView(try store.loadSnapshot(after: shown.snapshot))
            current.withLock { $0 = fresh }
            prepare(fresh)
        }
    }
}

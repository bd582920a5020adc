import Backend
import Dispatch
import Synchronization

/// Holds the view that devices read, and replaces it when the catalogue has changed, by whomever.
final class CataloguePublisher: Sendable {
    private let store: CatalogueStore
    private let current: Mutex<CatalogueView>
    /// Loads run one after another, so that an older one cannot replace a newer.
    private let loading = Mutex<Void>(())
    private let preparation = DispatchQueue(label: "subguard.catalogue", qos: .utility)

    init(store: CatalogueStore) throws {
        self.store = store
        current = Mutex(CatalogueView(try store.loadSnapshot()))
    }

    var view: CatalogueView { current.withLock { $0 } }

    /// Makes what searching needs before somebody asks, unless there is a newer view by then.
    private func prepare(_ fresh: CatalogueView) {
        preparation.async { [weak self] in
            guard self?.view === fresh else { return }
            _ = fresh.matcher
        }
    }

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
            guard try !store.isCurrent(shown.snapshot) else { return }
            let fresh = CatalogueView(try store.loadSnapshot(after: shown.snapshot))
            current.withLock { $0 = fresh }
            prepare(fresh)
        }
    }
}

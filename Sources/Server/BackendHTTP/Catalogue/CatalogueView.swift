package import Catalogue
import Dispatch
package import Foundation
import HTTPServer
import HTTPWire
import ServerAccess
package import SubGuardDomain
import Synchronization

/// The catalogue at one revision, with the indexes for fast reads. Immutable; each revision gets a new view.
package final class CatalogueView: Sendable {
    /// One change in revision order.
    struct Change: Sendable {
        let revision: Int64
        let subject: Subject

        enum Subject: Sendable {
            case item(CatalogueItem)
            case deletion(CatalogueTombstone)
        }
    }

    let epoch: [UInt8]
    let revision: Int64
    /// Tombstones of earlier revisions are purged.
    let horizon: Int64
    /// Sorted by slug.
    package let items: [CatalogueItem]
    let changes: [Change]
    let answers = AnswerCache()
    /// The words of the items' names.
    package let names = CatalogueNames()
    /// Index for searches, filters and orders.
    package let index: CatalogueIndex
    /// The source of this view, from which the next view is updated.
    package let snapshot: CatalogueSnapshot
    private let likelyDuplicates = Mutex<[CatalogueDuplicate]?>(nil)
    private let listTotals = Once<CatalogueTotals>()
    private let positions: [UUID: Int]
    private let tombstones: [UUID: CatalogueTombstone]
    private let search: LazyMatcher

    init(_ snapshot: CatalogueSnapshot) {
        self.snapshot = snapshot
        index = CatalogueIndex(snapshot.items)
        epoch = snapshot.epoch
        revision = snapshot.revision
        horizon = snapshot.horizon
        items = snapshot.items
        positions = Dictionary(zip(snapshot.items.map(\.id), snapshot.items.indices)) { first, _ in first }
        tombstones = Dictionary(snapshot.tombstones.map { ($0.id, $0) }) { _, last in last }
        changes =
            (snapshot.items.map { Change(revision: $0.revision, subject: .item($0)) }
            + snapshot.tombstones.map { Change(revision: $0.revision, subject: .deletion($0)) })
            .sorted { $0.revision < $1.revision }
        search = LazyMatcher(snapshot.items)
    }

    package func item(_ id: UUID) -> CatalogueItem? { positions[id].map { items[$0] } }

    package func tombstone(_ id: UUID) -> CatalogueTombstone? { tombstones[id] }

    /// The index of the item in ``items``.
    func place(of id: UUID) -> Int? { positions[id] }

    package var matcher: CatalogueMatcher { search.matcher }

    /// What the console counts for its list. Computed on first use.
    package var totals: CatalogueTotals { listTotals.value { CatalogueTotals(items) } }

    /// All likely duplicates, highest score first. Computed on first use, which takes seconds for a large catalogue:
    /// throws 503 where no slot is free, because waiting would take a worker from other requests.
    func duplicates(_ slots: Slots) throws(HTTPFailure) -> [CatalogueDuplicate] {
        var known: [CatalogueDuplicate]? { likelyDuplicates.withLock { $0 } }
        if let known { return known }
        let found = slots.run {
            if let known { return known }
            let found = CatalogueDuplicates.find(items, minimumScore: 0)
            likelyDuplicates.withLock { $0 = found }
            return found
        }
        guard let found else { throw .comparingNames }
        return found
    }
}

/// Created on first use: folding the names takes longer than the rest of the start, and many servers are never
/// searched.
private final class LazyMatcher: Sendable {
    private let items: [CatalogueItem]
    private let made = Once<CatalogueMatcher>()

    init(_ items: [CatalogueItem]) { self.items = items }

    var matcher: CatalogueMatcher {
        made.value {
            CatalogueMatcher(items.map { CatalogueMatcher.Entry(id: $0.id, name: $0.name, aliases: $0.aliases) })
        }
    }
}

/// Holds the view from which devices are served, and replaces it after changes by any process.
package final class CataloguePublisher: Sendable {
    private let store: CatalogueStore
    private let current: Mutex<CatalogueView>
    /// Serialises loads, so that an older snapshot cannot replace a newer one.
    private let loading = Mutex<Void>(())
    private let comparedAt = Mutex<ContinuousClock.Instant?>(nil)
    private let preparation = DispatchQueue(label: "subguard.catalogue", qos: .utility)
    /// One for all revisions: a moderator can make one after the other.
    let duplicateSearches = Slots()

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

    /// The view, compared with the database five times a second at most: clients can invent what makes it necessary.
    func comparedView() throws -> CatalogueView {
        let isDue = comparedAt.withLock { last in
            guard last.map({ $0.duration(to: .now) > .milliseconds(200) }) ?? true else { return false }
            last = .now
            return true
        }
        return isDue ? try freshView() : view
    }

    /// Returns the current view, including changes by other processes.
    package func freshView() throws -> CatalogueView {
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

/// Caches responses by exact request target. It belongs to one view, so entries are never invalidated; its size is
/// limited, because clients can vary targets at will.
final class AnswerCache: Sendable {
    private struct Entry {
        let target: [UInt8]
        let document: RenderedDocument
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    /// Approximate maximum size of the cached bodies.
    private static let maximumBytes = 16 << 20
    private static let maximumEntries = 1024

    /// Runs on the event loop for every catalogue request, without allocation.
    func document(for head: RequestHead) -> RenderedDocument? {
        head.withTarget { target in
            let hash = Self.hash(target)
            return state.withLock { state in
                guard let entry = state.entries[hash], Self.equals(entry.target, target) else { return nil }
                return entry.document
            }
        }
    }

    func keep(_ document: RenderedDocument, for head: RequestHead, bytes: Int) {
        head.withTarget { target in
            let hash = Self.hash(target)
            state.withLock { state in
                if state.entries.count >= Self.maximumEntries || state.bytes + bytes > Self.maximumBytes {
                    state = State()
                }
                state.entries[hash] = Entry(target: Array(target), document: document)
                state.bytes += bytes
            }
        }
    }

    private static func equals(_ kept: [UInt8], _ target: UnsafeRawBufferPointer) -> Bool {
        kept.withUnsafeBytes { kept in
            guard kept.count == target.count, let left = kept.baseAddress, let right = target.baseAddress else {
                return false
            }
            return memcmp(left, right, kept.count) == 0
        }
    }

    /// FNV-1a. Targets with the same hash only replace each other: the target itself is compared.
    private static func hash(_ target: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in target { hash = (hash ^ UInt64(octet)) &* 0x100_0000_01B3 }
        return hash
    }
}

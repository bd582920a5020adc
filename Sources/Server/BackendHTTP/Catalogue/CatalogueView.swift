import Backend
import Foundation
import HTTPServer
import SubGuardDomain

/// The catalogue at one revision, with everything that makes reading it cheap. Never changed; the next revision gets a
/// view of its own.
final class CatalogueView: Sendable {
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
    /// Deletions before this revision are forgotten.
    let horizon: Int64
    /// By slug.
    let items: [CatalogueItem]
    let changes: [Change]
    let answers = AnswerCache()
    /// For lists that search, filter and sort.
    let index: CatalogueIndex
    /// What the view was made of, for the next one.
    let snapshot: CatalogueSnapshot
    private let likelyDuplicates = Once<[CatalogueDuplicate]>()
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

    func item(_ id: UUID) -> CatalogueItem? { positions[id].map { items[$0] } }

    func tombstone(_ id: UUID) -> CatalogueTombstone? { tombstones[id] }

    /// The item's place among ``items``.
    func place(of id: UUID) -> Int? { positions[id] }

    var matcher: CatalogueMatcher { search.matcher }

    /// Every pair that may be one service, best first. Found when first asked for.
    var duplicates: [CatalogueDuplicate] {
        likelyDuplicates.value { CatalogueDuplicates.find(items, minimumScore: 0) }
    }
}

/// Folding a thousand names takes longer than the rest of the start, and many servers are never searched.
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

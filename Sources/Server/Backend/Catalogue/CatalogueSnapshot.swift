package import SubGuardDomain

/// The whole catalogue at one revision.
package struct CatalogueSnapshot: Sendable {
    /// Identifies the database; revisions of different databases are unrelated.
    package let epoch: [UInt8]
    package let revision: Int64
    /// The oldest revision with a complete list of changes: earlier deletions may be purged.
    package let horizon: Int64
    /// Sorted by slug.
    package let items: [CatalogueItem]
    /// Sorted by revision.
    package let tombstones: [CatalogueTombstone]

    /// `items` must be sorted by slug, `tombstones` by revision.
    package init(
        epoch: [UInt8], revision: Int64, horizon: Int64, items: [CatalogueItem], tombstones: [CatalogueTombstone]
    ) {
        self.epoch = epoch
        self.revision = revision
        self.horizon = horizon
        self.items = items
        self.tombstones = tombstones
    }

    /// Returns this snapshot with later changes: `change` contains only items and tombstones of later revisions.
    func applying(_ change: CatalogueSnapshot) -> CatalogueSnapshot {
        let changed = Set(change.items.map(\.id))
        let gone = Set(change.tombstones.map(\.id))
        var items: [CatalogueItem] = []
        items.reserveCapacity(self.items.count + change.items.count)
        var fresh = change.items[...]
        for item in self.items where !changed.contains(item.id) && !gone.contains(item.id) {
            while let next = fresh.first, next.slug < item.slug {
                items.append(next)
                fresh.removeFirst()
            }
            items.append(item)
        }
        items += fresh
        // A restored item has no tombstone.
        let tombstones = self.tombstones.filter { !gone.contains($0.id) && !changed.contains($0.id) }
        return CatalogueSnapshot(
            epoch: change.epoch, revision: change.revision, horizon: change.horizon, items: items,
            tombstones: tombstones + change.tombstones)
    }
}

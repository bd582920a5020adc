package import SubGuardDomain

/// The whole catalogue at one revision.
package struct CatalogueSnapshot: Sendable {
    /// Marks the store; revisions of different stores have nothing to do with each other.
    package let epoch: [UInt8]
    package let revision: Int64
    /// The oldest revision from which a difference can be given: deletions before it may have been forgotten.
    package let horizon: Int64
    /// By slug.
    package let items: [CatalogueItem]
    /// By revision.
    package let tombstones: [CatalogueTombstone]

    /// The arrays in the order that their properties state.
    package init(
        epoch: [UInt8], revision: Int64, horizon: Int64, items: [CatalogueItem], tombstones: [CatalogueTombstone]
    ) {
        self.epoch = epoch
        self.revision = revision
        self.horizon = horizon
        self.items = items
        self.tombstones = tombstones
    }
}

package import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

/// The catalogue in the database. Requests of devices are served from a snapshot instead.
package struct CatalogueStore: Sendable {
    let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// Reads the whole catalogue in one transaction.
    package func loadSnapshot() throws -> CatalogueSnapshot {
        let epoch = try StoreIdentity(context: context).epoch
        return try context.store.read { session in
            let counters = try Self.loadCounters(session)
            let items = try session.query(
                "SELECT \(CatalogueRow.columns) FROM catalogue_items ORDER BY slug", [], CatalogueRow.item)
            let tombstones = try session.query(
                "SELECT id, merged_into, revision FROM catalogue_tombstones ORDER BY revision, id", [],
                Self.tombstone)
            return CatalogueSnapshot(
                epoch: epoch, revision: counters.revision, horizon: counters.horizon, items: items,
                tombstones: tombstones)
        }
    }

    /// Reads only the changes since `previous`, or the whole catalogue if they are incomplete.
    package func loadSnapshot(after previous: CatalogueSnapshot) throws -> CatalogueSnapshot {
        let change = try context.store.read { session -> CatalogueSnapshot? in
            let counters = try Self.loadCounters(session)
            // Tombstones were purged, or the database was replaced by an older copy.
            guard counters.horizon == previous.horizon, counters.revision >= previous.revision else { return nil }
            let items = try session.query(
                "SELECT \(CatalogueRow.columns) FROM catalogue_items WHERE revision > ? ORDER BY slug",
                [.integer(previous.revision)], CatalogueRow.item)
            let tombstones = try session.query(
                "SELECT id, merged_into, revision FROM catalogue_tombstones WHERE revision > ? ORDER BY revision",
                [.integer(previous.revision)], Self.tombstone)
            return CatalogueSnapshot(
                epoch: previous.epoch, revision: counters.revision, horizon: counters.horizon, items: items,
                tombstones: tombstones)
        }
        return try change.map(previous.applying) ?? loadSnapshot()
    }

    private static func tombstone(_ row: any SQLRow) throws -> CatalogueTombstone {
        CatalogueTombstone(
            id: try row.uuid(0), mergedInto: try row.optionalUUID(1), revision: try row.integer(2))
    }

    /// Whether the snapshot is still current, including changes by other processes. Cheap enough to call every second.
    package func isCurrent(_ snapshot: CatalogueSnapshot) throws -> Bool {
        try context.store.read { try Self.loadCounters($0) } == (snapshot.revision, snapshot.horizon)
    }

    /// The revision of the latest change by any process.
    package func currentRevision() throws -> Int64 {
        try context.store.read { try Self.loadCounters($0).revision }
    }

    package func find(_ id: UUID) throws -> CatalogueItem? {
        try context.store.read { try CatalogueRow.find(id, in: $0) }
    }

    package func find(slug: String) throws -> CatalogueItem? {
        try context.store.read { try CatalogueRow.find(slug: slug, in: $0) }
    }

    /// The item that `id` was merged into; nil if it was not merged.
    package func primary(ofMerged id: UUID) throws -> UUID? {
        try context.store.read { session in
            let primary = try MergedReferences.primary(of: id, in: session)
            return primary == id ? nil : primary
        }
    }

    private static func loadCounters(_ session: any SQLSession) throws -> (revision: Int64, horizon: Int64) {
        let counters = try session.first("SELECT revision, horizon FROM catalogue_counters WHERE id = 1") {
            (revision: try $0.integer(0), horizon: try $0.integer(1))
        }
        guard let counters else { throw SQLError(code: .corrupt, number: 0, context: "catalogue_counters row missing") }
        return counters
    }
}

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

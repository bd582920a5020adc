package import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// What a server said of the catalogue, whole or since a token.
package struct CatalogueUpdate: Sendable {
    /// The token that the changes are counted from; nil where `items` are all there are.
    package let since: String?
    package let items: [CatalogueItem]
    package let deleted: [(id: UUID, mergedInto: UUID?)]
    package let syncToken: String
    /// Of an answer that knew of no change.
    package let entityTag: String?

    package init(
        since: String?, items: [CatalogueItem], deleted: [(id: UUID, mergedInto: UUID?)], syncToken: String,
        entityTag: String?
    ) {
        self.since = since
        self.items = items
        self.deleted = deleted
        self.syncToken = syncToken
        self.entityTag = entityTag
    }
}

extension DeviceStore {
    /// Nil before the first synchronisation.
    public func catalogueCopy() throws -> CatalogueCopy? { try read { try CatalogueTable(session: $0).copy } }

    /// Every item of the copy, by slug.
    public func catalogueItems() throws -> [CatalogueItem] { try read { try CatalogueTable(session: $0).all() } }

    /// The item of an id, also of one that was merged, or of a slug; nil when the copy has none.
    public func catalogueItem(_ text: String) throws -> CatalogueItem? {
        try read { session in
            let table = CatalogueTable(session: session)
            guard let id = UUID(strict: text) else { return try table.item(slug: text) }
            return try table.item(table.current(id))
        }
    }

    /// What has been typed so far, looked for in the copy by the same matcher and in the same order as the server's.
    ///
    /// - Parameter limit: hits at most.
    public func searchCatalogue(_ text: String, limit: Int = 50) throws -> [CatalogueHit] {
        let items = try catalogueItems()
        let matcher = CatalogueMatcher(
            items.map { CatalogueMatcher.Entry(id: $0.id, name: $0.name, aliases: $0.aliases) })
        let byID = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        return matcher.search(text, limit: limit).compactMap { match in
            byID[match.id].map { CatalogueHit(item: $0, score: match.score, matched: match.matched) }
        }
    }

    /// Takes in what a server said, whole or not at all. Changes that are counted from another state than the copy's,
    /// because another process was faster, are passed over; returns whether they were taken.
    package func apply(_ update: CatalogueUpdate, from server: String, at moment: Moment) throws -> Bool {
        try write(at: moment) { unit in
            if let since = update.since {
                guard let copy = try unit.catalogue.copy, copy.syncToken == since, copy.server == server else {
                    return false
                }
            } else {
                try unit.session.execute("DELETE FROM catalogue_items")
            }
            try unit.keep(update.items)
            for (id, mergedInto) in update.deleted {
                try unit.session.execute("DELETE FROM catalogue_items WHERE id = ?", [.uuid(id)])
                guard let mergedInto, mergedInto != id else { continue }
                try unit.session.execute(
                    """
                    INSERT INTO catalogue_redirects (id, merged_into) VALUES (?, ?)
                    ON CONFLICT (id) DO UPDATE SET merged_into = excluded.merged_into
                    """, [.uuid(id), .uuid(mergedInto)])
            }
            try unit.followRedirects()
            try unit.session.execute(
                """
                INSERT INTO catalogue_copy (one, server, sync_token, entity_tag, checked_at) VALUES (1, ?, ?, ?, ?)
                ON CONFLICT (one) DO UPDATE SET server = excluded.server, sync_token = excluded.sync_token,
                    entity_tag = excluded.entity_tag, checked_at = excluded.checked_at
                """,
                [
                    .text(server), .text(update.syncToken), .text(orNull: update.entityTag), .instant(moment.now),
                ])
            return true
        }
    }

    /// The server said that nothing has changed.
    package func confirmCatalogue(_ copy: CatalogueCopy, at moment: Moment) throws {
        try write(at: moment) { unit in
            try unit.followRedirects()
            try unit.session.execute(
                "UPDATE catalogue_copy SET checked_at = ? WHERE sync_token = ? AND server = ?",
                [.instant(moment.now), .text(copy.syncToken), .text(copy.server)])
        }
    }
}

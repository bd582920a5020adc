package import Foundation
package import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// A catalogue response: complete, or the changes since a token.
package struct CatalogueUpdate: Sendable {
    /// The token the changes are based on; nil when `items` is the complete catalogue.
    package let since: String?
    package let items: [CatalogueItem]
    package let deleted: [(id: UUID, mergedInto: UUID?)]
    package let syncToken: String
    /// The ETag of a response without changes.
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

extension DeviceStore.Catalogue {
    /// Of a server's catalogue on the device, and of its redirects: each search reads all items. Servers are measured
    /// with 20,000.
    package static let maximumItems = 50_000

    /// The state of the copy; nil before the first sync.
    public func copy() throws -> CatalogueCopy? { try store.read { try CatalogueTable(session: $0).copy } }

    /// The starter catalogue while it stands for a server's: before the first sync. Nil when the program brings none.
    public func starter() throws -> StarterCatalogue? {
        guard let starter = store.starter else { return nil }
        return try store.read { try CatalogueTable(session: $0).hasCopy } ? nil : starter
    }

    /// All items, sorted by slug: of the server's catalogue, else of ``starter()``.
    public func items() throws -> [CatalogueItem] {
        try starter()?.items ?? store.read { try CatalogueTable(session: $0).all() }
    }

    /// All items of the server's catalogue, as of a transaction.
    package static func items(in session: any SQLSession) throws -> [CatalogueItem] {
        try CatalogueTable(session: session).all()
    }

    /// Finds an item by id (also of a merged item) or by slug; nil when there is none.
    public func item(_ text: String) throws -> CatalogueItem? {
        guard let id = UUID(strict: text) else {
            return try starter()?.items.first { $0.slug == text }
                ?? store.read { try CatalogueTable(session: $0).item(slug: text) }
        }
        return try store.read { session in
            let table = CatalogueTable(session: session, starter: store.starter)
            return try table.item(table.current(id))
        }
    }

    /// Searches ``items()`` with the same matcher and order as the server; returns at most `limit` results.
    public func search(_ text: String, limit: Int = 50) throws -> [CatalogueHit] {
        let items = try self.items()
        let matcher = CatalogueMatcher(
            items.map { CatalogueMatcher.Entry(id: $0.id, name: $0.name, aliases: $0.aliases) })
        let byID = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        return matcher.search(text, limit: limit).compactMap { match in
            byID[match.id].map { CatalogueHit(item: $0, score: match.score, matched: match.matched) }
        }
    }

    /// Which item of ``items()`` a typed name means.
    public func guess(_ name: String) throws -> CatalogueGuess { CatalogueGuess(name, among: try items()) }

    /// The paths of the logos of all items, each once, sorted by the item's slug; empty before the first sync.
    package func logos() throws -> [String] {
        try store.read { session in
            let sql = "SELECT logo_url FROM catalogue_items WHERE logo_url IS NOT NULL ORDER BY slug"
            var seen: Set<String> = []
            return try session.query(sql, []) { try $0.text(0) }.filter { seen.insert($0).inserted }
        }
    }

    /// What a mark beside each subscription is made of: its category, and the path of the logo of the item that it is
    /// linked to.
    package func marks() throws -> [UUID: (category: String, logo: String?)] {
        try store.read { session in
            let sql = """
                SELECT s.id, s.category, i.logo_url FROM subscriptions s \
                LEFT JOIN catalogue_items i ON i.id = s.catalogue_item_id
                """
            let rows = try session.query(sql, []) {
                (try $0.uuid(0), (category: try $0.text(1), logo: try $0.optionalText(2)))
            }
            return Dictionary(rows) { first, _ in first }
        }
    }

    /// Applies a response in one transaction. Returns false, and changes nothing, when the changes are based on another
    /// token than the copy's because another process was faster. Throws for more than ``maximumItems`` in all.
    package func apply(_ update: CatalogueUpdate, from server: String, at moment: Moment) throws -> Bool {
        try store.write(at: moment) { unit in
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
            if update.since == nil {
                try unit.forgetLostRedirects()
            }
            for table in ["catalogue_items", "catalogue_redirects"] {
                let count = try unit.session.count("SELECT count(*) FROM \(table)")
                guard count <= Self.maximumItems else {
                    throw DeviceStoreError.storage("the server's catalogue has more than \(Self.maximumItems) items")
                }
            }
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

    /// Records that the server reported no changes.
    package func confirm(_ copy: CatalogueCopy, at moment: Moment) throws {
        try store.write(at: moment) { unit in
            try unit.followRedirects()
            try unit.session.execute(
                "UPDATE catalogue_copy SET checked_at = ? WHERE sync_token = ? AND server = ?",
                [.instant(moment.now), .text(copy.syncToken), .text(copy.server)])
        }
    }
}

/// The state of the device's copy of the catalogue.
public struct CatalogueCopy: Sendable, Hashable {
    /// The server it was downloaded from, such as `https://subguard.example`.
    public let server: String
    /// How many items the copy has.
    public let itemCount: Int
    /// When the copy was last checked with the server, by the device's clock.
    public let checkedAt: UTCInstant
    package let syncToken: String
    /// Of an answer that knew of no change since the token.
    package let entityTag: String?

    /// How long a copy is up to date, in hours.
    public static let lifeHours: Int64 = 24

    /// Whether the copy can be used without checking. False when the clock was set back before the last check.
    public func isUpToDate(at now: UTCInstant) -> Bool {
        (0..<Self.lifeHours * 3_600_000).contains(checkedAt.milliseconds(until: now))
    }

    /// Seconds since the last check; 0 when the clock was set back before it.
    public func ageSeconds(at now: UTCInstant) -> Int64 { max(0, checkedAt.milliseconds(until: now) / 1000) }
}

/// A search result.
public struct CatalogueHit: Sendable, Hashable {
    /// The item that was found.
    public let item: CatalogueItem
    /// From 100 (whole name) down to 35.
    public let score: Int
    /// The matching name or alias as spelled in the catalogue.
    public let matched: String
}

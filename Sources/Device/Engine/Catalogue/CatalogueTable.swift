package import Foundation
import Locking
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL
import ZlibCoding

/// Reads the tables of the catalogue copy.
struct CatalogueTable {
    let session: any SQLSession
    /// For links to its items, while the device has no catalogue of a server; nil for none.
    var starter: StarterCatalogue?

    private static let columns = """
        id, name, slug, category, amount, currency, cycle, website, logo_url, cancel_url, notice_days, aliases, \
        updated_at
        """

    var copy: CatalogueCopy? {
        get throws {
            let sql = """
                SELECT server, sync_token, entity_tag, checked_at, (SELECT count(*) FROM catalogue_items) \
                FROM catalogue_copy
                """
            return try session.first(sql, []) { row in
                CatalogueCopy(
                    server: try row.text(0), itemCount: Int(try row.integer(4)),
                    checkedAt: UTCInstant(millisecondsSinceEpoch: try row.integer(3)), syncToken: try row.text(1),
                    entityTag: try row.optionalText(2))
            }
        }
    }

    /// Whether the device has a catalogue of a server.
    var hasCopy: Bool {
        get throws { try session.first("SELECT 1 FROM catalogue_copy", []) { _ in true } ?? false }
    }

    func all() throws -> [CatalogueItem] {
        try session.query("SELECT \(Self.columns) FROM catalogue_items ORDER BY slug", [], Self.item)
    }

    func item(_ id: UUID) throws -> CatalogueItem? {
        let item = try session.first(
            "SELECT \(Self.columns) FROM catalogue_items WHERE id = ?", [.uuid(id)], Self.item)
        guard item == nil, let starter, StarterCatalogue.mayHave(id), try !hasCopy else { return item }
        return starter.items.first { $0.id == id }
    }

    /// The notice period of the item to which a subscription is linked, in days.
    func notice(of subscription: Subscription) throws -> Int? {
        try subscription.catalogueItemID.flatMap(item)?.noticeDays
    }

    func item(slug: String) throws -> CatalogueItem? {
        try session.first("SELECT \(Self.columns) FROM catalogue_items WHERE slug = ?", [.text(slug)], Self.item)
    }

    /// The id of the item that a merged item became; the id itself when it was not merged.
    func current(_ id: UUID) throws -> UUID {
        var id = id
        // Limits chains of merges, and ends cycles.
        for _ in 0..<16 {
            let sql = "SELECT merged_into FROM catalogue_redirects WHERE id = ?"
            guard let next = try session.first(sql, [.uuid(id)], { try $0.uuid(0) }) else { return id }
            id = next
        }
        return id
    }

    private static func item(_ row: any SQLRow) throws -> CatalogueItem {
        guard let currency = Currency(code: try row.text(5)), let cycle = BillingCycle(wire: try row.text(6)) else {
            throw SQLError.malformed("catalogue item")
        }
        let draft = CatalogueDraft(
            name: try row.text(1), slug: try row.text(2), category: try row.text(3),
            typicalAmount: Money(minorUnits: try row.integer(4), currency: currency), billingCycle: cycle,
            website: try row.optionalText(7), cancelURL: try row.optionalText(9),
            noticeDays: try row.optionalInteger(10).map { Int($0) },
            aliases: CatalogueRules.bounded(try row.text(11).split(separator: "\n").map(String.init)))
        return CatalogueItem(
            id: try row.uuid(0), draft, logoURL: try row.optionalText(8),
            updatedAt: UTCInstant(millisecondsSinceEpoch: try row.integer(12)), revision: 0)
    }
}

extension UnitOfWork {
    var catalogue: CatalogueTable { CatalogueTable(session: session) }

    func catalogue(_ starter: StarterCatalogue?) -> CatalogueTable {
        CatalogueTable(session: session, starter: starter)
    }

    /// Writes new or changed items, and removes redirects of their ids.
    func keep(_ items: [CatalogueItem]) throws {
        for item in items {
            try session.execute("DELETE FROM catalogue_items WHERE id = ?", [.uuid(item.id)])
            try session.execute("DELETE FROM catalogue_redirects WHERE id = ?", [.uuid(item.id)])
            try session.execute(
                """
                INSERT INTO catalogue_items (id, name, slug, category, amount, currency, cycle, website, logo_url, \
                cancel_url, notice_days, aliases, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .uuid(item.id), .text(item.name), .text(item.slug), .text(item.category),
                    .integer(item.typicalAmount.minorUnits), .text(item.typicalAmount.currency.code),
                    .text(item.billingCycle.wire), .text(orNull: item.website), .text(orNull: item.logoURL),
                    .text(orNull: item.cancelURL), .integer(orNull: item.noticeDays.map(Int64.init)),
                    .text(item.aliases.joined(separator: "\n")), .instant(item.updatedAt),
                ])
        }
    }

    /// Updates the links of subscriptions to merged items, and to items of the starter catalogue that the server's has
    /// too. A regular edit, so that merges carry it to other devices.
    func followRedirects() throws {
        try replaceStarterLinks()
        let sql = """
            SELECT s.id FROM subscriptions s JOIN catalogue_redirects r ON r.id = s.catalogue_item_id
            """
        for id in try session.query(sql, [], { try $0.uuid(0) }) {
            var subscription = try subscriptions.load(id)
            guard let link = subscription.catalogueItemID else { continue }
            subscription.catalogueItemID = try catalogue.current(link)
            try EntityTables.subscriptions.save([.uuid(id)], subscription.rowValues, in: self)
        }
    }

    /// Removes the redirects that lead to no item, however long their chains are: those of another server, or of an
    /// earlier state of this one.
    func forgetLostRedirects() throws {
        let redirects = try session.query("SELECT id, merged_into FROM catalogue_redirects", []) {
            (id: try $0.uuid(0), target: try $0.uuid(1))
        }
        guard !redirects.isEmpty else { return }
        let sources = Dictionary(grouping: redirects, by: \.target)
        var reached = try session.query("SELECT id FROM catalogue_items", []) { try $0.uuid(0) }
        var leading: Set<UUID> = []
        while let id = reached.popLast() {
            for redirect in sources[id] ?? [] where leading.insert(redirect.id).inserted {
                reached.append(redirect.id)
            }
        }
        for redirect in redirects where !leading.contains(redirect.id) {
            try session.execute("DELETE FROM catalogue_redirects WHERE id = ?", [.uuid(redirect.id)])
        }
    }

    /// By the slug, from which the id of a starter item is made.
    private func replaceStarterLinks() throws {
        let sql = """
            SELECT id, catalogue_item_id FROM subscriptions \
            WHERE catalogue_item_id IS NOT NULL AND catalogue_item_id NOT IN (SELECT id FROM catalogue_items)
            """
        let links = try session.query(sql, []) { (id: try $0.uuid(0), item: try $0.uuid(1)) }
            .filter { StarterCatalogue.mayHave($0.item) }
        guard !links.isEmpty else { return }
        let items = try session.query("SELECT id, slug FROM catalogue_items", []) {
            (StarterCatalogue.id(slug: try $0.text(1)), try $0.uuid(0))
        }
        let served = Dictionary(items) { first, _ in first }
        for (id, item) in links {
            guard let item = served[item] else { continue }
            var subscription = try subscriptions.load(id)
            subscription.catalogueItemID = item
            try EntityTables.subscriptions.save([.uuid(id)], subscription.rowValues, in: self)
        }
    }
}

/// The catalogue that comes with the program, for a device that has none of a server. It is read when first asked for
/// an item, then kept.
public struct StarterCatalogue: Sendable {
    /// The day of the catalogue.
    public let day: CalendarDay
    /// How many items it has, known before it is read.
    public let itemCount: Int
    private let read: @Sendable () -> [UInt8]
    private let kept = Guarded<[CatalogueItem]?>(nil)

    /// A hundred times the starter catalogue.
    private static let maximumBytes = 16 << 20

    /// - Parameter read: gives the catalogue as CSV with the columns of `Config/catalogue.csv`, compressed with gzip.
    package init(day: CalendarDay, itemCount: Int, read: @escaping @Sendable () -> [UInt8]) {
        self.day = day
        self.itemCount = itemCount
        self.read = read
    }

    /// Sorted by slug. Rows that are not understood are left out.
    public var items: [CatalogueItem] {
        kept.withLock { kept in
            if let kept { return kept }
            let csv = (try? Inflater.inflate(read(), maximumBytes: Self.maximumBytes)) ?? []
            let updatedAt = UTCInstant(startOf: day)
            let items = CatalogueDraft.all(csv: csv).map {
                CatalogueItem(id: Self.id(slug: $0.slug), $0, updatedAt: updatedAt, revision: 0)
            }
            kept = items
            return items
        }
    }

    /// The id of an item, always the same for a slug. Of version 8, which no server makes.
    package static func id(slug: String) -> UUID { DerivedID.of("subguard starter catalogue\u{0}\(slug)") }

    /// Whether an id may be one of ``id(slug:)``.
    static func mayHave(_ id: UUID) -> Bool { id.uuid.6 >> 4 == 8 }
}

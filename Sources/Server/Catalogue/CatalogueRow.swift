package import Foundation
import JSONWire
import SQLDatabase
import SubGuardContract
import SubGuardDomain
import SubGuardSQL

/// The columns of `catalogue_items` and the conversion of its rows.
enum CatalogueRow {
    /// In the order in which ``item(_:)`` reads them.
    static let columns = """
        id, slug, name, category, typical_amount_minor_units, currency, billing_cycle, website, logo_url, cancel_url,
        notice_days, aliases, updated_at, revision
        """

    static func item(_ row: any SQLRow) throws -> CatalogueItem {
        guard let currency = Currency(code: try row.text(5)) else { throw SQLError.malformed("currency") }
        guard let cycle = BillingCycle(wire: try row.text(6)) else { throw SQLError.malformed("billing_cycle") }
        let draft = CatalogueDraft(
            name: try row.text(2), slug: try row.text(1), category: try row.text(3),
            typicalAmount: Money(minorUnits: try row.integer(4), currency: currency), billingCycle: cycle,
            website: try row.optionalText(7), cancelURL: try row.optionalText(9),
            noticeDays: try row.optionalInteger(10).map(Int.init), aliases: try aliases(try row.text(11)))
        return CatalogueItem(
            id: try row.uuid(0), draft, logoURL: try row.optionalText(8), updatedAt: try row.instant(12),
            revision: try row.integer(13))
    }

    static func insert(_ item: CatalogueItem, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            INSERT INTO catalogue_items (slug, name, sort_name, search_text, category, typical_amount_minor_units,
                currency, billing_cycle, website, logo_url, cancel_url, notice_days, aliases, updated_at, revision, id,
                created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            values(item) + [.uuid(item.id), .instant(item.updatedAt)])
    }

    static func update(_ item: CatalogueItem, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            UPDATE catalogue_items SET slug = ?, name = ?, sort_name = ?, search_text = ?, category = ?,
                typical_amount_minor_units = ?, currency = ?, billing_cycle = ?, website = ?, logo_url = ?,
                cancel_url = ?, notice_days = ?, aliases = ?, updated_at = ?, revision = ?
            WHERE id = ?
            """,
            values(item) + [.uuid(item.id)])
    }

    static func find(_ id: UUID, in session: any SQLSession) throws -> CatalogueItem? {
        try session.first("SELECT \(columns) FROM catalogue_items WHERE id = ?", [.uuid(id)], item)
    }

    static func find(slug: String, in session: any SQLSession) throws -> CatalogueItem? {
        try session.first("SELECT \(columns) FROM catalogue_items WHERE slug = ?", [.text(slug)], item)
    }

    /// The searchable text: every name of the item, folded, each on its own line.
    private static func searchText(_ item: CatalogueItem) -> String {
        ([item.name, item.slug] + item.aliases).map(TextFolding.fold).joined(separator: "\n")
    }

    private static func values(_ item: CatalogueItem) -> [SQLValue] {
        [
            .text(item.slug), .text(item.name), .text(TextFolding.fold(item.name)), .text(searchText(item)),
            .text(item.category), .integer(item.typicalAmount.minorUnits), .text(item.typicalAmount.currency.code),
            .text(item.billingCycle.wire), .text(orNull: item.website), .text(orNull: item.logoURL),
            .text(orNull: item.cancelURL), .integer(orNull: item.noticeDays.map(Int64.init)),
            .text(aliasesJSON(item.aliases)), .instant(item.updatedAt), .integer(item.revision),
        ]
    }

    private static func aliases(_ json: String) throws -> [String] {
        guard let values = try? JSONValue.parse(Array(json.utf8)).arrayValue else {
            throw SQLError.malformed("aliases")
        }
        return values.compactMap(\.stringValue)
    }

    private static func aliasesJSON(_ aliases: [String]) -> String {
        String(decoding: JSONValue.array(aliases.map(JSONValue.string)).serialized(), as: UTF8.self)
    }
}

/// The tombstone of an item that was deleted or merged into another.
package struct CatalogueTombstone: Sendable, Hashable {
    package let id: UUID
    /// The item that replaces it, or nil when it was deleted.
    package let mergedInto: UUID?
    /// The revision of the deletion.
    package let revision: Int64

    package init(id: UUID, mergedInto: UUID?, revision: Int64) {
        self.id = id
        self.mergedInto = mergedInto
        self.revision = revision
    }
}

extension CatalogueItem {
    /// The item in the audit log: enough to restore it.
    var auditJSON: String { String(decoding: AdminCatalogueItem(self).json(capacity: 512), as: UTF8.self) }

    /// Reads what ``auditJSON`` writes; nil for anything else.
    init?(auditJSON text: String) {
        guard let object = (try? JSONValue.parse(Array(text.utf8)))?.objectValue,
            let read = try? AdminCatalogueItem(object, unknown: .ignored)
        else { return nil }
        self = read.item
    }
}

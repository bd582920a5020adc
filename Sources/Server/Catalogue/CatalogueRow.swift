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

    static func insert(_ items: [CatalogueItem], in transaction: any SQLTransaction) throws {
        try transaction.execute(insertion, rows: items.map { values($0) + [.uuid($0.id), .instant($0.updatedAt)] })
    }

    static func update(_ items: [CatalogueItem], in transaction: any SQLTransaction) throws {
        try transaction.execute(change, rows: items.map { values($0) + [.uuid($0.id)] })
    }

    static func find(_ id: UUID, in session: any SQLSession) throws -> CatalogueItem? {
        try session.first("SELECT \(columns) FROM catalogue_items WHERE id = ?", [.uuid(id)], item)
    }

    static func find(slug: String, in session: any SQLSession) throws -> CatalogueItem? {
        try session.first(searchBySlug, [.text(slug)], item)
    }

    /// Those that exist.
    static func find(slugs: [String], in session: any SQLSession) throws -> [String: CatalogueItem] {
        var found: [String: CatalogueItem] = [:]
        try session.forEach(searchBySlug, rows: slugs.map { [.text($0)] }) { number, row in
            found[slugs[number]] = try item(row)
        }
        return found
    }

    private static let searchBySlug = "SELECT \(columns) FROM catalogue_items WHERE slug = ?"

    /// The searchable text: every name of the item, folded, each on its own line.
    private static func searchText(_ item: CatalogueItem) -> String {
        ([item.name, item.slug] + item.aliases).map(TextFolding.fold).joined(separator: "\n")
    }

    /// The columns that are written, without those that never change, each with its value.
    private static let written: [(column: String, value: @Sendable (CatalogueItem) -> SQLValue)] = [
        ("slug", { .text($0.slug) }), ("name", { .text($0.name) }),
        ("sort_name", { .text(TextFolding.fold($0.name)) }), ("search_text", { .text(searchText($0)) }),
        ("category", { .text($0.category) }),
        ("typical_amount_minor_units", { .integer($0.typicalAmount.minorUnits) }),
        ("currency", { .text($0.typicalAmount.currency.code) }), ("billing_cycle", { .text($0.billingCycle.wire) }),
        ("website", { .text(orNull: $0.website) }), ("logo_url", { .text(orNull: $0.logoURL) }),
        ("cancel_url", { .text(orNull: $0.cancelURL) }),
        ("notice_days", { .integer(orNull: $0.noticeDays.map(Int64.init)) }),
        ("aliases", { .text(aliasesJSON($0.aliases)) }), ("updated_at", { .instant($0.updatedAt) }),
        ("revision", { .integer($0.revision) }),
    ]
    private static let insertion = """
        INSERT INTO catalogue_items (\(written.map(\.column).joined(separator: ", ")), id, created_at)
        VALUES (\(written.map { _ in "?, " }.joined())?, ?)
        """
    private static let change =
        "UPDATE catalogue_items SET \(written.map { $0.column + " = ?" }.joined(separator: ", ")) WHERE id = ?"

    private static func values(_ item: CatalogueItem) -> [SQLValue] { written.map { $0.value(item) } }

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

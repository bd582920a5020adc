package import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

/// Filters and order of an admin list of items.
package struct CatalogueListQuery: Sendable, Hashable {
    /// Text to find in the name, slug or an alias, ignoring case and accents; nil or blank matches all items.
    package var text: String?
    package var category: String?
    package var currency: Currency?
    package var billingCycle: BillingCycle?
    package var hasLogo: Bool?
    package var sort: CatalogueSort

    package init(
        text: String? = nil, category: String? = nil, currency: Currency? = nil,
        billingCycle: BillingCycle? = nil, hasLogo: Bool? = nil, sort: CatalogueSort = CatalogueSort(field: .name)
    ) {
        self.text = text
        self.category = category
        self.currency = currency
        self.billingCycle = billingCycle
        self.hasLogo = hasLogo
        self.sort = sort
    }

    /// The list that cursors belong to.
    package var list: PageCursor.List {
        PageCursor.List(
            "items", ids: 1, text, category, currency?.code, billingCycle?.wire,
            hasLogo.map { "\($0)" }, sort.rawValue)
    }

    /// Whether the item passes the filters; the text is not compared.
    package func accepts(_ item: CatalogueItem) -> Bool {
        if let category, item.category != category { return false }
        if let currency, item.typicalAmount.currency != currency { return false }
        if let billingCycle, item.billingCycle != billingCycle { return false }
        if let hasLogo, (item.logoURL != nil) != hasLogo { return false }
        return true
    }
}

/// The order of a list of items. Items with equal keys are ordered by id, so every order is total. The raw value is the
/// name on the wire: the field name, prefixed with `-` for descending order.
package struct CatalogueSort: Sendable, Hashable, RawRepresentable, CaseIterable {
    package enum Field: String, Sendable, CaseIterable {
        /// Ignoring case and accents.
        case name
        case slug
        case category
        case updatedAt = "updated_at"
    }

    package let field: Field
    package let isDescending: Bool

    package init(field: Field, isDescending: Bool = false) {
        self.field = field
        self.isDescending = isDescending
    }

    package init?(rawValue: String) {
        guard let sort = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = sort
    }

    package var rawValue: String { (isDescending ? "-" : "") + field.rawValue }

    package static let allCases = Field.allCases.flatMap { field in
        [CatalogueSort(field: field), CatalogueSort(field: field, isDescending: true)]
    }
}

/// How many items the catalogue has, and which values occur, whatever is filtered.
package struct CatalogueTotals: Sendable {
    package let all: Int
    package let withoutLogo: Int
    /// By name.
    package let categories: [(name: String, count: Int)]
    package let currencies: [String]
    package let cycles: [BillingCycle]

    package init(_ items: [CatalogueItem]) {
        all = items.count
        withoutLogo = items.count { $0.logoURL == nil }
        let counts = Dictionary(grouping: items, by: \.category).mapValues(\.count)
        categories = counts.sorted { $0.key < $1.key }.map { (name: $0.key, count: $0.value) }
        currencies = Set(items.map(\.typicalAmount.currency.code)).sorted()
        let used = Set(items.map(\.billingCycle))
        cycles =
            BillingCycle.named.filter(used.contains)
            + used.filter { !BillingCycle.named.contains($0) }.sorted { $0.wire < $1.wire }
    }
}

/// How much an item is used, which a merge moves to another one.
package struct CatalogueItemUses: Sendable, Hashable {
    /// How often devices added it, under its id or one that was merged into it.
    package let additions: Int64
    /// Suggested names that became the item or an alias of it.
    package let suggestions: Int64

    package init(additions: Int64, suggestions: Int64) {
        self.additions = additions
        self.suggestions = suggestions
    }
}

extension CatalogueStore {
    /// The uses of a few items.
    package func uses(of ids: [UUID]) throws -> [UUID: CatalogueItemUses] {
        try context.store.read { session in
            var uses: [UUID: CatalogueItemUses] = [:]
            for id in ids {
                let additions = try session.integer(
                    """
                    SELECT CAST(coalesce(sum(addition_count), 0) AS BIGINT) FROM item_additions
                    WHERE item_id = ? OR item_id IN (SELECT id FROM catalogue_tombstones WHERE merged_into = ?)
                    """, [.uuid(id), .uuid(id)])
                let suggestions = try session.integer(
                    "SELECT count(*) FROM suggestion_groups WHERE item_id = ?", [.uuid(id)])
                uses[id] = CatalogueItemUses(additions: additions ?? 0, suggestions: suggestions ?? 0)
            }
            return uses
        }
    }
}

package import ServerAccess
package import SubGuardDomain

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

import SubGuardDomain

/// What an administrator's list of items shows.
package struct CatalogueListQuery: Sendable, Hashable {
    /// Found anywhere in name, slug or an alias, without case and accents; nil, or blank, for all.
    package var text: String?
    package var category: String?
    /// ISO 4217 code.
    package var currency: String?
    /// As on the wire, such as `monthly`.
    package var billingCycle: String?
    package var hasLogo: Bool?
    package var sort: CatalogueSort

    package init(
        text: String? = nil, category: String? = nil, currency: String? = nil, billingCycle: String? = nil,
        hasLogo: Bool? = nil, sort: CatalogueSort = CatalogueSort(field: .name)
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
            "items", ids: 1, text, category, currency, billingCycle, hasLogo.map { "\($0)" }, sort.wire)
    }

    func accepts(_ item: CatalogueItem) -> Bool {
        if let category, item.category != category { return false }
        if let currency, item.typicalAmount.currency.code != currency { return false }
        if let billingCycle, item.billingCycle.wire != billingCycle { return false }
        if let hasLogo, (item.logoURL != nil) != hasLogo { return false }
        return true
    }
}

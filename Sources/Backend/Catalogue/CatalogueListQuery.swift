/// What an administrator's list of items shows.
package struct CatalogueListQuery: Sendable, Hashable {
    /// Found anywhere in name, slug or an alias, without case and accents; nil, or blank, for all.
    package var text: String?
    package var category: String?
    package var sort: CatalogueSort

    package init(
        text: String? = nil, category: String? = nil, sort: CatalogueSort = CatalogueSort(field: .name)
    ) {
        self.text = text
        self.category = category
        self.sort = sort
    }
}

package import Catalogue
package import Foundation
package import HTML
import SubGuardDomain

/// The filters of the list, as they stand in its URL and in that of an item, so that the way back leads to the same
/// list.
package struct CatalogueAddress: Sendable {
    package var query: CatalogueListQuery
    /// Whether the best matches of a search come first, which needs no parameter.
    package let isBestMatch: Bool

    package init(_ query: CatalogueListQuery, isBestMatch: Bool) {
        self.query = query
        self.isBestMatch = isBestMatch
    }

    static let orders: [(CatalogueSort, Sentence)] = [
        (CatalogueSort(field: .name), "Name, A to Z"),
        (CatalogueSort(field: .name, isDescending: true), "Name, Z to A"),
        (CatalogueSort(field: .category), "Category"), (CatalogueSort(field: .slug), "Slug"),
        (CatalogueSort(field: .updatedAt, isDescending: true), "Last changed"),
    ]

    package var parameters: [NamedValue] {
        let isSorted = !isBestMatch && (query.text != nil || query.sort != CatalogueSort(field: .name))
        return .given([
            ("q", query.text), ("category", query.category), ("currency", query.currency?.code),
            ("billing_cycle", query.billingCycle?.wire), ("has_logo", query.hasLogo.map { "\($0)" }),
            ("sort", isSorted ? query.sort.rawValue : nil),
        ])
    }

    package func link(more: [NamedValue] = []) -> HTMLLink {
        HTMLLink(path: ["console", "catalogue"], query: parameters + more)
    }

    package func link(
        to id: UUID, _ further: String..., more: [NamedValue] = [], fragment: String? = nil
    ) -> HTMLLink {
        HTMLLink(path: ["console", "catalogue", id.lowercased] + further, query: parameters + more, fragment: fragment)
    }

    /// Hidden fields with the filters.
    package var hidden: [NamedValue] { parameters.ofList }
}

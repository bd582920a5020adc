package import SubGuardDomain

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

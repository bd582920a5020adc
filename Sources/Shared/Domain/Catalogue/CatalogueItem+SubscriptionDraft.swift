extension CatalogueItem {
    /// What a new subscription to the service takes over, linked to the item.
    public var subscriptionDraft: SubscriptionDraft {
        var draft: SubscriptionDraft = [
            .name: name, .amount: typicalAmount.decimal, .currency: typicalAmount.currency.code,
            .cycle: billingCycle.wire, .catalogueItemID: id.lowercased,
            .scope: SubscriptionScope(catalogue: category).rawValue,
            .category: SubscriptionCategory(catalogue: category).wire,
        ]
        draft[.website] = website
        draft[.noticeDays] = noticeDays.map { "\($0)" }
        return draft
    }
}

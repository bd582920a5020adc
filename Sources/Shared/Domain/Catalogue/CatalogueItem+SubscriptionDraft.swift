extension CatalogueItem {
    /// What a new subscription to the service takes over, linked to the item.
    public var subscriptionDraft: SubscriptionDraft {
        var subscription: SubscriptionDraft = [
            .name: draft.name, .amount: draft.typicalAmount.decimal, .currency: draft.typicalAmount.currency.code,
            .cycle: draft.billingCycle.wire, .catalogueItemID: id.lowercased,
            .scope: SubscriptionScope(catalogue: draft.category).rawValue,
            .category: SubscriptionCategory(catalogue: draft.category).wire,
        ]
        subscription[.website] = draft.website
        subscription[.noticeDays] = draft.noticeDays.map { "\($0)" }
        return subscription
    }
}

public import Foundation

/// A service in the catalogue.
public struct CatalogueItem: Sendable, Hashable, Identifiable {
    public var id: UUID
    public var name: String
    /// Lower-case ASCII words joined by hyphens; unique in the catalogue.
    public var slug: String
    public var category: String
    public var typicalAmount: Money
    public var billingCycle: BillingCycle
    public var website: String?
    public var logoURL: String?
    /// The page for cancelling a subscription.
    public var cancelURL: String?
    /// Notice period for cancelling, in days before the next charge.
    public var noticeDays: Int?
    public var aliases: [String]
    public var updatedAt: UTCInstant
    /// The revision of the catalogue in which the item last changed.
    public var revision: Int64

    public init(
        id: UUID, name: String, slug: String, category: String, typicalAmount: Money, billingCycle: BillingCycle,
        website: String? = nil, logoURL: String? = nil, cancelURL: String? = nil, noticeDays: Int? = nil,
        aliases: [String] = [], updatedAt: UTCInstant, revision: Int64
    ) {
        self.id = id
        self.name = name
        self.slug = slug
        self.category = category
        self.typicalAmount = typicalAmount
        self.billingCycle = billingCycle
        self.website = website
        self.logoURL = logoURL
        self.cancelURL = cancelURL
        self.noticeDays = noticeDays
        self.aliases = aliases
        self.updatedAt = updatedAt
        self.revision = revision
    }

    /// The fields that an editor may change.
    public var draft: CatalogueDraft {
        CatalogueDraft(
            name: name, slug: slug, category: category, typicalAmount: typicalAmount, billingCycle: billingCycle,
            website: website, cancelURL: cancelURL, noticeDays: noticeDays, aliases: aliases)
    }
}

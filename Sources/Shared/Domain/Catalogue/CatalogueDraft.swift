/// The editable fields of a catalogue item, not validated yet.
public struct CatalogueDraft: Sendable, Hashable {
    public var name: String
    public var slug: String
    public var category: String
    public var typicalAmount: Money
    public var billingCycle: BillingCycle
    public var website: String?
    public var cancelURL: String?
    public var noticeDays: Int?
    public var aliases: [String]

    public init(
        name: String, slug: String, category: String, typicalAmount: Money, billingCycle: BillingCycle,
        website: String? = nil, cancelURL: String? = nil, noticeDays: Int? = nil, aliases: [String] = []
    ) {
        self.name = name
        self.slug = slug
        self.category = category
        self.typicalAmount = typicalAmount
        self.billingCycle = billingCycle
        self.website = website
        self.cancelURL = cancelURL
        self.noticeDays = noticeDays
        self.aliases = aliases
    }

    /// Proposes a slug: the folded name with hyphens, truncated at a word boundary.
    ///
    /// Empty when the name has no ASCII letters or digits after folding.
    public static func slug(from name: String) -> String {
        var slug = ""
        for word in TextFolding.fold(name).split(whereSeparator: { !$0.isASCII || !($0.isLetter || $0.isNumber) }) {
            guard !slug.isEmpty else {
                slug = String(word.prefix(CatalogueRules.maximumSlugLength))
                continue
            }
            guard slug.utf8.count + 1 + word.utf8.count <= CatalogueRules.maximumSlugLength else { break }
            slug += "-" + word
        }
        return slug
    }
}

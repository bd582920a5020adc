/// The kind of service that a subscription is: one of the catalogue's categories, or a name of the user's own.
///
/// Whether it is for work is its ``SubscriptionScope``, not a category.
public struct SubscriptionCategory: Sendable, Hashable {
    /// The wire form: `streaming`, or the user's own name as entered.
    public let wire: String

    /// What has no category.
    public static let other = SubscriptionCategory(unchecked: "other")
    /// Services for companies; the catalogue calls it `pro`.
    public static let business = SubscriptionCategory(unchecked: "business")
    /// In characters.
    public static let maximumLength = 40

    /// The built-in categories, by wire form, `other` last.
    public static let builtIn =
        [
            "ai", "books", "business", "cloud", "dating", "education", "energy", "finance", "fitness", "food",
            "gaming", "health", "home", "insurance", "kids", "music", "pets", "press", "security", "shopping",
            "software", "sport", "streaming", "telecom", "transport",
        ].map(SubscriptionCategory.init(unchecked:)) + [other]

    /// The built-in categories by every folded name.
    private static let names: [String: SubscriptionCategory] = {
        var names: [String: SubscriptionCategory] = [:]
        for category in builtIn {
            for name in [category.wire, category.displayName(.english), category.displayName(.french)] {
                names[TextFolding.fold(name)] = category
            }
        }
        return names
    }()

    private init(unchecked wire: String) { self.wire = wire }

    /// Reads a category. The English and French names of the built-in ones are recognised, whatever case and accents.
    /// The name of a scope is refused.
    public init(_ text: String) throws(Fault) {
        let name = try FieldRules.name(text, field: "category")
        guard name.unicodeScalars.count <= Self.maximumLength else {
            throw Fault("category", .outOfRange, "Must have at most \(Self.maximumLength) characters.")
        }
        guard SubscriptionScope(named: name) == nil else {
            throw Fault("category", .unknownValue, "Is a scope, not a category.")
        }
        self = Self.names[TextFolding.fold(name)] ?? SubscriptionCategory(unchecked: name)
    }

    /// The built-in category of an item of the catalogue; `other` for one that this version does not know.
    public init(catalogue category: String) {
        if category == "pro" {
            self = .business
        } else {
            self = Self.builtIn.first { $0.wire == category } ?? .other
        }
    }

    /// Whether it is the user's own, which requires premium.
    public var isCustom: Bool { !Self.builtIn.contains(self) }

    /// The order in lists: built-in categories by wire form, then the user's own by name, `other` last.
    public static func inOrder(_ left: SubscriptionCategory, _ right: SubscriptionCategory) -> Bool {
        left.rank == right.rank ? left.wire < right.wire : left.rank < right.rank
    }

    /// The same order by the names of a language, ignoring case and accents.
    package static func inOrder(
        _ left: SubscriptionCategory, _ right: SubscriptionCategory, _ language: DisplayLanguage
    ) -> Bool {
        guard left.rank == right.rank else { return left.rank < right.rank }
        let names = (TextFolding.fold(left.displayName(language)), TextFolding.fold(right.displayName(language)))
        return names.0 == names.1 ? left.wire < right.wire : names.0 < names.1
    }

    private var rank: Int { self == .other ? 2 : isCustom ? 1 : 0 }
}

extension SubscriptionScope {
    /// That of an item of the catalogue.
    public init(catalogue category: String) { self = category == "pro" ? .pro : .personal }
}

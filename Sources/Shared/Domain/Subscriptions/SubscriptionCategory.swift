/// The category of a subscription: Pro, Personal or a custom name.
public struct SubscriptionCategory: Sendable, Hashable {
    /// The wire form: `pro`, `personal` or the custom name.
    public let wire: String

    public static let pro = SubscriptionCategory(unchecked: "pro")
    public static let personal = SubscriptionCategory(unchecked: "personal")
    public static let maximumLength = 40

    /// The built-in categories.
    public static let builtIn = [pro, personal]

    init(unchecked wire: String) { self.wire = wire }

    /// Reads a category. The English and French names of the built-in ones are recognised in any case.
    public init(_ text: String) throws(Fault) {
        let name = try FieldRules.name(text, field: "category")
        guard name.unicodeScalars.count <= Self.maximumLength else {
            throw Fault("category", .outOfRange, "Must have at most \(Self.maximumLength) characters.")
        }
        switch name.lowercased() {
        case "pro", "professional", "professionnel": self = .pro
        case "personal", "personnel", "perso": self = .personal
        default: self.init(unchecked: name)
        }
    }

    public var isCustom: Bool { !Self.builtIn.contains(self) }
}

/// What a subscription is for: Pro, Personal, or a name of the user's own.
public struct SubscriptionCategory: Sendable, Hashable {
    /// As on the wire: `pro`, `personal`, or the name itself.
    public let wire: String

    public static let pro = SubscriptionCategory(unchecked: "pro")
    public static let personal = SubscriptionCategory(unchecked: "personal")
    public static let maximumLength = 40

    /// The two that everybody has.
    public static let builtIn = [pro, personal]

    init(unchecked wire: String) { self.wire = wire }

    /// Reads what stands on the wire. `Pro` and `Personnel` in any case are the built-in ones.
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

    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .pro: "Pro"
        case .personal: language == .french ? "Personnel" : "Personal"
        default: wire
        }
    }
}

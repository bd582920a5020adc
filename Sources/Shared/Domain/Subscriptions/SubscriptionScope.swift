/// What a subscription is for: work or private life. Splits every total. The raw value is the wire form.
public enum SubscriptionScope: String, Sendable, Hashable, CaseIterable {
    /// For work.
    case pro
    /// For private life; the default of a subscription.
    case personal

    /// Reads the wire form, or a name in English or French, in any case; nil for anything else.
    public init?(named text: String) {
        switch TextFolding.fold(text) {
        case "pro", "professional", "professionnel", "professionnelle": self = .pro
        case "personal", "personnel", "personnelle", "perso": self = .personal
        default: return nil
        }
    }

    /// Reads a scope that was entered.
    public static func read(_ text: String, field: String = "scope") throws(Fault) -> SubscriptionScope {
        guard let scope = SubscriptionScope(named: text) else {
            throw Fault(field, .unknownValue, "Must be pro or personal.")
        }
        return scope
    }
}

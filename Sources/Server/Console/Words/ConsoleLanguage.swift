import HTML
import SubGuardDomain

/// The languages of the console. The raw value is the tag in `lang` attributes, in the query and in the cookie.
package enum ConsoleLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case french = "fr"

    /// The name in the language itself.
    package var name: String {
        switch self {
        case .english: "English"
        case .french: "Français"
        }
    }

    /// The preferred language of an `Accept-Language` field (RFC 9110 section 12.5.4); English if it names none of
    /// ours.
    package init(acceptLanguage field: String?) {
        let tag = AcceptedLanguage.preferred(field, of: Self.allCases.map(\.rawValue))
        self = tag.flatMap(Self.init(rawValue:)) ?? .english
    }
}

extension Translation {
    /// What the console says in French.
    static let french = french(context: "console", adjusting: frenchSpaces)
}

/// A language in which the domain can name things to people; the raw value is its ISO 639-1 code.
public enum DisplayLanguage: String, Sendable, Hashable, CaseIterable {
    case french = "fr"
    case english = "en"
}

/// The mark of an item without a logo: initials on the colour of its category. The same everywhere, because it depends
/// on name and category only.
public struct CatalogueMark: Sendable, Hashable {
    /// Up to two characters, upper case; empty if the name has neither letters nor digits.
    public let initials: String
    /// Red, green and blue, 8 bits each. White text on it has a contrast of at least 4.5:1.
    public let colour: UInt32

    /// The mark of an item with this name and category; the same arguments always give the same mark.
    public init(name: String, category: String) {
        initials = Self.initials(of: name)
        colour = Self.colour(of: category)
    }

    /// The first letters of the first two words, else the first two of the only one.
    public static func initials(of name: String) -> String {
        let parts = name.split { !$0.isLetter && !$0.isNumber }
        guard let first = parts.first else { return "" }
        let letters = parts.count > 1 ? [first.first, parts[1].first].compactMap(\.self) : Array(first.prefix(2))
        return String(letters).uppercased()
    }

    /// The colour of a category: a fixed one for the categories of the starter catalogue, else one of the same colours
    /// chosen by the name (FNV-1a, 32 bits, modulo their number).
    public static func colour(of category: String) -> UInt32 {
        if let known = colours.first(where: { $0.category == category }) { return known.colour }
        var hash: UInt32 = 0x811C_9DC5
        for byte in category.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return colours[Int(hash % UInt32(colours.count))].colour
    }

    static let colours: [(category: String, colour: UInt32)] = [
        ("ai", 0x0F766E), ("books", 0x854D0E), ("cloud", 0x33689E), ("dating", 0xC81E4F), ("education", 0x7A4B9D),
        ("energy", 0x866000), ("finance", 0x1D6B41), ("fitness", 0xA84600), ("food", 0xA8443B), ("gaming", 0x6D28D9),
        ("health", 0x0E7490), ("home", 0x7D5A44), ("insurance", 0x4B5AA7), ("kids", 0xC2410C), ("music", 0x9D2A73),
        ("other", 0x57534E), ("pets", 0x80561F), ("press", 0x4A4F5C), ("pro", 0x475569), ("security", 0x334155),
        ("shopping", 0xBE185D), ("software", 0x2B59C3), ("sport", 0x15803D), ("streaming", 0xB3261E),
        ("telecom", 0x0B6E8F), ("transport", 0x1F6F54),
    ]
}

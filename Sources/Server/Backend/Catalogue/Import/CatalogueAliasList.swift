/// Several aliases in one text, parted by `|`. In an alias, `|` and `\` have a `\` before them.
enum CatalogueAliasList {
    static func text(of aliases: [String]) -> String {
        aliases.map(escaped).joined(separator: "|")
    }

    /// Empty for an empty text. A `\` before any other character stands for itself.
    static func aliases(in text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        var aliases: [String] = []
        var alias = ""
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "|" where !isEscaped:
                aliases.append(alias)
                alias = ""
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "|", "\\":
                alias.unicodeScalars.append(scalar)
            default:
                if isEscaped { alias.append("\\") }
                alias.unicodeScalars.append(scalar)
            }
            isEscaped = false
        }
        if isEscaped { alias.append("\\") }
        return aliases + [alias]
    }

    private static func escaped(_ alias: String) -> String {
        var text = ""
        for scalar in alias.unicodeScalars {
            if scalar == "|" || scalar == "\\" { text.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}

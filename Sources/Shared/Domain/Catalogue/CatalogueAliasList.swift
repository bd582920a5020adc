/// Encodes several aliases as one text, separated by `|`. In an alias, `|` and `\` are escaped with `\`.
package enum CatalogueAliasList {
    package static func text(of aliases: [String]) -> String {
        aliases.map(escaped).joined(separator: "|")
    }

    /// Empty for an empty text. A `\` before any other character is literal.
    package static func aliases(in text: String) -> [String] {
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

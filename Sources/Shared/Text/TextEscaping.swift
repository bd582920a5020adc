extension String {
    /// The text with other texts in place of some of its scalars. Scalars and not characters: `"` with a combining mark
    /// after it is another character, but means the same to a reader of the text.
    package func escaping(_ replacements: [Unicode.Scalar: String]) -> String {
        guard unicodeScalars.contains(where: { replacements[$0] != nil }) else { return self }
        var escaped = ""
        for scalar in unicodeScalars {
            if let replacement = replacements[scalar] {
                escaped += replacement
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// The first word of a statement, behind blanks and comments.
enum SQLKeyword {
    /// In capitals; empty when the text starts with no word.
    static func first(of statement: String) -> String {
        var rest = Substring(statement)
        while let character = rest.unicodeScalars.first {
            if character.properties.isWhitespace || character == ";" || character == "\u{FEFF}" {
                rest.unicodeScalars.removeFirst()
            } else if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.hasPrefix("*/") { rest.removeFirst() }
                rest = rest.dropFirst(2)
            } else {
                break
            }
        }
        return rest.prefix { $0.isASCII && $0.isLetter }.uppercased()
    }
}

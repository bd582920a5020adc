import TextCoding

/// Text as one word of a POSIX shell, for commands that are shown to be copied.
enum ShellWord {
    /// In double quotes, or in single ones when a character has a meaning within double quotes.
    static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { "\"$`\\!".unicodeScalars.contains($0) }) else {
            return "\"\(text)\""
        }
        return "'" + text.escaping(["'": "'\\''"]) + "'"
    }
}

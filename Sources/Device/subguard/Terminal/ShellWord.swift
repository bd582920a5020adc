/// Text as one word of a POSIX shell, for commands that are shown to be copied.
enum ShellWord {
    /// In double quotes, or in single ones when a character has a meaning within double quotes.
    static func quoted(_ text: String) -> String {
        guard text.contains(where: { "\"$`\\!".contains($0) }) else { return "\"\(text)\"" }
        return "'" + text.replacing("'", with: "'\\''") + "'"
    }
}

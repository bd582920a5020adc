/// Text from elsewhere (names, other devices' files, arguments) on its way to a terminal.
enum TerminalText {
    /// Blanks in the place of control characters, and of those that turn the direction of writing: none may move the
    /// cursor, begin an escape sequence or show a text as another. Line ends stay, and so does the program's own colour.
    static func masked(_ text: String) -> String {
        var masked = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if let style = TerminalStyle.sequences.first(where: { rest.starts(with: $0.unicodeScalars) }) {
                masked.append(contentsOf: style.unicodeScalars)
                rest = rest.dropFirst(style.unicodeScalars.count)
            } else {
                masked.append(scalar == "\n" || !isMasked(scalar) ? scalar : " ")
                rest = rest.dropFirst()
            }
        }
        return String(masked)
    }

    /// The same for what must stay on its line, and without colour.
    static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isMasked($0) ? " " : $0 }))
    }

    private static func isMasked(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: scalar.properties.generalCategory == .control
        }
    }
}

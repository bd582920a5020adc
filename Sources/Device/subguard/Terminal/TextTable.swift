/// A table of text: columns as wide as their widest cell, two blanks apart.
struct TextTable {
    enum Alignment { case left, right }

    struct Cell {
        let text: String
        var colour: TerminalStyle.Colour?

        init(_ text: String, _ colour: TerminalStyle.Colour? = nil) {
            self.text = TerminalText.line(text)
            self.colour = colour
        }
    }

    private let header: [String]
    private let alignments: [Alignment]
    private var rows: [[Cell]] = []

    init(_ columns: [(String, Alignment)]) {
        header = columns.map(\.0)
        alignments = columns.map(\.1)
    }

    mutating func add(_ cells: [Cell]) { rows.append(cells) }

    func text(_ style: TerminalStyle) -> String {
        let widths = header.indices.map { column in
            rows.map { DisplayWidth.of($0[column].text) }.reduce(DisplayWidth.of(header[column]), max)
        }
        let head = line(header.map { Cell($0) }, widths) { text, _ in style.bold(text) }
        return ([head] + rows.map { row in line(row, widths) { style.colour($0, $1) } }).joined(separator: "\n")
    }

    private func line(_ cells: [Cell], _ widths: [Int], _ dress: (String, TerminalStyle.Colour?) -> String) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[index] - DisplayWidth.of(cell.text))
            let isLast = index == cells.count - 1
            if index > 0 { line += "  " }
            switch alignments[index] {
            case .left: line += dress(cell.text, cell.colour) + (isLast ? "" : padding)
            case .right: line += padding + dress(cell.text, cell.colour)
            }
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}

/// The width of a text in terminal columns.
enum DisplayWidth {
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// 2 for ideographs, Hangul, full-width forms and emoji, 0 for combining marks, else 1.
    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        if scalar.properties.isEmojiPresentation { return 2 }
        switch scalar.value {
        case 0x0300...0x036F, 0x200B...0x200F: return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}

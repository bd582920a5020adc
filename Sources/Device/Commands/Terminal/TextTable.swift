import Foundation
import SubGuardDomain

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
    /// The flexible columns are shortened to stay within it; nil for no limit.
    private let width: Int?
    /// The columns that may be shortened: the first one down to ``leastWidth``, the second one down to
    /// ``leastOfOthers``, then the first one again and the others down to that.
    private let flexible: [Int]
    /// The columns that are left out, in this order, when shortening is not enough.
    private let optional: [Int]
    private var rows: [[Cell]] = []

    private static let leastWidth = 12
    private static let leastOfOthers = 8

    init(_ columns: [(String, Alignment)], width: Int? = nil, flexible: [Int] = [0], optional: [Int] = []) {
        self.flexible = flexible
        self.optional = optional
        header = columns.map(\.0)
        alignments = columns.map(\.1)
        self.width = width
    }

    mutating func add(_ cells: [Cell]) { rows.append(cells) }

    func text(_ style: TerminalStyle) -> String {
        var columns = Array(header.indices)
        var fitted = fitted(columns)
        for column in optional where isTooWide(fitted.widths) {
            columns.removeAll { $0 == column }
            fitted = self.fitted(columns)
        }
        let alignments = columns.map { self.alignments[$0] }
        let head = line(columns.map { Cell(header[$0]) }, fitted.widths, alignments) { text, _ in style.bold(text) }
        let body = fitted.rows.map { row in line(row, fitted.widths, alignments) { style.colour($0, $1) } }
        return ([head] + body).joined(separator: "\n")
    }

    private func isTooWide(_ widths: [Int]) -> Bool { width.map { excess(widths, over: $0) > 0 } ?? false }

    private func excess(_ widths: [Int], over width: Int) -> Int {
        widths.reduce(0, +) + 2 * (widths.count - 1) - width
    }

    /// The cells of these columns, shortened as far as that is needed and allowed.
    private func fitted(_ columns: [Int]) -> (widths: [Int], rows: [[Cell]]) {
        var rows = rows.map { row in columns.map { row[$0] } }
        var widths = columns.enumerated().map { place, column in
            rows.map { DisplayWidth.of($0[place].text) }.reduce(DisplayWidth.of(header[column]), max)
        }
        guard let width else { return (widths, rows) }
        var steps = flexible.map { ($0, Self.leastOfOthers) }
        if let first = flexible.first {
            steps[0] = (first, Self.leastWidth)
            steps.insert((first, Self.leastOfOthers), at: min(2, steps.count))
        }
        for (column, least) in steps {
            guard let place = columns.firstIndex(of: column) else { continue }
            let excess = excess(widths, over: width)
            // A header is never shortened.
            let least = max(least, DisplayWidth.of(header[column]))
            guard excess > 0, widths[place] > least else { continue }
            widths[place] = max(least, widths[place] - excess)
            for index in rows.indices {
                let cell = rows[index][place]
                rows[index][place] = Cell(DisplayWidth.shortened(cell.text, to: widths[place]), cell.colour)
            }
        }
        return (widths, rows)
    }

    private func line(
        _ cells: [Cell], _ widths: [Int], _ alignments: [Alignment], _ dress: (String, TerminalStyle.Colour?) -> String
    ) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[index] - DisplayWidth.of(cell.text))
            let isLast = index == cells.count - 1
            // Programs get the names as they are.
            let shown = width == nil ? cell.text : cell.text.directed
            if index > 0 { line += "  " }
            switch alignments[index] {
            case .left: line += dress(shown, cell.colour) + (isLast ? "" : padding)
            case .right: line += padding + dress(shown, cell.colour)
            }
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}

/// A column of a list: its heading, and what stands below it.
struct ListColumn<Row> {
    /// Empty for a column that explains itself; nil for ``id(_:)``, which is the same in every language.
    let heading: Sentence?
    let alignment: TextTable.Alignment
    let cell: (Row) -> TextTable.Cell

    /// - Parameter colour: of a cell.
    static func text(
        _ heading: Sentence, _ colour: @escaping (Row) -> TerminalStyle.Colour? = { _ in nil },
        _ text: @escaping (Row) -> String
    ) -> ListColumn { ListColumn(heading: heading, alignment: .left) { .init(text($0), colour($0)) } }

    /// An amount or a number.
    static func number(
        _ heading: Sentence, _ colour: @escaping (Row) -> TerminalStyle.Colour? = { _ in nil },
        _ text: @escaping (Row) -> String
    ) -> ListColumn { ListColumn(heading: heading, alignment: .right) { .init(text($0), colour($0)) } }

    /// What other commands take to name the row.
    static func id(_ id: @escaping (Row) -> UUID) -> ListColumn {
        ListColumn(heading: nil, alignment: .left) { .init(id($0).lowercased, .grey) }
    }
}

/// The width of a text in terminal columns.
enum DisplayWidth {
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// The text, or its beginning with an ellipsis when it is wider.
    static func shortened(_ text: String, to limit: Int) -> String {
        guard of(text) > limit else { return text }
        var (short, used) = ("", 1)
        for character in text {
            used += width(character)
            guard used <= limit else { break }
            short.append(character)
        }
        return short + "…"
    }

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

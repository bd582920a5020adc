import SubGuardDomain
import TextCoding

extension StatementTable {
    private static let mostWords = 8

    /// Reads the words of the column of directions. Of a column that the user named, two words are enough: each is one
    /// direction.
    mutating func readDirections() {
        guard let column = columns.column(.direction) else { return noteTwoWords() }
        let cells = cells(of: column)
        var read = StatementDirections(cells, name: columns.words(of: column))
        defer { take(read) }
        guard columns.given.contains(column), let words = counts(of: cells), words.count == 2 else { return }
        let unread = words.filter { read.direction($0.key) == nil }
        guard !unread.isEmpty else { return }
        let known = words.keys.first { read.direction($0) != nil }
        let word: String?
        switch known.flatMap({ read.direction($0) }) {
        case .debit: word = known
        case .credit: word = unread.keys.first
        case .neither: word = nil
        // Charges are more than credits.
        case nil: word = words.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        }
        guard let debit = word, let credit = words.keys.first(where: { $0 != debit }) else { return }
        read.take(debit, for: .debit)
        read.take(credit, for: .credit)
        note(
            """
            In column \(name(column)), “\(RefusedBooking.shown(debit))” is taken for charges, \
            “\(RefusedBooking.shown(credit))” for credits.
            """)
    }

    /// Names a column that may tell charges from credits where no amount has a sign.
    private mutating func noteTwoWords() {
        guard layout.chargesArePositive, !columns.columns(.amount).contains(where: { hasNegatives($0) }) else { return }
        for column in columns.fields.indices where columns.isFree(column) || columns.fields[column] == .kind {
            guard let words = counts(of: cells(of: column)), words.count == 2,
                words.values.allSatisfy({ $0 >= 2 }), words.keys.allSatisfy({ $0.contains(where: \.isLetter) }),
                splitsPayees(column)
            else { continue }
            let shown = words.keys.sorted().map { "“\(RefusedBooking.shown($0))”" }.joined(separator: ", ")
            return note(
                """
                All amounts are taken for charges. If the words of column \(name(column)) tell charges from credits \
                (\(shown)), use --map \(name(column))=direction.
                """)
        }
    }

    private func cells(of column: Int) -> [String] { rows.map { cell(column, $0) } }

    private func hasNegatives(_ column: Int) -> Bool {
        rows.prefix(2000).contains { StatementAmount(cell(column, $0), mark: mark)?.isNegative == true }
    }

    /// How often each of a few words occurs in the rows of entries; nil for anything else.
    private func counts(of cells: some Sequence<String>) -> [String: Int]? {
        var words: [String: Int] = [:]
        var empty = 0
        for cell in cells {
            guard !cell.isEmpty else {
                empty += 1
                continue
            }
            guard cell.utf8.count <= 60 else { return nil }
            words[cell, default: 0] += 1
            guard words.count <= Self.mostWords else { return nil }
        }
        return empty * 10 <= rows.count ? words : nil
    }

    /// Whether those who are paid several times nearly always have the same word.
    private func splitsPayees(_ column: Int) -> Bool {
        var words: [String: [String: Int]] = [:]
        for record in rows.prefix(2000) {
            let text = TextFolding.fold(texts(record)).filter(\.isLetter)
            words[text, default: [:]][cell(column, record), default: 0] += 1
        }
        let repeated = words.values.filter { $0.values.reduce(0, +) > 1 }
        let sides = Set(repeated.flatMap(\.keys))
        return sides.count == 2 && repeated.count(where: { $0.count == 1 }) * 10 >= repeated.count * 9
    }
}

extension Fault {
    static let unreadableStatementDirection = Fault(
        "direction", .unknownValue,
        "Must be a word for debit or credit. Use --map COLUMN=ignore if the amounts have a sign.")
}

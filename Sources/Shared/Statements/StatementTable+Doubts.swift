import SubGuardDomain
import TextCoding

/// What a table leaves open is noted, so that nobody takes a wrong figure for a right one.
extension StatementTable {
    // MARK: Lines

    private static let sampleLines = 60

    /// How many fields a row has, see ``CSVReader/widths``: as many as the header, without or with an empty one at the
    /// end. Without a header, as many as the first line with a date and an amount.
    static func widths(of text: [UInt8], separator: UInt8) -> Set<Int> {
        var header: Int?
        var isHeaderOpen = false
        let lines = text.prefix(64 << 10).parts { $0 == 0x0A || $0 == 0x0D }
        for line in lines.lazy.filter({ !$0.isEmpty }).prefix(sampleLines) {
            var reader = CSVReader(Array(line), separator: separator, isLenient: true)
            guard let fields = try? reader.next()?.fields, fields.count > 1 else { continue }
            let isDated = fields.contains(where: isDate)
            if header == nil, !isDated, StatementColumns(header: fields, mapping: [:]).isTable {
                header = fields.count
                isHeaderOpen = fields.last?.isEmpty == true
            } else if isDated, let header {
                return Set([header] + (isHeaderOpen ? [header - 1] : []) + (line.last == separator ? [header + 1] : []))
            } else if isDated, fields.contains(where: { !isDate($0) && StatementAmount($0) != nil }) {
                return [fields.count]
            }
        }
        return header.map { [$0] } ?? []
    }

    /// Names the rows with a cell that has line ends and separators, as a mark that is not closed makes them of whole
    /// rows.
    var noteOnLines: Sentence? {
        guard !brokenLines.isEmpty else { return nil }
        let broken = Set(brokenLines)
        let lines = rows.lazy.filter { record in
            broken.contains(record.line)
                && record.fields.contains { $0.contains(where: \.isNewline) && $0.contains(layout.separator) }
        }.map(\.line)
        guard let line = lines.first else { return nil }
        return """
            Rows with a cell of several lines: \(lines.count), the first one on line \("\(line)"). If a payment is \
            missing there, a quotation mark in the file hides it.
            """
    }

    // MARK: Balances

    /// Says that balances do not follow from the amounts, unless they hardly ever do: those are of something else.
    mutating func noteJumps(_ chain: StatementBalance.Chain, _ lines: [Int]) {
        guard chain.count >= 3, chain.matches * 5 >= chain.count, let gap = chain.gaps.first else { return }
        note(
            """
            The balance does not follow from the amount in \(chain.gaps.count) of \(chain.count) rows, first in row \
            \("\(lines[gap])"): payments may be missing in the file.
            """
        )
    }
}

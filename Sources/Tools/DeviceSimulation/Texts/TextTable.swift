/// A table of text: columns as wide as their widest cell, two blanks apart.
package struct TextTable {
    package let header: [String]
    package let rows: [[String]]

    package init(header: [String], rows: [[String]]) { (self.header, self.rows) = (header, rows) }

    /// The first column is aligned to the left, the others to the right. Without the header if that is empty.
    package var lines: [String] {
        let rows = header.allSatisfy(\.isEmpty) ? rows : [header] + rows
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + space : space + row[column]
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}

import TextCoding

/// Why a CSV file cannot be read as a catalogue at all. Rows with bad values are no reason: they are reported one by one.
package struct CatalogueCSVError: Error, Sendable, Hashable {
    package enum Kind: String, Sendable {
        case invalidUTF8 = "invalid_utf8"
        case unterminatedQuote = "unterminated_quote"
        case misplacedQuote = "misplaced_quote"
        case missingHeader = "missing_header"
        case unknownColumn = "unknown_column"
        case duplicateColumn = "duplicate_column"
        case missingColumn = "missing_column"
    }

    package let kind: Kind
    /// Counted from 1.
    package let line: Int
    /// The place of the field in its row, counted from 1; nil where the fault is the row's.
    package let column: Int?
    /// One sentence for people.
    package let detail: String

    init(kind: Kind, line: Int, column: Int?, detail: String) {
        self.kind = kind
        self.line = line
        self.column = column
        self.detail = detail
    }

    init(_ failure: CSVReader.Failure) {
        let (kind, detail): (Kind, String) =
            switch failure.kind {
            case .invalidUTF8: (.invalidUTF8, "The text is not UTF-8.")
            case .unterminatedQuote: (.unterminatedQuote, "The quotation mark that opens the field is never closed.")
            case .misplacedQuote:
                (.misplacedQuote, "A quotation mark must enclose the whole field; inside it is written twice.")
            }
        self.init(kind: kind, line: failure.line, column: failure.column, detail: detail)
    }
}

extension CatalogueCSVError: CustomStringConvertible {
    package var description: String {
        column.map { "line \(line), column \($0): \(detail)" } ?? "line \(line): \(detail)"
    }
}

import JSONWire
package import SubGuardDomain
import TextCoding

/// The position of each column in a file.
struct CatalogueCSVHeader {
    let columnCount: Int
    private var positions: [String: Int] = [:]

    /// The names of columns that are not known, as they stand in the file; the first few.
    private(set) var ignored: [String] = []

    private static let maximumIgnored = 50

    /// Names are recognised in any case, and with blanks or hyphens instead of underscores.
    init(_ record: CSVReader.Record) throws(CatalogueCSVError) {
        columnCount = record.fields.count
        for (index, name) in record.fields.enumerated() {
            let plain = name.lowercased().split { $0.isWhitespace || $0 == "_" || $0 == "-" }.joined(separator: "_")
            guard CatalogueColumn.all.contains(where: { $0.name == plain }) else {
                if !plain.isEmpty, ignored.count < Self.maximumIgnored { ignored.append(name) }
                continue
            }
            guard positions[plain] == nil else {
                throw CatalogueCSVError(
                    kind: .duplicate, line: record.line, column: index + 1,
                    detail: "The column \(plain) is given twice.")
            }
            positions[plain] = index
        }
        // With a slug, the other columns are changes of the items that have it.
        let missing = CatalogueColumn.all.filter { !$0.isOptional && positions[$0.name] == nil }
        guard missing.isEmpty || positions["slug"] != nil && positions.count > 1 else {
            throw CatalogueCSVError(
                kind: .required, line: record.line, column: nil,
                detail:
                    "The columns \(missing.map(\.name).joined(separator: ", ")) are missing. To change items, slug "
                    + "and the columns to change are enough. The columns are "
                    + CatalogueColumn.all.map(\.name).joined(separator: ",") + ".")
        }
    }

    /// Converts a row to the equivalent JSON object. Columns missing from the file are omitted.
    func object(of fields: [String]) -> JSONObject {
        JSONObject(
            CatalogueColumn.all.compactMap { column in
                guard let position = positions[column.name] else { return nil }
                return column.value(of: SpreadsheetText.unguarded(fields[position])).map { (column.name, $0) }
            })
    }
}

extension CatalogueColumn {
    /// The JSON value of a field. An empty field is null if the item's field is optional, otherwise absent.
    fileprivate func value(of text: String) -> JSONValue? {
        switch kind {
        case .name: return .string(text)
        // An empty slug or category is a fault; without the column, the slug is made from the name.
        case .word: return .string(Self.word(text).lowercased())
        case .cycle: return text.isEmpty ? nil : .string(Self.word(text).lowercased())
        case .amount: return text.isEmpty ? nil : .string(Self.decimal(text))
        case .code: return text.isEmpty ? nil : .string(Self.word(text).uppercased())
        case .link: return text.isEmpty ? .null : .string(text)
        case .number:
            guard !text.isEmpty else { return .null }
            let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
            let isNumber = text.utf8.count <= 9 && Int(text) != nil && digits.allSatisfy { (0x30...0x39).contains($0) }
            return isNumber ? .number(text) : .string(text)
        case .list: return .array(CatalogueAliasList.aliases(in: text).map(JSONValue.string))
        }
    }

    private static let maximumAmountBytes = 64

    private static func word(_ text: String) -> String {
        var word = text[...]
        while word.first?.isWhitespace == true { word.removeFirst() }
        while word.last?.isWhitespace == true { word.removeLast() }
        return String(word)
    }

    /// An amount as spreadsheets show it: `29,00`, `1.299,00`, `1,299.00`, `1 299,00`. The last mark is the decimal one
    /// if one or two digits follow it, or if it is a point; anything ambiguous, or of more than 64 bytes, stays
    /// as it is and is refused.
    private static func decimal(_ text: String) -> String {
        guard text.utf8.count <= maximumAmountBytes else { return text }
        let digits = text.filter { !$0.isWhitespace && $0 != "'" && $0 != "’" }
        guard let mark = digits.lastIndex(where: { $0 == "," || $0 == "." }) else { return digits }
        let (whole, fraction) = (digits[..<mark], digits[digits.index(after: mark)...])
        let groups = whole.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        let others = whole.filter { $0 == "," || $0 == "." }
        // Thousands stand in groups of three, parted by the other mark.
        guard groups.dropFirst().allSatisfy({ $0.count == 3 }), !others.contains(digits[mark]),
            digits[mark] == "." || (1...2).contains(fraction.count)
        else { return digits }
        return groups.joined() + "." + fraction
    }
}

/// Why a CSV file is rejected as a whole. Rows with invalid values are reported individually instead.
package struct CatalogueCSVError: Error, Sendable, Hashable {
    package let kind: FaultCode
    /// Starting at 1.
    package let line: Int
    /// Starting at 1; nil if the fault concerns the whole row.
    package let column: Int?
    /// One sentence for the user.
    package let detail: String

    init(kind: FaultCode, line: Int, column: Int?, detail: String) {
        self.kind = kind
        self.line = line
        self.column = column
        self.detail = detail
    }

    init(_ failure: CSVReader.Failure) {
        let (kind, detail): (FaultCode, String) =
            switch failure.kind {
            case .invalidUTF8: (.invalidUTF8, "The text is not UTF-8.")
            case .unterminatedQuote: (.unterminatedQuote, "The quotation mark that opens the field is never closed.")
            case .misplacedQuote:
                (.misplacedQuote, "A quotation mark must enclose the whole field; inside it is written twice.")
            case .longRun: (.tooManyMarks, "The field has too many combining marks on a letter, or flags in a row.")
            }
        self.init(kind: kind, line: failure.line, column: failure.column, detail: detail)
    }
}

extension CatalogueCSVError: CustomStringConvertible {
    package var description: String {
        column.map { "line \(line), column \($0): \(detail)" } ?? "line \(line): \(detail)"
    }
}

import JSONWire
package import SubGuardDomain
import TextCoding

/// The position of each column in a file.
struct CatalogueCSVHeader {
    let columnCount: Int
    private var positions: [CatalogueCSVColumn: Int] = [:]

    init(_ record: CSVReader.Record) throws(CatalogueCSVError) {
        columnCount = record.fields.count
        for (index, name) in record.fields.enumerated() {
            guard let column = CatalogueCSVColumn(rawValue: name) else {
                let known = CatalogueCSVColumn.allCases.map(\.rawValue).joined(separator: ",")
                throw CatalogueCSVError(
                    kind: .unknownField, line: record.line, column: index + 1,
                    detail: "No column has this name. The columns are \(known), separated by commas.")
            }
            guard positions[column] == nil else {
                throw CatalogueCSVError(
                    kind: .duplicate, line: record.line, column: index + 1,
                    detail: "The column \(column.rawValue) is given twice.")
            }
            positions[column] = index
        }
        for column in CatalogueCSVColumn.allCases where !column.isOptional && positions[column] == nil {
            throw CatalogueCSVError(
                kind: .required, line: record.line, column: nil,
                detail: "The column \(column.rawValue) is missing.")
        }
    }

    /// Converts a row to the equivalent JSON object. Columns missing from the file are omitted.
    func object(of fields: [String]) -> JSONObject {
        JSONObject(
            CatalogueCSVColumn.allCases.compactMap { column in
                guard let position = positions[column] else { return nil }
                return column.value(of: SpreadsheetText.unguarded(fields[position])).map { (column.rawValue, $0) }
            })
    }
}

/// The columns of a catalogue file in output order. The raw value is the name in the header.
enum CatalogueCSVColumn: String, CaseIterable {
    case name
    case slug
    case category
    case typicalAmount = "typical_amount"
    case currency
    case billingCycle = "billing_cycle"
    case website
    case cancelURL = "cancel_url"
    case noticeDays = "notice_days"
    case aliases

    /// Whether a file may omit the column; an import then keeps the value of an existing item.
    var isOptional: Bool { [.website, .cancelURL, .noticeDays, .aliases].contains(self) }

    /// The JSON value of a field. An empty field is null if the item's field is optional, otherwise absent.
    fileprivate func value(of text: String) -> JSONValue? {
        switch self {
        case .name, .slug, .category: return .string(text)
        case .typicalAmount, .currency, .billingCycle: return text.isEmpty ? nil : .string(text)
        case .website, .cancelURL: return text.isEmpty ? .null : .string(text)
        case .noticeDays:
            guard !text.isEmpty else { return .null }
            let isNumber = text.utf8.count <= 9 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            return isNumber ? .number(text) : .string(text)
        case .aliases: return .array(CatalogueAliasList.aliases(in: text).map(JSONValue.string))
        }
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
            }
        self.init(kind: kind, line: failure.line, column: failure.column, detail: detail)
    }
}

extension CatalogueCSVError: CustomStringConvertible {
    package var description: String {
        column.map { "line \(line), column \($0): \(detail)" } ?? "line \(line): \(detail)"
    }
}

/// Encodes several aliases as one text, separated by `|`. In an alias, `|` and `\` are escaped with `\`.
enum CatalogueAliasList {
    static func text(of aliases: [String]) -> String {
        aliases.map(escaped).joined(separator: "|")
    }

    /// Empty for an empty text. A `\` before any other character is literal.
    static func aliases(in text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        var aliases: [String] = []
        var alias = ""
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "|" where !isEscaped:
                aliases.append(alias)
                alias = ""
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "|", "\\":
                alias.unicodeScalars.append(scalar)
            default:
                if isEscaped { alias.append("\\") }
                alias.unicodeScalars.append(scalar)
            }
            isEscaped = false
        }
        if isEscaped { alias.append("\\") }
        return aliases + [alias]
    }

    private static func escaped(_ alias: String) -> String {
        var text = ""
        for scalar in alias.unicodeScalars {
            if scalar == "|" || scalar == "\\" { text.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}

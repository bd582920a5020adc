package import SubGuardDomain
import TextCoding

/// Where each column stands in the rows of one file.
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
        for column in CatalogueCSVColumn.allCases where column.optionalField == nil && positions[column] == nil {
            throw CatalogueCSVError(
                kind: .required, line: record.line, column: nil,
                detail: "The column \(column.rawValue) is missing.")
        }
    }

    /// Fields without a column in the file.
    var missingFields: Set<CatalogueImportRow.OptionalField> {
        Set(CatalogueCSVColumn.allCases.filter { positions[$0] == nil }.compactMap(\.optionalField))
    }

    /// The text of a column, empty where the file has no such column.
    func text(_ column: CatalogueCSVColumn, in fields: [String]) -> String {
        positions[column].map { SpreadsheetText.unguarded(fields[$0]) } ?? ""
    }
}

/// The columns of a catalogue file, in the order in which they are written. The raw value is the name in the header.
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

    /// The field that an import keeps when the file has no such column; nil for a required column.
    var optionalField: CatalogueImportRow.OptionalField? {
        switch self {
        case .website: .website
        case .cancelURL: .cancelURL
        case .noticeDays: .noticeDays
        case .aliases: .aliases
        case .name, .slug, .category, .typicalAmount, .currency, .billingCycle: nil
        }
    }
}

/// Why a CSV file is not a catalogue. Rows with invalid values are reported one by one instead.
package struct CatalogueCSVError: Error, Sendable, Hashable {
    package let kind: FaultCode
    /// Counted from 1.
    package let line: Int
    /// The column, counted from 1; nil when the fault is about the whole row.
    package let column: Int?
    /// One sentence for people.
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

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
                    kind: .unknownColumn, line: record.line, column: index + 1,
                    detail: "No column has this name. The columns are \(known), parted by commas.")
            }
            guard positions[column] == nil else {
                throw CatalogueCSVError(
                    kind: .duplicateColumn, line: record.line, column: index + 1,
                    detail: "The column \(column.rawValue) stands twice.")
            }
            positions[column] = index
        }
        for column in CatalogueCSVColumn.allCases where column.optionalField == nil && positions[column] == nil {
            throw CatalogueCSVError(
                kind: .missingColumn, line: record.line, column: nil,
                detail: "The column \(column.rawValue) is missing.")
        }
    }

    /// Fields of which the file says nothing.
    var missingFields: Set<CatalogueImportRow.OptionalField> {
        Set(CatalogueCSVColumn.allCases.filter { positions[$0] == nil }.compactMap(\.optionalField))
    }

    /// The text of a column, empty where the file has no such column.
    func text(_ column: CatalogueCSVColumn, in fields: [String]) -> String {
        positions[column].map { SpreadsheetText.unguarded(fields[$0]) } ?? ""
    }
}

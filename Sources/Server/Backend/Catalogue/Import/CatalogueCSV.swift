import JSONWire
package import SubGuardDomain
import TextCoding

/// The catalogue as a CSV file (RFC 4180) for spreadsheets. Reading the output of ``write(_:)`` returns equal items.
///
/// Aliases are separated by `|`; in an alias, `|` and `\` are escaped with `\`. The file contains no ids, logos or
/// dates.
package enum CatalogueCSV {
    /// Reads one row per record after the header, whose columns may be in any order. A record with invalid fields
    /// becomes a row with errors; a file with a broken structure throws ``CatalogueCSVError``.
    ///
    /// - Parameter maximumRows: reading stops after the first row beyond this number; that row is returned too.
    package static func parse(
        _ bytes: [UInt8], maximumRows: Int = .max
    ) throws(CatalogueCSVError) -> [CatalogueImportRow] {
        var reader = CSVReader(bytes)
        guard let first = try next(&reader) else {
            throw CatalogueCSVError(kind: .required, line: 1, column: nil, detail: "The file is empty.")
        }
        let header = try CatalogueCSVHeader(first)
        var rows: [CatalogueImportRow] = []
        // Faults beyond the limit of the report are only counted.
        var room = FaultList.maximumFaults
        while rows.count <= maximumRows, let record = try next(&reader) {
            let row = row(record, header, maximumFaults: room)
            if case .unreadable(let errors) = row.content { room -= errors.keptCount }
            rows.append(row)
        }
        return rows
    }

    /// Writes all columns, one row per item, in the order of `items`.
    package static func write(_ items: [CatalogueItem]) -> [UInt8] {
        var writer = CSVWriter()
        writer.record(CatalogueCSVColumn.allCases.map(\.rawValue))
        for item in items {
            writer.record(CatalogueCSVColumn.allCases.map { text($0, of: item) })
        }
        return writer.bytes
    }

    private static func next(_ reader: inout CSVReader) throws(CatalogueCSVError) -> CSVReader.Record? {
        do {
            return try reader.next()
        } catch {
            throw CatalogueCSVError(error)
        }
    }

    private static func row(
        _ record: CSVReader.Record, _ header: CatalogueCSVHeader, maximumFaults: Int
    ) -> CatalogueImportRow {
        let pointer = JSONPointer.root.member("line").element(record.line)
        guard record.fields.count == header.columnCount else {
            return CatalogueImportRow(
                number: record.line, at: pointer, maximumFaults: maximumFaults, .wrongFieldCount,
                "The row has \(record.fields.count) fields, the header \(header.columnCount).")
        }
        return CatalogueImportRow(
            number: record.line, header.object(of: record.fields), at: pointer, maximumFaults: maximumFaults)
    }

    private static func text(_ column: CatalogueCSVColumn, of item: CatalogueItem) -> String {
        switch column {
        case .name: SpreadsheetText.guarded(item.name)
        case .slug: item.slug
        case .category: item.category
        case .typicalAmount: item.typicalAmount.decimal
        case .currency: item.typicalAmount.currency.code
        case .billingCycle: item.billingCycle.wire
        case .website: item.website ?? ""
        case .cancelURL: item.cancelURL ?? ""
        case .noticeDays: item.noticeDays.map(String.init) ?? ""
        case .aliases: SpreadsheetText.guarded(CatalogueAliasList.text(of: item.aliases))
        }
    }
}

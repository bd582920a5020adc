import JSONWire
package import SubGuardDomain
import TextCoding

/// The catalogue as a CSV file (RFC 4180) for spreadsheets. Reading the output of ``write(_:)`` returns equal items.
///
/// Aliases are separated by `|`; in an alias, `|` and `\` are escaped with `\`. The file contains no ids, logos or
/// dates.
package enum CatalogueCSV {
    /// Reads one row per record after the header, whose columns may be in any order, as spreadsheets of any country
    /// write them: UTF-8, UTF-16 or Windows-1252; comma, semicolon or tab; amounts with a decimal comma. Empty rows and
    /// columns are skipped. A record with invalid fields becomes a row with errors; a file with a broken structure
    /// throws ``CatalogueCSVError``.
    ///
    /// - Parameters:
    ///   - maximumRows: reading stops after the first row beyond this number; that row is returned too.
    ///   - ignoring: receives the names of columns that are not known.
    package static func parse(
        _ bytes: [UInt8], maximumRows: Int = .max, ignoring: ([String]) -> Void = { _ in }
    ) throws(CatalogueCSVError) -> [CatalogueImportRow] {
        var reader = CSVReader(detectingSeparator: try text(of: bytes))
        guard let first = try next(&reader) else {
            throw CatalogueCSVError(kind: .required, line: 1, column: nil, detail: "The file is empty.")
        }
        let header = try CatalogueCSVHeader(first)
        ignoring(header.ignored)
        var rows: [CatalogueImportRow] = []
        // Faults beyond the limit of the report are only counted.
        var room = FaultList.maximumFaults
        while rows.count <= maximumRows, let record = try next(&reader) {
            guard !record.fields.allSatisfy(\.isEmpty) else { continue }
            let row = row(record, header, maximumFaults: room)
            if case .unreadable(let errors) = row.content { room -= errors.keptCount }
            rows.append(row)
        }
        return rows
    }

    /// A file in UTF-8.
    package static func text(of bytes: [UInt8]) throws(CatalogueCSVError) -> [UInt8] {
        guard let (text, encoding) = try? StatementEncoding.utf8(bytes, nil) else { return bytes }
        let replacement = Array("\u{FFFD}".utf8)
        if encoding != .utf8, let place = text.firstRange(of: replacement) {
            let line = 1 + text[..<place.lowerBound].count { $0 == UInt8(ascii: "\n") }
            throw CatalogueCSVError(
                kind: .invalidUTF8, line: line, column: nil,
                detail: "The text is neither UTF-8 nor UTF-16 nor Windows-1252.")
        }
        return text
    }

    /// Writes all columns, one row per item, in the order of `items`.
    package static func write(_ items: [CatalogueItem]) -> [UInt8] {
        var writer = CSVWriter()
        writer.record(CatalogueColumn.all.map(\.name))
        for item in items {
            writer.guardedRecord(CatalogueColumn.all.map { $0.text(item.draft) })
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
        // Spreadsheets add separators up to the widest row.
        guard
            record.fields.count == header.columnCount
                || record.fields.count > header.columnCount
                    && record.fields[header.columnCount...].allSatisfy(\.isEmpty)
        else {
            return CatalogueImportRow(
                number: record.line, at: pointer, maximumFaults: maximumFaults, .wrongFieldCount,
                "The row has \(record.fields.count) fields, the header \(header.columnCount).")
        }
        return CatalogueImportRow(
            number: record.line, header.object(of: record.fields), at: pointer, maximumFaults: maximumFaults)
    }
}

package import SubGuardDomain
import TextCoding

/// The first rows of a statement that is a table, for people to say what its columns hold when that cannot be told.
package struct StatementSample: Sendable, Hashable {
    /// One row of the file.
    package struct Row: Sendable, Hashable {
        /// The line of the file, counted from 1.
        package var line: Int
        /// One text for each column, as it can be shown on one line.
        package var cells: [String]
    }

    package var encoding: StatementEncoding
    /// What is known of each column.
    package var fields: [StatementField]
    /// Those of the table, a header among them.
    package var rows: [Row]
    /// The order of the dates; nil when they need none, or no column of dates is known.
    package var dates: StatementDateReading?
}

extension Statement {
    /// The first rows of a CSV file or a workbook, whether its columns are recognised or not. Throws a fault for a file
    /// in another format, and for one without rows.
    ///
    /// - Parameter most: how many.
    package static func sample(
        _ bytes: [UInt8], _ options: StatementOptions = StatementOptions(), rows most: Int = 8
    ) throws(Fault) -> StatementSample {
        guard bytes.count <= maximumBytes else { throw .statementTooLarge }
        if StatementArchive.isArchive(bytes) {
            guard var table = try StatementArchive.table(bytes, options) else { throw .noStatementTable }
            return try table.sample(.utf8, options, most)
        }
        let (text, encoding) = try StatementEncoding.utf8(bytes, options.encoding)
        guard StatementFormat.detect(text) == .csv else { throw .noStatementTable }
        var table = try StatementTable(text, options)
        return try table.sample(encoding, options, most)
    }
}

extension Fault {
    fileprivate static let noStatementTable = Fault("file", .invalidFormat, "The file has no columns.")
}

extension StatementTable {
    fileprivate mutating func sample(
        _ encoding: StatementEncoding, _ options: StatementOptions, _ most: Int
    ) throws(Fault) -> StatementSample {
        // What is missing is why a person is asked.
        let isFound: Void? = try? findColumns()
        let common = commonWidth(of: records)
        let width = max(columns.fields.count, common)
        let start = layout.headerLine ?? rows.first?.line ?? 0
        let table = records.filter { $0.line >= start && $0.fields.count > 1 && $0.fields.count <= width }
        guard let first = table.first else { throw .noStatementTable }
        var fields = columns.fields
        if isFound == nil, fields.count != width {
            fields = StatementColumns(header: first.fields, mapping: mapping).fields
        }
        while fields.count < width { fields.append(.ignore) }
        let rows = table.prefix(most).map { record in
            let missing = Array(repeating: "", count: width - record.fields.count)
            return StatementSample.Row(
                line: record.line, cells: record.fields.map { RefusedBooking.shown($0) } + missing)
        }
        return StatementSample(
            encoding: encoding, fields: fields, rows: rows, dates: dateEvidence().reading(options))
    }
}

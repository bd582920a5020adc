import TextCoding

/// The first rows of a CSV statement, for people to say what its columns hold when that cannot be told.
public struct StatementSample: Sendable, Hashable {
    public struct Row: Sendable, Hashable {
        /// The line of the file, counted from 1.
        public var line: Int
        /// One text for each column, as it can be shown on one line.
        public var cells: [String]
    }

    public var encoding: StatementEncoding
    /// What is known of each column.
    public var fields: [StatementField]
    /// Those of the table, a header among them.
    public var rows: [Row]
    /// The order of the dates; nil when they need none, or no column of dates is known.
    public var dates: StatementDateReading?
}

extension Statement {
    /// The first rows of a CSV file, whether its columns are recognised or not. Throws a fault for a file in another
    /// format, and for one without rows.
    ///
    /// - Parameter rows: how many.
    public static func sample(
        _ bytes: [UInt8], _ options: StatementOptions = StatementOptions(), rows most: Int = 8
    ) throws(Fault) -> StatementSample {
        guard bytes.count <= maximumBytes else {
            throw Fault("file", .outOfRange, "Must have at most \(maximumBytes >> 20) MB.")
        }
        let (text, encoding) = try StatementEncoding.utf8(bytes, options.encoding)
        var statement = Statement(format: StatementFormat.detect(text), encoding: encoding)
        guard statement.format == .csv else { throw .noStatementTable }
        var table = try StatementTable(text, options, &statement)
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
        // A header may have more fields than its rows.
        let table = records.filter { $0.fields.count == width || $0.fields.count == common }
        guard width > 1, let first = table.first else { throw .noStatementTable }
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

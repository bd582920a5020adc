/// Splits comma-separated text into records after RFC 4180.
///
/// Lines end in CR LF or LF; a byte order mark at the start is passed over, and so are empty lines. Quotation marks must
/// enclose a whole field: where they do not, the file is not what it looks like, and guessing would shift columns.
struct CSVReader {
    struct Record: Equatable {
        /// The line on which the record begins, counted from 1.
        let line: Int
        let fields: [String]
    }

    struct Failure: Error, Equatable {
        enum Kind: Equatable {
            case invalidUTF8
            case unterminatedQuote
            case misplacedQuote
        }

        let kind: Kind
        /// Counted from 1.
        let line: Int
        /// The field of the record, counted from 1.
        let column: Int
    }

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The next record, or nil at the end.
    mutating func next() throws(Failure) -> Record? {
        while position < bytes.count {
            let start = line
            let isEmptyLine = endsLine
            let fields = try readFields()
            if !isEmptyLine { return Record(line: start, fields: fields) }
        }
        return nil
    }

    private mutating func readFields() throws(Failure) -> [String] {
        var fields: [String] = []
        while true {
            let column = fields.count + 1
            let isQuoted = position < bytes.count && bytes[position] == Self.quote
            fields.append(isQuoted ? try readQuoted(column) : try readPlain(column))
            guard position < bytes.count else { return fields }
            if bytes[position] == Self.comma {
                position += 1
                continue
            }
            position += bytes[position] == Self.carriageReturn ? 2 : 1
            line += 1
            return fields
        }
    }

    private mutating func readPlain(_ column: Int) throws(Failure) -> String {
        let start = position
        while position < bytes.count, bytes[position] != Self.comma, !endsLine {
            guard bytes[position] != Self.quote else { throw failure(.misplacedQuote, column) }
            position += 1
        }
        return try text(bytes[start..<position], column)
    }

    private mutating func readQuoted(_ column: Int) throws(Failure) -> String {
        let startLine = line
        var content: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == Self.lineFeed { line += 1 }
            guard byte == Self.quote else {
                content.append(byte)
                continue
            }
            guard position < bytes.count, bytes[position] == Self.quote else {
                guard position == bytes.count || bytes[position] == Self.comma || endsLine else {
                    throw failure(.misplacedQuote, column)
                }
                return try text(content[...], column)
            }
            content.append(Self.quote)
            position += 1
        }
        throw Failure(kind: .unterminatedQuote, line: startLine, column: column)
    }

    private var endsLine: Bool {
        if bytes[position] == Self.lineFeed { return true }
        return bytes[position] == Self.carriageReturn && position + 1 < bytes.count
            && bytes[position + 1] == Self.lineFeed
    }

    private func text(_ content: ArraySlice<UInt8>, _ column: Int) throws(Failure) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw failure(.invalidUTF8, column) }
        return text
    }

    private func failure(_ kind: Failure.Kind, _ column: Int) -> Failure {
        Failure(kind: kind, line: line, column: column)
    }
}

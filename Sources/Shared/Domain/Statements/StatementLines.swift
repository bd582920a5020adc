import TextCoding

/// The records of a CSV text; after a damaged one, reading goes on at the next line.
struct StatementLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private let separator: UInt8
    private var reader: CSVReader
    /// Lines before those of the reader.
    private var skippedLines = 0
    private var failures = 0
    /// Every failure costs a copy of the rest, so that a file of nothing else must not be read to its end.
    static let maximumFailures = 20

    init(_ bytes: [UInt8], separator: UInt8) {
        self.bytes = bytes
        self.separator = separator
        reader = CSVReader(bytes, separator: separator)
    }

    mutating func next() -> Result<CSVReader.Record, CSVReader.Failure>? {
        guard failures <= Self.maximumFailures else { return nil }
        do {
            guard let record = try reader.next() else { return nil }
            return .success(CSVReader.Record(line: record.line + skippedLines, fields: record.fields))
        } catch {
            failures += 1
            let line = error.line + skippedLines
            restart(afterLine: line)
            return .failure(CSVReader.Failure(kind: error.kind, line: line, column: error.column))
        }
    }

    private mutating func restart(afterLine line: Int) {
        var (position, passed) = (0, 0)
        while position < bytes.count, passed < line {
            if bytes[position] == 0x0A || bytes[position] == 0x0D {
                passed += 1
                if bytes[position] == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A { position += 1 }
            }
            position += 1
        }
        skippedLines = line
        reader = CSVReader(Array(bytes[position...]), separator: separator)
    }
}

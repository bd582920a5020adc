import TestKit
import Testing
import TextCoding

struct CSVReaderTests {
    private func records(_ text: String) throws -> [CSVReader.Record] {
        var reader = CSVReader(Array(text.utf8))
        return try reader.records()
    }

    @Test func readsQuotedFieldsWithCommasQuotesAndLineEnds() throws {
        let found = try records("a,\"b,c\",\"say \"\"hi\"\"\"\r\n\"two\r\nlines\",,🎬\r\nlast,,")
        #expect(
            found == [
                CSVReader.Record(line: 1, fields: ["a", "b,c", "say \"hi\""]),
                CSVReader.Record(line: 2, fields: ["two\r\nlines", "", "🎬"]),
                CSVReader.Record(line: 4, fields: ["last", "", ""]),
            ])
    }

    @Test func passesOverAByteOrderMarkAndEmptyLines() throws {
        let found = try records("\u{FEFF}a,b\n\n\r\n1,\"\"\n")
        #expect(
            found == [
                CSVReader.Record(line: 1, fields: ["a", "b"]), CSVReader.Record(line: 4, fields: ["1", ""]),
            ])
        #expect(try records("").isEmpty)
        #expect(try records("\u{FEFF}").isEmpty)
        #expect(try records("\"\"") == [CSVReader.Record(line: 1, fields: [""])])
    }

    @Test(arguments: [
        ("a,b\n1,\"open\nand more", CSVReader.Failure.Kind.unterminatedQuote, 2, 2),
        ("a\nx\"y\n", .misplacedQuote, 2, 1),
        ("a,b,c\n1,2,\"x\"y", .misplacedQuote, 2, 3),
    ])
    func namesLineAndColumnOfAMisusedQuote(
        text: String, kind: CSVReader.Failure.Kind, line: Int, column: Int
    ) {
        #expect(throws: CSVReader.Failure(kind: kind, line: line, column: column)) { try records(text) }
    }

    @Test func refusesLongRunsOfMarksAndFlags() throws {
        let flags = String(repeating: "🇫🇷", count: 32)
        #expect(try records("a,\(flags)").first?.fields == ["a", flags])
        for cell in [flags + "\u{1F1E6}", "\"\(flags)🇫🇷\"", "e" + String(repeating: "\u{301}", count: 256)] {
            #expect(throws: CSVReader.Failure(kind: .longRun, line: 2, column: 2)) { try records("a,b\n1,\(cell)\n") }
        }
    }

    /// Both readings have three fields in each record.
    @Test func aMarkThatStandsAloneDoesNotJoinWholeRecords() throws {
        let text = "1;\"a;b\n2;c;d\n3;e\";f\n4;\"g\nh\";i\n"
        var reader = CSVReader(Array(text.utf8), separator: UInt8(ascii: ";"), isLenient: true)
        reader.widths = [3]
        #expect(
            try reader.records().map(\.fields) == [
                ["1", "\"a", "b"], ["2", "c", "d"], ["3", "e\"", "f"], ["4", "g\nh", "i"],
            ])
        #expect(reader.brokenLines == [4])
    }

    @Test func refusesTextThatIsNotUTF8() {
        var reader = CSVReader([0x61, 0x0A, 0x62, 0x2C, 0xC3, 0x28])
        #expect(throws: CSVReader.Failure(kind: .invalidUTF8, line: 2, column: 2)) {
            while try reader.next() != nil {}
        }
    }

    @Test(arguments: [
        ("a,b\r\n1,\"x,\"\"y\"\"\"\r\n", [["a", "b"], ["1", "x,\"y\""]]),
        ("\u{FEFF}a;b\n1,5;2\n\n", [["a", "b"], ["1,5", "2"]]),
        ("a\tb\r1\t\"l1\nl2\"", [["a", "b"], ["1", "l1\nl2"]]),
        ("\"a;b\",c\n,\n", [["a;b", "c"], ["", ""]]), ("", []),
    ])
    func detectsTheSeparatorOfSpreadsheets(_ text: String, _ expected: [[String]]) throws {
        var reader = CSVReader(detectingSeparator: Array(text.utf8))
        #expect(try reader.records().map(\.fields) == expected)
    }

    @Test func guardedRecordsAreReadBackAndRunNoFormula() throws {
        var random = SeededRandom(seed: 13)
        let pieces = [
            "=1+1", "'", "a", "\"", ",", ";", "\n", "\r\n", "é", "🎉", "-3", "@x", "\t", "+", "\"\u{301}", "\u{301}",
        ]
        for _ in 0..<2000 {
            let rows = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<3).map { _ in
                    (0..<Int.random(in: 0...3, using: &random)).map { _ in
                        pieces[Int.random(in: pieces.indices, using: &random)]
                    }.joined()
                }
            }
            var writer = CSVWriter()
            for row in rows { writer.guardedRecord(row) }
            var reader = CSVReader(writer.bytes)
            let read = try reader.records().map(\.fields)
            #expect(read.map { $0.map(SpreadsheetText.unguarded) } == rows)
            #expect(read.allSatisfy { $0.allSatisfy { !"=+-@\t\r".utf8.contains($0.utf8.first ?? 0x61) } })
        }
    }

    @Test func readsBackWhatTheWriterWrites() throws {
        let fields = ["", " ", "a,b", "\"", "x\ny", "x\r\ny", "é🎬", "'", "12.34"]
        var writer = CSVWriter()
        writer.record(fields)
        writer.record(fields.reversed())
        let found = try records(String(decoding: writer.bytes, as: UTF8.self))
        #expect(found.map(\.fields) == [fields, fields.reversed()])
    }
}

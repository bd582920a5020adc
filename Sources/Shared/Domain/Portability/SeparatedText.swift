/// Reads text of separated values after RFC 4180, as spreadsheets of several countries write it.
///
/// The separator is a comma, a semicolon or a tab, whichever the header has most of outside of quotation marks. Lines
/// end in CR LF, LF or CR; a byte order mark and empty lines are passed over.
public struct SeparatedText: Sendable, Hashable {
    public struct Record: Sendable, Hashable {
        /// The line on which the record begins, counted from 1.
        public var line: Int
        public var fields: [String]
    }

    /// The text is not what it looks like; guessing would shift columns.
    public struct Failure: Error, Sendable, Hashable {
        public var kind: FaultCode
        public var line: Int

        public init(kind: FaultCode, line: Int) {
            self.kind = kind
            self.line = line
        }
    }

    public let records: [Record]
    public let separator: UInt8

    /// - Parameter separator: nil to find it out.
    public init(_ bytes: [UInt8], separator: UInt8? = nil) throws(Failure) {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let separator = separator ?? Self.separator(of: bytes[start...])
        self.separator = separator
        var scanner = Scanner(bytes: bytes, position: start, separator: separator)
        records = try scanner.records()
    }

    private static func separator(of bytes: ArraySlice<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        return candidates.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? candidates[0]
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position: Int
        let separator: UInt8
        var line = 1

        init(bytes: [UInt8], position: Int, separator: UInt8) {
            self.bytes = bytes
            self.position = position
            self.separator = separator
        }

        mutating func records() throws(Failure) -> [Record] {
            var records: [Record] = []
            while position < bytes.count {
                let start = line
                let fields = try readRecord()
                if fields != [""] { records.append(Record(line: start, fields: fields)) }
            }
            return records
        }

        private mutating func readRecord() throws(Failure) -> [String] {
            var fields: [String] = []
            while true {
                let isQuoted = position < bytes.count && bytes[position] == UInt8(ascii: "\"")
                fields.append(isQuoted ? try readQuoted() : try readPlain())
                guard position < bytes.count else { return fields }
                let byte = bytes[position]
                position += 1
                if byte == separator { continue }
                if byte == UInt8(ascii: "\r"), position < bytes.count, bytes[position] == UInt8(ascii: "\n") {
                    position += 1
                }
                line += 1
                return fields
            }
        }

        private func ends(_ byte: UInt8) -> Bool {
            byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        }

        private mutating func readPlain() throws(Failure) -> String {
            let start = position
            while position < bytes.count, !ends(bytes[position]) {
                guard bytes[position] != UInt8(ascii: "\"") else { throw Failure(kind: .misplacedQuote, line: line) }
                position += 1
            }
            return try text(bytes[start..<position])
        }

        private mutating func readQuoted() throws(Failure) -> String {
            let startLine = line
            var content: [UInt8] = []
            position += 1
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                if byte == UInt8(ascii: "\n") { line += 1 }
                guard byte == UInt8(ascii: "\"") else {
                    content.append(byte)
                    continue
                }
                if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
                    content.append(byte)
                    position += 1
                    continue
                }
                guard position == bytes.count || ends(bytes[position]) else {
                    throw Failure(kind: .misplacedQuote, line: line)
                }
                return try text(content[...])
            }
            throw Failure(kind: .unterminatedQuote, line: startLine)
        }

        private func text(_ content: ArraySlice<UInt8>) throws(Failure) -> String {
            // Invalid bytes come out replaced. `String(validating:as:)` needs iOS 18.
            let text = String(decoding: content, as: UTF8.self)
            guard text.utf8.elementsEqual(content) else { throw Failure(kind: .invalidUTF8, line: line) }
            return text
        }
    }

    /// Writes records with commas and CR LF, quoting what needs it, with an apostrophe before what a spreadsheet would
    /// run as a formula. ``unguarded(_:)`` takes that off again.
    public static func write(_ records: [[String]]) -> String {
        records.map { $0.map { quoted(guarded($0)) }.joined(separator: ",") + "\r\n" }.joined()
    }

    private static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { ",\"\n\r;\t".utf8.contains($0) }) else { return field }
        // By scalars: with a combining mark behind it, a quotation mark is no character of its own.
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in field.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }

    public static func guarded(_ value: String) -> String { looksLikeFormula(value) ? "'" + value : value }

    public static func unguarded(_ value: String) -> String {
        value.utf8.first == UInt8(ascii: "'") && looksLikeFormula(value) ? String(value.dropFirst()) : value
    }

    /// Also behind apostrophes, so that taking one off gives back exactly what was there.
    private static func looksLikeFormula(_ value: String) -> Bool {
        switch value.utf8.first(where: { $0 != UInt8(ascii: "'") }) {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
        default: false
        }
    }
}

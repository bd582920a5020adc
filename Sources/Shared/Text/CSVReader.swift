/// Reads CSV (RFC 4180), one record at a time.
///
/// Lines end in CR LF, LF or CR; a byte order mark at the start and empty lines are skipped. Quotation marks must
/// enclose a whole field; elsewhere they are an error, because the columns would be unreliable. A lenient reader takes
/// them as they stand instead, as many banks write them: `CHEZ "PAUL" LYON`, `"5 SENS`. A later mark must not make one
/// field of several records then, see ``widths``.
package struct CSVReader {
    package struct Record: Sendable, Equatable {
        /// The line on which the record begins, counted from 1.
        package let line: Int
        package let fields: [String]

        package init(line: Int, fields: [String]) {
            self.line = line
            self.fields = fields
        }
    }

    package struct Failure: Error, Sendable, Equatable {
        /// The raw value is the code of the fault.
        package enum Kind: String, Sendable {
            case invalidUTF8 = "invalid_utf8"
            case unterminatedQuote = "unterminated_quote"
            case misplacedQuote = "misplaced_quote"
            /// ``CharacterRuns`` that are too long.
            case longRun = "too_many_marks"
        }

        package let kind: Kind
        /// Counted from 1.
        package let line: Int
        /// The field of the record, counted from 1.
        package let column: Int

        package init(kind: Kind, line: Int, column: Int) {
            self.kind = kind
            self.line = line
            self.column = column
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let bytes: [UInt8]
    private let separator: UInt8
    private let isLenient: Bool
    /// How many fields a whole record may have. A lenient reader takes a mark as it stands when the field would go on
    /// on another line although both lines are whole records by themselves. Empty for unknown.
    package var widths: Set<Int> = []
    /// The lines on which records begin that have a field of several lines; only a lenient reader tells.
    package private(set) var brokenLines: [Int] = []
    private var isBroken = false
    private var position = 0
    /// Where the record begins that is being read.
    private var recordStart = 0
    private var line = 1
    /// Bytes that were searched for a closing mark in vain; beyond the length of the text, none is searched for.
    private var searched = 0
    /// Bytes of lines whose fields were counted; beyond four times the length of the text, none are.
    private var counted = 0

    package init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ","), isLenient: Bool = false) {
        self.bytes = bytes
        self.separator = separator
        self.isLenient = isLenient
        position = bytes.withoutByteOrderMark.startIndex
    }

    /// Detects the separator of spreadsheets from several countries: the one that a first line such as `sep=;` names,
    /// which Excel writes and which is not a record; else the most frequent of comma, semicolon and tab outside
    /// quotation marks in the first line, or a comma if there is none.
    package init(detectingSeparator bytes: [UInt8]) {
        if let (separator, end) = Self.named(in: bytes) {
            self.init(bytes, separator: separator)
            position = end
            line = 2
            return
        }
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == Self.quote { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == Self.lineFeed || byte == Self.carriageReturn { break }
            counts[byte, default: 0] += 1
        }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let best = candidates.max { counts[$0, default: 0] < counts[$1, default: 0] }
        self.init(bytes, separator: best ?? candidates[0])
    }

    /// The separator in a first line such as `sep=;`, with or without quotation marks around it, and the line's end.
    package static func named(in bytes: [UInt8]) -> (separator: UInt8, end: Int)? {
        let head = bytes.withoutByteOrderMark.prefix(10)
        let end = head.firstIndex { $0 == lineFeed || $0 == carriageReturn } ?? head.endIndex
        let line = head[..<end].filter { $0 != quote }
        guard line.count == 5, String(decoding: line[..<4], as: UTF8.self).lowercased() == "sep=" else { return nil }
        let isPair = bytes[end...].starts(with: [carriageReturn, lineFeed])
        return (line[4], min(end + (isPair ? 2 : 1), bytes.count))
    }

    /// The next record, or nil at the end.
    package mutating func next() throws(Failure) -> Record? {
        while position < bytes.count {
            let start = line
            recordStart = position
            let isEmptyLine = endsLine
            let fields = try readFields()
            if isBroken { brokenLines.append(start) }
            isBroken = false
            if !isEmptyLine { return Record(line: start, fields: fields) }
        }
        return nil
    }

    /// All remaining records.
    package mutating func records() throws(Failure) -> [Record] {
        var records: [Record] = []
        while let record = try next() { records.append(record) }
        return records
    }

    private mutating func readFields() throws(Failure) -> [String] {
        var fields: [String] = []
        while true {
            let column = fields.count + 1
            let isQuoted =
                position < bytes.count && bytes[position] == Self.quote && (!isLenient || closes(after: fields.count))
            fields.append(isQuoted ? try readQuoted(column) : try readPlain(column))
            guard position < bytes.count else { return fields }
            let byte = bytes[position]
            position += 1
            if byte == separator { continue }
            if byte == Self.carriageReturn, position < bytes.count, bytes[position] == Self.lineFeed { position += 1 }
            line += 1
            return fields
        }
    }

    private mutating func readPlain(_ column: Int) throws(Failure) -> String {
        let start = position
        while position < bytes.count, bytes[position] != separator, !endsLine {
            guard isLenient || bytes[position] != Self.quote else { throw failure(.misplacedQuote, column) }
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
                guard isLenient || isAtEndOfField(position) else { throw failure(.misplacedQuote, column) }
                guard isAtEndOfField(position) else {
                    content.append(byte)
                    continue
                }
                isBroken = isBroken || (isLenient && content.contains(where: Self.endsLine))
                return try text(content[...], column)
            }
            content.append(Self.quote)
            position += 1
        }
        throw Failure(kind: .unterminatedQuote, line: startLine, column: column)
    }

    private func isAtEndOfField(_ place: Int) -> Bool {
        guard place < bytes.count else { return true }
        return bytes[place] == separator || bytes[place] == Self.lineFeed || bytes[place] == Self.carriageReturn
    }

    /// Whether the mark at the position encloses a field: another one ends it before a further field begins with one.
    ///
    /// - Parameter fields: those of the record before it.
    private mutating func closes(after fields: Int) -> Bool {
        guard searched <= bytes.count else { return false }
        var place = position + 1
        let end = min(bytes.count, position + Self.longestField)
        var isRecord: Bool?
        while place < end {
            if !widths.isEmpty, isLineEnd(place) {
                let isPair = bytes[place...].starts(with: [Self.carriageReturn, Self.lineFeed])
                let isWhole = isRecord ?? widths.contains(fields + width(from: position + 1, isPlain: true))
                isRecord = isWhole
                place += isPair ? 2 : 1
                if isWhole, counted > bytes.count * 4 || beginsRecord(place) { break }
                continue
            }
            guard bytes[place] == Self.quote else {
                place += 1
                continue
            }
            if place + 1 < bytes.count, bytes[place + 1] == Self.quote {
                place += 2
            } else if isAtEndOfField(place + 1) {
                return true
            } else if place > position + 1, isAtEndOfField(place - 1) {
                break
            } else {
                place += 1
            }
        }
        searched += place - position
        return false
    }

    /// Whether a line may be a record by itself: it has as many fields, and begins with a digit if the one before does.
    private mutating func beginsRecord(_ place: Int) -> Bool {
        beginsWithDigit(place) == beginsWithDigit(recordStart) && widths.contains(width(from: place))
    }

    private func beginsWithDigit(_ place: Int) -> Bool {
        let isQuoted = place < bytes.count && bytes[place] == Self.quote
        let first = isQuoted ? place + 1 : place
        return first < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[first])
    }

    /// The number of fields up to the end of the line, if none of them goes on on another line.
    ///
    /// - Parameter isPlain: whether it begins within a field without marks.
    private mutating func width(from start: Int, isPlain: Bool = false) -> Int {
        var (place, fields) = (start, 1)
        var isStart = !isPlain
        // Where one mark finds no end, the later ones of the line do not either.
        var mayClose = true
        while place < bytes.count, !isLineEnd(place) {
            if isStart, mayClose, bytes[place] == Self.quote {
                if let end = closing(place) {
                    (place, isStart) = (end, false)
                    continue
                }
                mayClose = false
            }
            isStart = bytes[place] == separator
            if isStart { fields += 1 }
            place += 1
        }
        counted += place - start
        return fields
    }

    /// The place after the mark that ends the field that begins at `start`, on the same line; nil without any.
    private func closing(_ start: Int) -> Int? {
        var place = start + 1
        while place < bytes.count, !isLineEnd(place) {
            guard bytes[place] == Self.quote else {
                place += 1
                continue
            }
            if place + 1 < bytes.count, bytes[place + 1] == Self.quote {
                place += 2
            } else if isAtEndOfField(place + 1) {
                return place + 1
            } else {
                place += 1
            }
        }
        return nil
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }

    private func isLineEnd(_ place: Int) -> Bool { Self.endsLine(bytes[place]) }

    private static let longestField = 64 << 10

    private var endsLine: Bool { isLineEnd(position) }

    private func text(_ content: ArraySlice<UInt8>, _ column: Int) throws(Failure) -> String {
        // Invalid bytes are replaced. `String(validating:as:)` needs iOS 18.
        let text = String(decoding: content, as: UTF8.self)
        guard text.utf8.elementsEqual(content) else { throw failure(.invalidUTF8, column) }
        guard content.count < CharacterRuns.fewestBytes || !content.withUnsafeBytes(CharacterRuns.areTooLong) else {
            throw failure(.longRun, column)
        }
        return text
    }

    private func failure(_ kind: Failure.Kind, _ column: Int) -> Failure {
        Failure(kind: kind, line: line, column: column)
    }
}

extension [UInt8] {
    /// U+FEFF in UTF-8, by which Excel recognises the encoding.
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    package var withoutByteOrderMark: ArraySlice<UInt8> { dropFirst(starts(with: Self.byteOrderMark) ? 3 : 0) }
}

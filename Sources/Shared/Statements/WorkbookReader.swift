import SubGuardDomain
import TextCoding

/// Reads workbooks of Office Open XML (ECMA-376) as tables: shared and own strings, numbers, and dates, which are
/// numbers with the format of a date.
struct WorkbookReader {
    private static let maximumColumns = 256
    private static let maximumCells = 4 << 20

    private var strings: [String] = []
    /// Whether each style formats a number as a date.
    private var areDates: [Bool] = []
    /// Days are counted from 1904, as on old Macs, instead of 1900.
    private var isFrom1904 = false
    /// Of the texts of all cells. Any number of them may name one shared text.
    private var octets = 0

    /// The first visible sheet with the columns of a statement, with a note on further ones; else throws what is
    /// missing in the longest one.
    static func table(_ files: inout StatementArchive.Files, _ options: StatementOptions) throws(Fault)
        -> StatementTable
    {
        var reader = WorkbookReader()
        let sheets = try reader.sheets(&files)
        if let shared = try files.optional("xl/sharedStrings.xml") { try reader.readStrings(shared) }
        if let styles = try files.optional("xl/styles.xml") { try reader.readStyles(styles) }
        var longest: StatementTable?
        var missing: [String] = []
        for (place, name) in sheets.map(\.file).enumerated() where !sheets[place].isHidden {
            guard let sheet = try files.optional(name) else {
                missing.append(name)
                continue
            }
            let records = try reader.records(sheet)
            guard !records.isEmpty else { continue }
            var table = try StatementTable(records, options, separator: UInt8(ascii: "\t"))
            if Self.isStatement(table) {
                if let note = reader.note(unread: sheets[(place + 1)...], &files, options) { table.note(note) }
                return table
            }
            if longest.map({ $0.records.count < records.count }) ?? true { longest = table }
        }
        if longest == nil, let name = missing.first {
            throw Fault(
                "file", .invalidFormat,
                "The workbook is damaged: it names the sheet \(RefusedBooking.shown(name)) and does not have it.")
        }
        guard let longest else { throw Fault("file", .required, "The workbook has no filled cell.") }
        return longest
    }

    private static func isStatement(_ table: StatementTable) -> Bool {
        var table = table
        let isFound: Void? = try? table.findColumns()
        return isFound != nil && !table.rows.isEmpty
    }

    /// Names the sheets that are not read although they have the columns of a statement, or cannot be read.
    private mutating func note(
        unread sheets: ArraySlice<Sheet>, _ files: inout StatementArchive.Files, _ options: StatementOptions
    ) -> Sentence? {
        var names: [String] = []
        for sheet in sheets where !sheet.isHidden {
            do throws(Fault) {
                guard let xml = try files.optional(sheet.file) else { continue }
                let records = try records(xml)
                guard !records.isEmpty else { continue }
                let table = try StatementTable(records, options, separator: UInt8(ascii: "\t"))
                if Self.isStatement(table) { names.append(sheet.name) }
            } catch {
                names.append(sheet.name)
            }
        }
        guard !names.isEmpty else { return nil }
        let shown = (names.prefix(20).map { RefusedBooking.shown($0) } + (names.count > 20 ? ["…"] : []))
            .joined(separator: ", ")
        return "Other sheets of the workbook were not read: \(shown)."
    }

    private struct Sheet {
        var file: String
        var name: String
        var isHidden: Bool
    }

    /// The sheets in the order in which they are shown.
    private mutating func sheets(_ files: inout StatementArchive.Files) throws(Fault) -> [Sheet] {
        var targets: [String: String] = [:]
        if let relations = try files.optional("xl/_rels/workbook.xml.rels") {
            var markup = MarkupReader(relations, attributes: ["Id", "Target"])
            while let event = try markup.next() {
                guard case .start("Relationship", _) = event, let id = markup.attributes[0],
                    let target = markup.attributes[1]
                else { continue }
                targets[id] = target.hasPrefix("/") ? String(target.dropFirst()) : "xl/" + target
            }
        }
        var sheets: [Sheet] = []
        var markup = MarkupReader(
            try files.content("xl/workbook.xml"), attributes: ["r:id", "date1904", "name", "state"])
        while let event = try markup.next() {
            guard case .start(let name, _) = event else { continue }
            if name == "workbookPr" { isFrom1904 = ["1", "true"].contains(markup.attributes[1]) }
            if name == "sheet", sheets.count < 100 {
                let file = markup.attributes[0].flatMap { targets[$0] } ?? "xl/worksheets/sheet\(sheets.count + 1).xml"
                if !sheets.contains(where: { $0.file == file }) {
                    let isHidden = ["hidden", "veryHidden"].contains(markup.attributes[3])
                    sheets.append(Sheet(file: file, name: markup.attributes[2] ?? file, isHidden: isHidden))
                }
            }
        }
        return sheets
    }

    private mutating func readStrings(_ xml: [UInt8]) throws(Fault) {
        var markup = MarkupReader(xml)
        var text = ""
        var isString = false
        var isText = false
        var isPhonetic = false
        while let event = try markup.next() {
            switch event {
            case .start("si", _): (text, isString) = ("", true)
            case .end("si"):
                strings.append(Statement.shortened(try Self.checked(text)))
                isString = false
            case .start("t", _): isText = true
            case .end("t"): isText = false
            case .start("rPh", _): isPhonetic = true
            case .end("rPh"): isPhonetic = false
            case .text(let part) where isString && isText && !isPhonetic: try Self.add(part, to: &text)
            default: break
            }
        }
    }

    /// Adds one of the parts into which formats divide a text. Any number of cells may name one shared text.
    private static func add(_ part: String, to text: inout String) throws(Fault) {
        guard text.utf8.count + part.utf8.count <= MarkupReader.maximumTextBytes else {
            throw Fault("file", .outOfRange, "A cell has more than \(MarkupReader.maximumTextBytes >> 10) KB.")
        }
        text += part
    }

    /// Each part has few combining marks, but not what they are together.
    private static func checked(_ text: String) throws(Fault) -> String {
        var text = text
        guard !text.withUTF8({ CharacterRuns.areTooLong(in: UnsafeRawBufferPointer($0)) }) else {
            throw .tooManyStatementMarks
        }
        return text
    }

    private mutating func readStyles(_ xml: [UInt8]) throws(Fault) {
        var markup = MarkupReader(xml, attributes: ["numFmtId", "formatCode"])
        var dateFormats: Set<Int> = Set(14...22).union(27...36).union(45...47).union(50...58)
        var areCells = false
        while let event = try markup.next() {
            switch event {
            case .start("numFmt", _):
                guard let id = markup.attributes[0].flatMap({ Int($0) }) else { continue }
                if Self.isDateFormat(markup.attributes[1] ?? "") { dateFormats.insert(id) }
            case .start("cellXfs", _): areCells = true
            case .end("cellXfs"): areCells = false
            case .start("xf", _) where areCells:
                areDates.append(markup.attributes[0].flatMap { Int($0) }.map(dateFormats.contains) ?? false)
            default: break
            }
        }
    }

    /// `dd/mm/yyyy`, but not `0.00 "EUR"`, and no time alone.
    private static func isDateFormat(_ code: String) -> Bool {
        var isQuoted = false
        var isBracketed = false
        var letters: Set<Character> = []
        for character in code.lowercased() {
            switch character {
            case "\"": isQuoted.toggle()
            case "[": isBracketed = true
            case "]": isBracketed = false
            default: if !isQuoted, !isBracketed { letters.insert(character) }
            }
        }
        return !letters.isDisjoint(with: ["d", "y"])
    }

    // MARK: Cells

    private mutating func records(_ xml: [UInt8]) throws(Fault) -> [CSVReader.Record] {
        var markup = MarkupReader(xml, attributes: ["r", "t", "s"])
        var records: [CSVReader.Record] = []
        var row: [String] = []
        var line = 0
        var cells = 0
        var kind = ""
        var style: Int?
        var column = 0
        var text = ""
        var isValue = false
        while let event = try markup.next() {
            switch event {
            case .start("row", _):
                row = []
                line = max(line + 1, markup.attributes[0].flatMap { Int($0.prefix(7)) } ?? 0)
            case .end("row"):
                guard row.contains(where: { !$0.isEmpty }) else { continue }
                cells += row.count
                guard records.count < Statement.maximumBookings, cells <= Self.maximumCells else {
                    throw .tooManyStatementEntries
                }
                records.append(CSVReader.Record(line: line, fields: row))
            case .start("c", _):
                column = markup.attributes[0].flatMap(Self.column) ?? row.count
                kind = markup.attributes[1] ?? "n"
                style = markup.attributes[2].flatMap { Int($0) }
                text = ""
            case .end("c"):
                let value = try Self.checked(value(Statement.shortened(text), kind, style))
                guard !value.isEmpty, column < Self.maximumColumns else { continue }
                octets += value.utf8.count
                guard octets <= Statement.maximumBytes else { throw .statementTooLarge }
                while row.count <= column { row.append("") }
                row[column] = value
            case .start("v", _), .start("t", _): isValue = true
            case .end("v"), .end("t"): isValue = false
            case .text(let part) where isValue: try Self.add(part, to: &text)
            default: break
            }
        }
        return records
    }

    private func value(_ text: String, _ kind: String, _ style: Int?) -> String {
        switch kind {
        case "s":
            guard let place = Int(text), strings.indices.contains(place) else { return "" }
            return strings[place]
        case "n":
            guard let style, areDates.indices.contains(style), areDates[style], let serial = Double(text) else {
                return Self.number(text)
            }
            return day(serial) ?? text
        case "e": return ""
        default: return text
        }
    }

    /// Counted from the last day but one of 1899: the programs take 1900 for a leap year.
    private func day(_ serial: Double) -> String? {
        guard serial >= 1, serial < 100_000, let start = CalendarDay(iso: isFrom1904 ? "1904-01-01" : "1899-12-30")
        else { return nil }
        return start.adding(days: Int(serial)).iso
    }

    /// `13.490000000000002` is 13.49.
    private static func number(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
        guard !isPlain, let number = Double(text), abs(number) < 100_000_000_000 else { return text }
        let scaled = Int64((abs(number) * 10_000).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: 10_000)
        var decimals = String(String(10_000 + rest).dropFirst())
        while decimals.count > 2, decimals.hasSuffix("0") { decimals.removeLast() }
        return (number < 0 && scaled > 0 ? "-" : "") + "\(whole).\(decimals)"
    }

    /// From 0: `C12` is in column 2.
    private static func column(_ reference: String) -> Int? {
        var column = 0
        for byte in reference.utf8.prefix(4) {
            guard (0x41...0x5A).contains(byte) else { break }
            column = column * 26 + Int(byte - 0x40)
        }
        return column == 0 ? nil : column - 1
    }
}

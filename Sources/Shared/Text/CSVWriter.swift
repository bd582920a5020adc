/// Writes CSV (RFC 4180) with commas and CR LF. A field with a semicolon or a tab is quoted too, because some
/// spreadsheets take those for separators.
package struct CSVWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func record(_ fields: [String]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(field)
        }
        bytes.append(contentsOf: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
    }

    /// Writes a record whose fields a spreadsheet must not run as formulas; ``SpreadsheetText/unguarded(_:)`` reads
    /// them back.
    package mutating func guardedRecord(_ fields: [String]) { record(fields.map(SpreadsheetText.guarded)) }

    private mutating func append(_ field: String) {
        guard field.utf8.contains(where: { ",\"\n\r;\t".utf8.contains($0) }) else {
            bytes.append(contentsOf: field.utf8)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in field.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

/// Prevents a spreadsheet from running text of a CSV file as a formula.
///
/// Writing adds an apostrophe, which marks text in spreadsheets, before a value that begins with `=`, `+`, `-`, `@`, a
/// tab or a carriage return. A value with apostrophes before one of these gets one more, so that reading removes
/// exactly what writing added. The same holds after a semicolon, a tab or a line end within a value: a spreadsheet that
/// separates cells there begins another one, since quotation marks count only where a cell begins.
package enum SpreadsheetText {
    package static func guarded(_ value: String) -> String { changed(value, isAdding: true) }

    package static func unguarded(_ value: String) -> String { changed(value, isAdding: false) }

    /// Adds or removes an apostrophe wherever a cell may begin a formula.
    private static func changed(_ value: String, isAdding: Bool) -> String {
        let bytes = Array(value.utf8)
        guard bytes.contains(where: { isFormula($0) || $0 == 0x09 || $0 == 0x0D }) else { return value }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 1)
        for (index, byte) in bytes.enumerated() {
            let isCell = index == 0 || isSeparator(bytes[index - 1])
            if isCell, beginsFormula(bytes[index...], isFirst: index == 0) {
                if isAdding {
                    result.append(UInt8(ascii: "'"))
                } else if byte == UInt8(ascii: "'") {
                    continue
                }
            }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { [UInt8(ascii: ";"), 0x09, 0x0A, 0x0D].contains(byte) }

    private static func isFormula(_ byte: UInt8) -> Bool { "=+-@".utf8.contains(byte) }

    /// Apostrophes may come before it and, within a value, blanks and quotation marks, which the spreadsheet takes
    /// away.
    private static func beginsFormula(_ cell: ArraySlice<UInt8>, isFirst: Bool) -> Bool {
        let skipped = isFirst ? "'".utf8 : "' \"".utf8
        guard let first = cell.first(where: { !skipped.contains($0) }) else { return false }
        return isFormula(first) || isFirst && (first == 0x09 || first == 0x0D)
    }
}

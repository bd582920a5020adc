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
/// exactly what writing added.
package enum SpreadsheetText {
    package static func guarded(_ value: String) -> String { looksLikeFormula(value) ? "'" + value : value }

    package static func unguarded(_ value: String) -> String {
        value.utf8.first == UInt8(ascii: "'") && looksLikeFormula(value) ? String(value.dropFirst()) : value
    }

    private static func looksLikeFormula(_ value: String) -> Bool {
        switch value.utf8.first(where: { $0 != UInt8(ascii: "'") }) {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
        default: false
        }
    }
}

/// Keeps text in a CSV file from being run as a formula by the spreadsheet that opens it.
///
/// A value that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets an apostrophe before it, which
/// spreadsheets take as "this is text". Values that have apostrophes there already get one more, so that reading takes
/// off exactly what writing put on.
enum SpreadsheetText {
    static func guarded(_ value: String) -> String {
        looksLikeFormula(value) ? "'" + value : value
    }

    static func unguarded(_ value: String) -> String {
        value.utf8.first == UInt8(ascii: "'") && looksLikeFormula(value) ? String(value.dropFirst()) : value
    }

    private static func looksLikeFormula(_ value: String) -> Bool {
        switch value.utf8.first(where: { $0 != UInt8(ascii: "'") }) {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
        default: false
        }
    }
}

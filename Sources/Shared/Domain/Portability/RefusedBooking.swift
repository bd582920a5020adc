/// A row of a statement that cannot be read.
public struct RefusedBooking: Error, Sendable, Hashable {
    /// The line or entry of the file, counted from 1.
    public var row: Int
    /// Why it cannot be read.
    public var fault: Fault
    /// The name of the column, or of the field in formats without columns; empty when the whole row is wrong.
    public var column: String
    /// The unreadable text, at most ``maximumValueLength`` characters without control characters; empty for a whole
    /// row.
    public var value: String

    package init(row: Int, fault: Fault, column: String = "", value: String = "") {
        self.row = row
        self.fault = fault
        self.column = column
        self.value = value
    }

    /// The longest part of a value that is kept.
    public static let maximumValueLength = 80

    /// The path of a file as it can be shown on one line; Linux has no longer ones.
    package static func shownPath(_ path: String) -> String { shown(path, most: 4096) }

    /// A text of a file as it can be shown on one line.
    ///
    /// - Parameters:
    ///   - text: of a file, in any length.
    ///   - most: the longest part that is kept, in characters.
    public static func shown(_ text: String, most: Int = maximumValueLength) -> String {
        let scalars = text.unicodeScalars.prefix(most * 4).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
            default: scalar
            }
        }
        let whole = String(String.UnicodeScalarView(scalars))
        return whole.count > most ? whole.prefix(most) + "…" : whole
    }
}

import Foundation
public import SubGuardDomain
import TextCoding

/// The first rows of a CSV table of subscriptions, for people to say what its columns hold when that cannot be told.
public struct ImportTable: Sendable {
    /// What is known of each column.
    public var columns: ImportColumns
    /// The lines of the file with their cells, as they can be shown on one line; the header is the first.
    public var rows: [(line: Int, cells: [String])]

    /// Reads at most `most` rows, the header included. Nil for what is no CSV with a header.
    public init?(_ bytes: [UInt8], rows most: Int = 8) {
        var reader = CSVReader(detectingSeparator: bytes)
        guard let header = try? reader.next(), header.fields.count > 1 else { return nil }
        columns = ImportColumns(recognising: header.fields)
        rows = [(header.line, header.fields.map { RefusedBooking.shown($0) })]
        while rows.count < most, let record = try? reader.next() {
            let cells = record.fields.prefix(header.fields.count).map { RefusedBooking.shown($0) }
            rows.append((record.line, cells))
        }
    }
}

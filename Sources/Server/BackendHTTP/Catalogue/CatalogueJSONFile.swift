package import Backend
import Foundation
import JSONWire
import SubGuardContract
package import SubGuardDomain

/// The catalogue as a JSON file. Reading the output of ``write(_:)`` returns equal items, without logos and dates.
package enum CatalogueJSONFile {
    /// Members that the API adds to items. They are ignored, so that a page of a list can be imported.
    private static let readOnly: Set<String> = ["logo_url", "updated_at", "revision"]

    /// Maximum number of JSON values in one item, including those of unknown fields.
    private static let maximumValuesOfItem = 1_000

    /// Parses an array of items, or an object with the array as `items`. An unreadable item becomes a row with faults.
    /// Items are read one at a time, so a file takes no more memory than its rows.
    ///
    /// - Parameter maximumRows: files with more rows are rejected.
    /// - Throws: `JSONError` for malformed JSON, and ``BackendError/invalid(_:)`` for another structure or too many
    ///   rows.
    package static func parse(_ bytes: [UInt8], maximumRows: Int = .max) throws -> [CatalogueImportRow] {
        let rows = try JSONReader.read(bytes) { reader throws(JSONError) in
            var rows = Rows(maximumCount: maximumRows)
            switch try reader.peek() {
            case .array: try rows.read(&reader, at: .root)
            case .object:
                try reader.readMembers(["items"]) { index, _, reader throws(JSONError) in
                    if index == 0, try reader.peek() == .array {
                        try rows.read(&reader, at: .root.member("items"))
                    } else {
                        try reader.skipValue()
                    }
                    return true
                }
            default: try reader.skipValue()
            }
            try reader.finish()
            return rows
        }
        guard rows.isFound else {
            throw BackendError.invalid([
                Fault("#", .invalidType, "Must be an array of items, or hold one as items.")
            ])
        }
        guard !rows.hasTooMany else {
            throw BackendError.invalid([
                Fault("#", .outOfRange, "A file has 1 to \(maximumRows) rows.")
            ])
        }
        return rows.rows
    }

    /// Collects the rows of the item list.
    private struct Rows {
        let maximumCount: Int
        var rows: [CatalogueImportRow] = []
        var isFound = false
        var hasTooMany = false
        /// Number of faults that may still be kept; further ones are only counted.
        private var room = FaultList.maximumFaults

        init(maximumCount: Int) { self.maximumCount = maximumCount }

        mutating func read(_ reader: inout JSONReader, at list: JSONPointer) throws(JSONError) {
            isFound = true
            try reader.beginArray()
            while try reader.nextElement() {
                guard rows.count < maximumCount else {
                    hasTooMany = true
                    try reader.skipValue()
                    continue
                }
                let pointer = list.element(rows.count)
                rows.append(
                    try CatalogueJSONFile.row(&reader, number: rows.count + 1, at: pointer, maximumFaults: room))
                if case .unreadable(let errors)? = rows.last?.content { room -= errors.keptCount }
            }
        }
    }

    /// Writes one item per line.
    package static func write(_ items: [CatalogueItem]) -> [UInt8] {
        var bytes = Array("{\"items\":[".utf8)
        for (index, item) in items.enumerated() {
            bytes += index > 0 ? ",\n".utf8 : "\n".utf8
            bytes += NewCatalogueItem(id: item.id, item.draft).json(capacity: 512)
        }
        return bytes + "\n]}\n".utf8
    }

    private static func row(
        _ reader: inout JSONReader, number: Int, at pointer: JSONPointer, maximumFaults: Int
    ) throws(JSONError) -> CatalogueImportRow {
        func unreadable(_ code: FaultCode, _ detail: String) -> CatalogueImportRow {
            CatalogueImportRow(number: number, at: pointer, maximumFaults: maximumFaults, code, detail)
        }
        guard try reader.peek() == .object else {
            try reader.skipValue()
            return unreadable(.invalidType, "Must be an object.")
        }
        // Parses with a copy of the reader, so that an oversized item can be skipped with the original.
        var ahead = reader
        let value: JSONValue
        do throws(JSONError) {
            value = try ahead.readValue(maximumValues: maximumValuesOfItem)
            reader = ahead
        } catch {
            guard error.reason == .tooManyValues else { throw error }
            try reader.skipValue()
            return unreadable(.outOfRange, "Must have at most \(maximumValuesOfItem) values.")
        }
        let members = (value.objectValue ?? [:]).members.filter { !readOnly.contains($0.name) }
        return CatalogueImportRow(
            number: number, JSONObject(members), at: pointer, maximumFaults: maximumFaults)
    }
}

package import Catalogue
import Foundation
import JSONWire
import ServerAccess
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
    /// - Parameter rowCount: files with fewer or more rows are rejected; nil for any number.
    /// - Throws: `JSONError` for malformed JSON, and ``BackendError/invalid(_:)`` for another structure or a wrong
    ///   number of rows.
    package static func parse(_ bytes: [UInt8], rowCount: ClosedRange<Int>? = nil) throws -> [CatalogueImportRow] {
        let rows = try JSONReader.read(bytes) { reader throws(JSONError) in
            var rows = Rows(allowedCount: rowCount)
            try rows.readFile(&reader)
            try reader.finish()
            return rows
        }
        guard rows.faults.isEmpty else { throw BackendError.invalid(rows.faults) }
        return rows.rows
    }

    /// Collects the rows of the item list, and the faults of what is around them.
    private struct Rows {
        let allowedCount: ClosedRange<Int>?
        private(set) var rows: [CatalogueImportRow] = []
        private(set) var faults = FaultList()
        /// Number of faults of rows that may still be kept; further ones are only counted.
        private var room = FaultList.maximumFaults

        init(allowedCount: ClosedRange<Int>?) { self.allowedCount = allowedCount }

        /// What pages have besides their items; it is ignored, so that a page can be imported.
        private static let names: [StaticString] = ["items", "next_cursor", "sync_token", "deleted"]

        mutating func readFile(_ reader: inout JSONReader) throws(JSONError) {
            switch try reader.peek() {
            case .array: try readList(&reader, at: .root)
            case .object: try readObject(&reader)
            default:
                note(.root, .invalidType, "Must be an array of items, or hold one as items.")
                try reader.skipValue()
            }
        }

        private mutating func readObject(_ reader: inout JSONReader) throws(JSONError) {
            let items = JSONPointer.root.member("items")
            var hasItems = false
            try reader.readMembers(Self.names) { index, key, reader throws(JSONError) in
                let kind = try reader.peek()
                if index == 0 { hasItems = true }
                switch index {
                case 0 where kind == .array:
                    try readList(&reader, at: items)
                    return true
                case 0 where kind == .null: note(items, .required, "Must not be null.")
                case 0: note(items, .invalidType, "Must be an array of items.")
                case nil: note(.root.member(key.string), .unknownField, "There is no such field.")
                default: break
                }
                try reader.skipValue()
                return true
            }
            if !hasItems { note(items, .required, "Must be given.") }
        }

        private mutating func readList(_ reader: inout JSONReader, at list: JSONPointer) throws(JSONError) {
            var count = 0
            try reader.beginArray()
            while try reader.nextElement() {
                count += 1
                guard count <= allowedCount?.upperBound ?? .max else {
                    try reader.skipValue()
                    continue
                }
                let pointer = list.element(rows.count)
                rows.append(
                    try CatalogueJSONFile.row(&reader, number: rows.count + 1, at: pointer, maximumFaults: room))
                if case .unreadable(let errors)? = rows.last?.content { room -= errors.keptCount }
            }
            if let allowedCount, !allowedCount.contains(count) {
                let (least, most) = (allowedCount.lowerBound, allowedCount.upperBound)
                note(list, .outOfRange, "A file has \(least) to \(most) rows.")
            }
        }

        private mutating func note(
            _ pointer: @autoclosure () -> JSONPointer, _ code: FaultCode, _ detail: @autoclosure () -> Sentence
        ) {
            faults.note(Fault(pointer().text, code, detail()))
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
        func unreadable(_ code: FaultCode, _ detail: Sentence) -> CatalogueImportRow {
            CatalogueImportRow(number: number, at: pointer, maximumFaults: maximumFaults, code, detail)
        }
        let kind = try reader.peek()
        guard kind == .object else {
            try reader.skipValue()
            return kind == .null
                ? unreadable(.required, "Must not be null.") : unreadable(.invalidType, "Must be an object.")
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

package import Backend
import Foundation
import JSONWire
import SubGuardContract
package import SubGuardDomain

/// The catalogue as a JSON file: what ``write(_:)`` wrote reads back equal. Logos and dates are not in it.
package enum CatalogueJSONFile {
    /// What the API adds to an item and nobody can set: passed over, so that a page of a list can be imported.
    private static let readOnly: Set<String> = ["logo_url", "updated_at", "revision"]

    /// Values in one item, those of fields that nobody knows among them.
    private static let maximumValuesOfItem = 1_000

    /// An array of items, or an object with it as `items`. An item that cannot be read becomes an unreadable row. Items are
    /// read one by one, so that a file costs no more memory than its rows.
    ///
    /// - Parameter maximumRows: more rows refuse the file.
    /// - Throws: `JSONError` for what is no JSON, and ``BackendError/invalid(_:)`` for another shape or too many rows.
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

    /// The rows of the list of items.
    private struct Rows {
        let maximumCount: Int
        var rows: [CatalogueImportRow] = []
        var isFound = false
        var hasTooMany = false
        /// Faults that are still kept; beyond them they are counted.
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

    /// One item a line.
    package static func write(_ items: [CatalogueItem]) -> [UInt8] {
        var bytes = Array("{\"items\":[".utf8)
        for (index, item) in items.enumerated() {
            var writer = JSONWriter(capacity: 512)
            write(item, to: &writer)
            bytes += index > 0 ? ",\n".utf8 : "\n".utf8
            bytes += writer.bytes
        }
        return bytes + "\n]}\n".utf8
    }

    private static func row(
        _ reader: inout JSONReader, number: Int, at pointer: JSONPointer, maximumFaults: Int
    ) throws(JSONError) -> CatalogueImportRow {
        func unreadable(_ errors: FaultList) -> CatalogueImportRow {
            CatalogueImportRow(number: number, pointer: pointer.text, content: .unreadable(errors))
        }
        func unreadable(_ code: FaultCode, _ detail: String) -> CatalogueImportRow {
            var errors = FaultList(limit: maximumFaults)
            errors.note(Fault(pointer.text, code, detail))
            return unreadable(errors)
        }
        guard try reader.peek() == .object else {
            try reader.skipValue()
            return unreadable(.invalidType, "Must be an object.")
        }
        // A copy reads ahead, so that the file can be read on behind an item that is too large.
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
        let object = value.objectValue ?? JSONObject()
        let members = object.members.filter { !readOnly.contains($0.name) }
        var fields = CatalogueDraftFields(
            JSONObject(members), allowsID: true, at: pointer, maximumFaults: maximumFaults)
        var kept = Set(CatalogueImportRow.OptionalField.allCases)
        for (name, field) in optionalFields where object[name] != nil { kept.remove(field) }
        guard let draft = fields.draft() else {
            return unreadable(fields.faults)
        }
        return CatalogueImportRow(
            number: number, pointer: pointer.text, content: .draft(draft), keptFields: kept, id: fields.id)
    }

    private static let optionalFields: [(String, CatalogueImportRow.OptionalField)] = [
        ("website", .website), ("cancel_url", .cancelURL), ("notice_days", .noticeDays), ("aliases", .aliases),
    ]

    private static func write(_ item: CatalogueItem, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", item.id.lowercased)
        writer.field("name", item.name)
        writer.field("slug", item.slug)
        writer.field("category", item.category)
        writer.field("typical_amount", item.typicalAmount.decimal)
        writer.field("currency", item.typicalAmount.currency.code)
        writer.field("billing_cycle", item.billingCycle.wire)
        writer.field("website", item.website)
        writer.field("cancel_url", item.cancelURL)
        writer.field("notice_days", item.noticeDays)
        writer.field("aliases", .array(item.aliases.map(JSONValue.string)))
        writer.endObject()
    }
}

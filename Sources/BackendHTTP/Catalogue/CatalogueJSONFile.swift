package import Backend
import Foundation
import JSONWire
import SubGuardAPI
package import SubGuardDomain

/// The catalogue as a JSON file: what ``write(_:)`` wrote reads back equal. Logos and dates are not in it.
package enum CatalogueJSONFile {
    /// What the API adds to an item and nobody can set: passed over, so that a page of a list can be imported.
    private static let readOnly: Set<String> = ["logo_url", "updated_at", "revision"]

    /// An array of items, or an object with it as `items`. An item that cannot be read becomes an unreadable row.
    /// Throws `JSONError` for what is no JSON, and ``BackendError/invalid(_:)`` for another shape.
    package static func parse(_ bytes: [UInt8]) throws -> [CatalogueImportRow] {
        let value = try JSONValue.parse(bytes)
        guard let elements = value.arrayValue ?? value.objectValue?["items"]?.arrayValue else {
            throw BackendError.invalid([
                FieldError(pointer: "#", code: "wrong_type", detail: "Must be an array of items, or hold one as items.")
            ])
        }
        return elements.enumerated().map { index, element in row(element, number: index + 1) }
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

    private static func row(_ element: JSONValue, number: Int) -> CatalogueImportRow {
        guard let object = element.objectValue else {
            return CatalogueImportRow(
                number: number,
                content: .unreadable([FieldError(pointer: "#", code: "wrong_type", detail: "Must be an object.")]))
        }
        let members = object.members.filter { !readOnly.contains($0.name) }
        var fields = CatalogueDraftFields(JSONObject(members), allowsID: true)
        var kept = Set(CatalogueImportRow.OptionalField.allCases)
        for (name, field) in optionalFields where object[name] != nil { kept.remove(field) }
        guard let draft = fields.draft() else {
            let errors = fields.problems.map { FieldError(pointer: $0.pointer, code: $0.code, detail: $0.detail) }
            return CatalogueImportRow(number: number, content: .unreadable(errors))
        }
        return CatalogueImportRow(number: number, content: .draft(draft), keptFields: kept, id: fields.id)
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

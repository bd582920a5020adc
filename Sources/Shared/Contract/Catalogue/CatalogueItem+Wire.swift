package import JSONWire
package import SubGuardDomain

extension CatalogueItem {
    /// Writes the item as one object with the fields of the contract, and those that a call adds to them.
    package func write(to writer: inout JSONWriter, more: [(name: String, value: JSONValue)] = []) {
        writer.beginObject()
        writer.field("id", id.lowercased)
        writer.field("name", name)
        writer.field("slug", slug)
        writer.field("category", category)
        writer.field("typical_amount", typicalAmount.decimal)
        writer.field("currency", typicalAmount.currency.code)
        writer.field("billing_cycle", billingCycle.wire)
        writer.field("website", website)
        writer.field("logo_url", logoURL)
        writer.field("cancel_url", cancelURL)
        writer.field("notice_days", noticeDays)
        writer.key("aliases")
        writer.beginArray()
        for alias in aliases { writer.string(alias) }
        writer.endArray()
        writer.field("updated_at", updatedAt.rfc3339)
        for field in more { writer.field(field.name, field.value) }
        writer.endObject()
    }
}

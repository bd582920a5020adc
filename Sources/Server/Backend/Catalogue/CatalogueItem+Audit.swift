import Foundation
import JSONWire
import SubGuardDomain

extension CatalogueItem {
    init(id: UUID, draft: CatalogueDraft, logoURL: String?, updatedAt: UTCInstant, revision: Int64) {
        self.init(
            id: id, name: draft.name, slug: draft.slug, category: draft.category, typicalAmount: draft.typicalAmount,
            billingCycle: draft.billingCycle, website: draft.website, logoURL: logoURL, cancelURL: draft.cancelURL,
            noticeDays: draft.noticeDays, aliases: draft.aliases, updatedAt: updatedAt, revision: revision)
    }

    /// The item as the audit log keeps it: enough to bring it back.
    var auditJSON: String {
        var writer = JSONWriter(capacity: 512)
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
        writer.field("aliases", .array(aliases.map(JSONValue.string)))
        writer.field("updated_at", updatedAt.rfc3339)
        writer.field("revision", revision)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

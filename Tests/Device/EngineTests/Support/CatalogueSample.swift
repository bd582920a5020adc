import Foundation
import SubGuardDomain
import SubGuardEngine
import Testing

/// Items of a small catalogue.
enum CatalogueSample {
    static func id(_ number: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(number)))
    }

    static func item(_ number: Int, _ name: String, aliases: [String] = []) throws -> CatalogueItem {
        CatalogueItem(
            id: id(number), name: name, slug: CatalogueDraft.slug(from: name), category: "streaming",
            typicalAmount: try Money(decimal: "12.34", currency: #require(Currency(code: "EUR"))),
            billingCycle: .monthly, website: "https://example.com/?q=%C3%A9", noticeDays: 30, aliases: aliases,
            updatedAt: try #require(UTCInstant(rfc3339: "2026-02-28T23:59:59.999Z")), revision: 0)
    }

    static func whole(_ items: [CatalogueItem], token: String = "t1") -> CatalogueUpdate {
        CatalogueUpdate(since: nil, items: items, deleted: [], syncToken: token, entityTag: nil)
    }

    static func delta(
        _ items: [CatalogueItem] = [], deleted: [(id: UUID, mergedInto: UUID?)] = [], since: String, token: String
    ) -> CatalogueUpdate {
        CatalogueUpdate(since: since, items: items, deleted: deleted, syncToken: token, entityTag: nil)
    }
}

import Foundation
package import JSONWire
package import SubGuardDomain

extension CatalogueItem {
    /// Reads what ``write(to:more:)`` writes; nil for what is no item. Members beyond those of the contract are passed
    /// over, so that an older client reads a newer server. The revision does not travel and is 0.
    package init?(wire object: JSONObject) {
        guard let id = object["id"]?.stringValue.flatMap({ UUID(strict: $0) }),
            let name = object["name"]?.stringValue, !name.isEmpty,
            name.unicodeScalars.count <= CatalogueRules.maximumNameLength,
            let slug = object["slug"]?.stringValue, (1...CatalogueRules.maximumSlugLength).contains(slug.utf8.count),
            let category = object["category"]?.stringValue,
            let currency = object["currency"]?.stringValue.flatMap({ Currency(code: $0) }),
            let amount = object["typical_amount"]?.stringValue.flatMap({ try? Money(decimal: $0, currency: currency) }),
            let cycle = object["billing_cycle"]?.stringValue.flatMap({ BillingCycle(wire: $0) }),
            let updatedAt = object["updated_at"]?.stringValue.flatMap({ UTCInstant(rfc3339: $0) })
        else { return nil }
        self.init(
            id: id, name: name, slug: slug, category: category, typicalAmount: amount, billingCycle: cycle,
            website: Self.link(object["website"]), logoURL: object["logo_url"]?.stringValue,
            cancelURL: Self.link(object["cancel_url"]),
            noticeDays: object["notice_days"]?.integerValue.flatMap { Int(exactly: $0) },
            aliases: (object["aliases"]?.arrayValue ?? []).prefix(CatalogueRules.maximumAliases).compactMap(
                \.stringValue),
            updatedAt: updatedAt, revision: 0)
    }

    /// People will be sent there, so that whatever is no https link is none.
    private static func link(_ value: JSONValue?) -> String? {
        value?.stringValue.flatMap { CatalogueRules.urlError($0, field: "") == nil ? $0 : nil }
    }
}

package import Foundation
package import JSONWire
import Publication
package import SubGuardDomain

extension CatalogueItem: WireObject {
    /// The revision is not transmitted; it is 0 in a parsed item.
    package static let wire = WireSchema<CatalogueItem>(
        "CatalogueItem", "A service in the catalogue.",
        make: { id, name, slug, category, amount, cycle, website, logoURL, cancelURL, noticeDays, aliases, updatedAt in
            // Invalid links are dropped: users open them, and a newer server may send other schemes. So are long
            // aliases: every search reads them.
            let draft = CatalogueDraft(
                name: name, slug: slug, category: category, typicalAmount: amount, billingCycle: cycle,
                website: website.flatMap(Self.link), cancelURL: cancelURL.flatMap(Self.link), noticeDays: noticeDays,
                aliases: CatalogueRules.bounded(aliases))
            return CatalogueItem(id: id, draft, logoURL: logoURL, updatedAt: updatedAt, revision: 0)
        },
        Field("id", \.id, .id),
        Field("name", \.draft.name, .name, "The name as it is usually spelled.", example: "Netflix"),
        Field("slug", \.draft.slug, .slug), Field("category", \.draft.category, .category),
        Field(
            price: \.draft.typicalAmount,
            .text(pattern: #"^(?:0|[1-9][0-9]{0,9})(?:\.[0-9]{2,3})?$"#, example: "14.99"),
            "The price of the most common plan, with as many decimals as the currency has."),
        Field("billing_cycle", \.draft.billingCycle, .cycle), Field("website", \.draft.website, nullable: .link),
        Field(
            "logo_url", { $0.logoURL.map(PublishedPath.of) }, nullable: .text(format: "uri-reference"),
            "Address of the logo.",
            example: "/logos/9f2c5a7e1b3d4f60718293a4b5c6d7e8f9012a3b4c5d6e7f8091a2b3c4d5e6f7.png"),
        Field(
            "cancel_url", \.draft.cancelURL, nullable: .link, "The page on which a subscriber cancels.",
            example: "https://www.netflix.com/cancelplan"),
        Field(
            "notice_days", \.draft.noticeDays, nullable: .noticeDays.read(as: .integer()),
            "Notice period: how many days before the next charge a cancellation must arrive.", example: 0),
        Field(
            "aliases", \.draft.aliases, .aliases, "Other names by which a search finds the item.",
            example: ["Netflix Standard", "Netflix Premium"]), Field("updated_at", \.updatedAt, .instant))

    /// By hand, because pages of the catalogue are written for every new revision.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.key("id")
        writer.string(id)
        writer.field("name", draft.name)
        writer.field("slug", draft.slug)
        writer.field("category", draft.category)
        writer.field("typical_amount", draft.typicalAmount.decimal)
        writer.field("currency", draft.typicalAmount.currency.code)
        writer.field("billing_cycle", draft.billingCycle.wire)
        writer.field("website", draft.website)
        writer.field("logo_url", logoURL.map(PublishedPath.of))
        writer.field("cancel_url", draft.cancelURL)
        writer.field("notice_days", draft.noticeDays)
        writer.key("aliases")
        writer.beginArray()
        for alias in draft.aliases { writer.string(alias) }
        writer.endArray()
        writer.key("updated_at")
        writer.string(updatedAt)
    }

    /// Nil unless the link is a valid https link.
    private static func link(_ text: String) -> String? { CatalogueRules.urlError(text, field: "") == nil ? text : nil }
}

/// An item with its revision, as used by editors and the audit log.
package struct AdminCatalogueItem: WireObject {
    package let item: CatalogueItem

    package init(_ item: CatalogueItem) { self.item = item }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        item.writeMembers(to: &writer)
        writer.field("revision", item.revision)
        writer.endObject()
    }

    package static let wire = WireSchema<AdminCatalogueItem>(
        "AdminCatalogueItem", "An item with its revision, for editors.",
        make: { item, revision in
            var item = item
            item.revision = revision
            return AdminCatalogueItem(item)
        }, Field(flattening: \.item),
        Field(
            "revision", \.item.revision, .integer(1...Int64.max),
            "Number of its last change among all changes of the catalogue.", example: 1204))
}

/// A new item from a request body or a row of a file.
package struct NewCatalogueItem: WireObject {
    /// The id requested by the caller.
    package let id: UUID?
    /// Trimmed.
    package let name: String
    package let details: CatalogueDetails

    package init(id: UUID?, name: String, details: CatalogueDetails) {
        self.id = id
        self.name = name
        self.details = details
    }

    /// All values of a draft.
    package init(id: UUID? = nil, _ draft: CatalogueDraft) {
        self.init(id: id, name: draft.name, details: CatalogueDetails(draft))
    }

    /// The given slug, else the one of the name.
    package var slug: String { details.slug ?? CatalogueDraft.slug(from: name) }

    /// The draft. Omitted values are copied from `item`, if given.
    package func draft(completing item: CatalogueItem? = nil) -> CatalogueDraft {
        var draft = CatalogueDraft(
            name: name, slug: slug, category: details.category,
            typicalAmount: details.typicalAmount, billingCycle: details.billingCycle, aliases: item?.aliases ?? [])
        if let item { draft.fill(from: item.draft) }
        details.optional.apply(to: &draft)
        return draft
    }

    package static let wire = WireSchema<NewCatalogueItem>(
        "NewCatalogueItem",
        "Without `id`, the server creates one. Without `slug`, it is derived from the name, which must then have a "
            + "letter or digit that can be written in ASCII.",
        make: { NewCatalogueItem(id: $0, name: $1, details: $2) },
        Field("id", \.id, optional: .givenID), CatalogueDetails.named(Field("name", \.name, .givenName)),
        Field(flattening: \.details), rules: CatalogueDetails.rules)
}

/// The fields of an item that editors set, except id and name.
package struct CatalogueDetails: WireObject {
    package let slug: String?
    package let category: String
    package let typicalAmount: Money
    package let billingCycle: BillingCycle
    package let optional: OptionalCatalogueFields

    package static let wire = WireSchema<CatalogueDetails>(
        nil, make: CatalogueDetails.init, Field("slug", \.slug, optional: .givenSlug),
        Field("category", \.category, .givenCategory), Field(price: \.typicalAmount, .givenAmount),
        Field("billing_cycle", \.billingCycle, .cycle), Field(flattening: \.optional))

    /// The maximum number of decimals of an amount in each currency.
    package static let rules: JSONObject = [
        "allOf": .array(
            [0, 2, 3].map { decimals in
                let codes = Currency.all.filter { $0.exponent == decimals }.map { JSONValue.string($0.code) }
                return [
                    "if": ["properties": ["currency": ["enum": .array(codes)]]],
                    "then": [
                        "properties": [
                            "typical_amount": ["pattern": .string(CataloguePatterns.amount(decimals: decimals))]
                        ]
                    ],
                ]
            })
    ]

    /// Adds the rule that no alias equals the name.
    package static func named<Object, Value>(_ field: Field<Object, Value>) -> Field<Object, Value> {
        field.checking { object, reading in
            guard let name = object["name"]?.stringValue.map(TextFolding.fold), !name.isEmpty,
                let aliases = object["aliases"]?.arrayValue, aliases.count <= CatalogueRules.maximumAliases
            else { return }
            for (index, alias) in aliases.enumerated() where alias.stringValue.map(TextFolding.fold) == name {
                // An unreadable alias has its own fault.
                let text = alias.stringValue.map(CatalogueRules.trimmed) ?? ""
                guard CatalogueRules.nameError(text, field: "") == nil else { continue }
                reading.at("aliases") {
                    reading.at(index) { reading.note(.duplicate, "Must differ from the name.") }
                }
            }
        }
    }
}

extension CatalogueDetails {
    fileprivate init(_ draft: CatalogueDraft) {
        self.init(
            slug: draft.slug, category: draft.category, typicalAmount: draft.typicalAmount,
            billingCycle: draft.billingCycle, optional: OptionalCatalogueFields(draft))
    }
}

/// The fields that an item may lack, in a new item and in a change: kept, cleared or set.
package struct OptionalCatalogueFields: WireObject {
    package let website: Change<String>
    package let cancelURL: Change<String>
    package let noticeDays: Change<Int>
    package let aliases: Change<[String]>

    package static let wire = WireSchema<OptionalCatalogueFields>(
        nil, make: OptionalCatalogueFields.init, Field("website", \.website, patch: .givenLink, orNull: true),
        Field("cancel_url", \.cancelURL, patch: .givenLink, orNull: true),
        Field("notice_days", \.noticeDays, patch: .noticeDays, orNull: true),
        Field(
            "aliases", \.aliases, patch: .givenAliases,
            "They replace the present aliases. They must differ from the name and from each other in more than case "
                + "and accents."))

    package func apply(to draft: inout CatalogueDraft) {
        draft.website = website.applied(to: draft.website)
        draft.cancelURL = cancelURL.applied(to: draft.cancelURL)
        draft.noticeDays = noticeDays.applied(to: draft.noticeDays)
        draft.aliases = aliases.applied(to: draft.aliases) ?? []
    }
}

extension OptionalCatalogueFields {
    fileprivate init(_ draft: CatalogueDraft) {
        self.init(
            website: .set(draft.website), cancelURL: .set(draft.cancelURL), noticeDays: .set(draft.noticeDays),
            aliases: .set(draft.aliases))
    }
}

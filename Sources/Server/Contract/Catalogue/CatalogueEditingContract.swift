package import Catalogue
import JSONWire
package import ServerAccess
package import SubGuardContract
package import SubGuardDomain

/// Calls that list and change the catalogue.
extension APIOperation {
    package static let categories = APIOperation(
        .get, "/api/v1/admin/categories", "listCategories", tag: .administration, access: .token,
        summary: "List the categories of the catalogue", "The categories in use, by name. Any token may call this.",
        query: .object(CategoryQuery.self),
        answers: [.json(ListPage<CatalogueCategory>.self, "The categories of the catalogue.")])

    package static let adminCatalogue = APIOperation(
        .get, "/api/v1/admin/catalogue", "listAdminCatalogue", tag: .administration,
        access: .permission(.catalogueRead), summary: "List the catalogue for editors",
        "An item that exists during the whole listing is listed exactly once, even if others come and go.",
        query: .object(AdminCatalogueQuery.self),
        answers: [.json(ListPage<AdminCatalogueItem>.self, "A page of the catalogue.")])

    package static let createCatalogueItem = APIOperation(
        .post, "/api/v1/admin/catalogue", "createCatalogueItem", tag: .administration,
        access: .permission(.catalogueWrite), summary: "Add an item",
        "The change and its audit row are one transaction. The body has at most 64 KiB.",
        body: .json(
            NewCatalogueItem.self, "The item.",
            examples: [
                (
                    "full",
                    [
                        "name": "L’Équipe", "slug": "l-equipe", "category": "press", "typical_amount": "13.49",
                        "currency": "EUR", "billing_cycle": "monthly", "website": "https://www.lequipe.fr",
                        "cancel_url": "https://www.lequipe.fr/compte", "notice_days": 30,
                        "aliases": ["L'Équipe Premium"],
                    ]
                ), ("short", shortItem),
            ]),
        answers: [
            .json(
                AdminCatalogueItem.self, "The item was created; devices receive it with their next synchronisation.",
                status: 201, headers: [.location, .itemETag, .vary],
                links: [
                    .init("read", to: "getAdminCatalogueItem", [("id", "$response.body#/id")]),
                    .init(
                        "change", to: "updateCatalogueItem",
                        [("id", "$response.body#/id"), ("If-Match", "$response.header.ETag")]),
                    .init(
                        "delete", to: "deleteCatalogueItem",
                        [("id", "$response.body#/id"), ("If-Match", "$response.header.ETag")]),
                ])
        ], problems: [.slugTaken, .idTaken])

    package static let adminCatalogueItem = APIOperation(
        .get, "/api/v1/admin/catalogue/{id:uuid}", "getAdminCatalogueItem", tag: .administration,
        access: .permission(.catalogueRead), summary: "Show an item with its revision",
        "Send its `ETag` in `If-Match` to change it.", holes: [.id("The item's id.")],
        answers: [
            .json(AdminCatalogueItem.self, "The item.", headers: [.itemETag]),
            .empty(301, "It was merged into another item.", headers: [.location]),
        ])

    package static let updateCatalogueItem = APIOperation(
        .patch, "/api/v1/admin/catalogue/{id:uuid}", "updateCatalogueItem", tag: .administration,
        access: .permission(.catalogueWrite), summary: "Change an item",
        """
        Fields that the body does not name keep their values. A body that changes nothing creates no new revision. \
        With `If-Match`, the item changes only if it still has that revision. The body has at most 64 KiB.
        """, holes: [.id("The item's id.")],
        body: .json(
            CatalogueChange.self, "The fields to change.",
            examples: [
                ("price", ["typical_amount": "15.99"]),
                ("cleared", ["cancel_url": .null, "notice_days": .null, "aliases": []]),
            ]),
        answers: [changedItem("The item as it is now.")], problems: [.slugTaken], traits: .ifMatch)

    package static let deleteCatalogueItem = APIOperation(
        .delete, "/api/v1/admin/catalogue/{id:uuid}", "deleteCatalogueItem", tag: .administration,
        access: .permission(.catalogueWrite), summary: "Delete an item",
        """
        Devices delete it with their next synchronisation. With `If-Match`, the item is deleted only if it still has \
        that revision.
        """, holes: [.id("The item's id.")], answers: [.empty(204, "The item is deleted.")], traits: .ifMatch)

    package static let catalogueItemBySlug = APIOperation(
        .get, "/api/v1/admin/catalogue/by-slug/{slug}", "getCatalogueItemBySlug", tag: .administration,
        access: .permission(.catalogueRead), summary: "Show an item by its slug",
        "For scripts that know slugs and no ids. Send its `ETag` in `If-Match` to change it.", holes: [.slug],
        answers: [.json(AdminCatalogueItem.self, "The item.", headers: [.itemETag])])

    package static let updateCatalogueItemBySlug = APIOperation(
        .patch, "/api/v1/admin/catalogue/by-slug/{slug}", "updateCatalogueItemBySlug", tag: .administration,
        access: .permission(.catalogueWrite), summary: "Change an item by its slug", "As by its id.", holes: [.slug],
        body: .json(CatalogueChange.self, "The fields to change.", examples: [("price", ["typical_amount": "15.99"])]),
        answers: [changedItem("The item as it is now.")], problems: [.slugTaken], traits: .ifMatch)

    package static let deleteCatalogueItemBySlug = APIOperation(
        .delete, "/api/v1/admin/catalogue/by-slug/{slug}", "deleteCatalogueItemBySlug", tag: .administration,
        access: .permission(.catalogueWrite), summary: "Delete an item by its slug", "As by its id.", holes: [.slug],
        answers: [.empty(204, "The item is deleted.")], traits: .ifMatch)

    package static let putCatalogueLogo = APIOperation(
        .put, "/api/v1/admin/catalogue/{id:uuid}/logo", "putCatalogueLogo", tag: .administration,
        access: .permission(.catalogueWrite), summary: "Set an item's logo",
        """
        The body is a PNG, JPEG or WebP image, recognised by its content whatever the declared type, of less than \
        500,000 bytes and at most 1024 pixels a side. The whole structure is checked; data after the image is refused.
        """, holes: [.id("The item's id.")], body: .other([.file], of: .any, "The image."),
        answers: [changedItem("The item with its `logo_url`.")], problems: [.unsupportedMediaType, .validationFailed],
        traits: .ifMatch)

    package static let deleteCatalogueLogo = APIOperation(
        .delete, "/api/v1/admin/catalogue/{id:uuid}/logo", "deleteCatalogueLogo", tag: .administration,
        access: .permission(.catalogueWrite), summary: "Remove an item's logo",
        "The file is deleted when no item has used it for 30 days.", holes: [.id("The item's id.")],
        answers: [.empty(204, "The item has no logo now.")], traits: .ifMatch)

    static let ofCatalogueEditing: [APIOperation] = [
        categories, adminCatalogue, createCatalogueItem, adminCatalogueItem, updateCatalogueItem, deleteCatalogueItem,
        catalogueItemBySlug, updateCatalogueItemBySlug, deleteCatalogueItemBySlug,
        putCatalogueLogo, deleteCatalogueLogo,
    ]

    /// The response with the changed item.
    static func changedItem(_ description: String) -> Answer {
        .json(AdminCatalogueItem.self, description, headers: [.itemETag, .vary])
    }

    static let shortItem: JSONValue = [
        "name": "Tokyo Metro", "category": "transport", "typical_amount": "1200", "currency": "JPY",
        "billing_cycle": "every:18m",
    ]
}

/// The query of the category list.
package struct CategoryQuery: WireObject {
    package let limit: Int
    package let cursor: String?

    package static let wire = WireSchema<CategoryQuery>(
        nil, make: CategoryQuery.init, Field("limit", \.limit, .pageLimit, "Categories on a page.", default: 50),
        Field("cursor", \.cursor, optional: .cursorText, "`next_cursor` of the page before. Opaque.")
    ) {
        $1.check(cursor: $0.cursor, of: .categories)
    }
}

extension PageCursor.List {
    /// The categories, sorted by name.
    package static let categories = PageCursor.List("categories", ids: 0)
}

/// A category that at least one item has.
package struct CatalogueCategory: WireObject {
    package let name: String
    package let count: Int

    package init(name: String, count: Int) {
        self.name = name
        self.count = count
    }

    package static let wire = WireSchema<CatalogueCategory>("CategoryCount") {
        Field("name", \.name, .category)
        Field("count", \.count, .integer(1...Int.max), "Number of items in the category.", example: 117)
    }
}

/// The query of the catalogue list for editors.
package struct AdminCatalogueQuery: WireObject {
    package let limit: Int
    package let cursor: String?
    package let filter: CatalogueListQuery

    package static let wire = WireSchema<AdminCatalogueQuery>(
        nil, make: AdminCatalogueQuery.init, Field("limit", \.limit, .pageLimit, "Items on a page.", default: 50),
        Field(
            "cursor", \.cursor, optional: .cursorText(maximumLength: 1024),
            "`next_cursor` of the page before, with all other parameters as they were there. Opaque."),
        Field(flattening: \.filter)
    ) {
        $1.check(cursor: $0.cursor, of: $0.filter.list)
    }
}

extension CatalogueListQuery: WireObject {
    package static let wire = WireSchema<CatalogueListQuery>(
        nil,
        make: {
            CatalogueListQuery(
                text: $0, category: $1, currency: $2, billingCycle: $3, hasLogo: $4, sort: $5)
        },
        Field(
            "q", \.text, optional: .filterText,
            "Only items with this text in name, slug or an alias, ignoring case and accents."),
        Field(
            "category", \.category, optional: .filterText,
            "Only items of this category. Categories are free: one that no item has gives an empty list."
        ),
        Field("currency", \.currency, optional: .currency, "Only items in this currency."),
        Field("billing_cycle", \.billingCycle, optional: .cycle, "Only items with this cycle."),
        Field("has_logo", \.hasLogo, optional: .boolean, "`true`: only items with a logo; `false`: those without."),
        Field(
            "sort", \.sort, .choice, "The order; `-` reverses it. Names are compared without case and accents.",
            default: CatalogueSort(field: .name)))
}

/// A change of an item.
package struct CatalogueChange: WireObject {
    private let name: Change<String>
    private let slug: Change<String>
    private let category: Change<String>
    private let amount: Change<String>
    private let currency: Change<Currency>
    private let billingCycle: Change<BillingCycle>
    private let optional: OptionalCatalogueFields

    package static let wire = WireSchema<CatalogueChange>(
        "CatalogueChange",
        "The fields to change; null clears an optional field. An amount with more decimals than its currency has is "
            + "refused, also when only the currency is given.",
        make: {
            CatalogueChange(
                name: $0, slug: $1, category: $2, amount: $3, currency: $4, billingCycle: $5, optional: $6)
        }, CatalogueDetails.named(Field("name", \.name, patch: .givenName)),
        Field("slug", \.slug, patch: .givenSlug), Field("category", \.category, patch: .givenCategory),
        Field("typical_amount", \.amount, patch: .givenAmount), Field("currency", \.currency, patch: .currency),
        Field("billing_cycle", \.billingCycle, patch: .cycle), Field(flattening: \.optional),
        rules: ["minProperties": 1]
    ) { change, reading in
        if change.jsonObject.members.isEmpty { reading.note(.required, "Must name a field to change.") }
    }

    /// Applies the change to the item and returns its draft. A new currency keeps the digits of the amount. Throws a
    /// fault if the amount does not fit the currency.
    package func draft(of item: CatalogueItem) throws(FaultList) -> CatalogueDraft {
        var draft = item.draft
        draft.name = name.applied(to: nil) ?? draft.name
        draft.slug = slug.applied(to: nil) ?? draft.slug
        draft.category = category.applied(to: nil) ?? draft.category
        do {
            draft.typicalAmount = try Money(
                decimal: amount.applied(to: nil) ?? draft.typicalAmount.decimal,
                currency: currency.applied(to: nil) ?? draft.typicalAmount.currency)
        } catch {
            throw [Fault("#/typical_amount", error.code, error.sentence)]
        }
        draft.billingCycle = billingCycle.applied(to: nil) ?? draft.billingCycle
        optional.apply(to: &draft)
        return draft
    }
}

extension APIOperation.Hole {
    fileprivate static var slug: APIOperation.Hole {
        .text("The item's slug.", ["type": "string", "pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$"], example: "netflix")
    }
}

package import Foundation
package import JSONWire
package import SubGuardDomain

/// Calls with which devices copy and search the catalogue.
extension APIOperation {
    public static let catalogue = APIOperation(
        .get, "/api/v1/catalogue", "listCatalogue", tag: .catalogue, access: .open,
        summary: "List the catalogue, or what changed in it",
        """
        Without `since`: every item by slug, page by page. The last page has `sync_token`.

        With `since`: only what changed since that token, in the order of the changes, with `deleted` on every page. \
        An item that changed and no longer matches `category` or `q` is listed in `deleted` with `merged_into` null.

        A token refers to a revision, not to a time. A token that is too old or from another database returns 410: \
        drop the copy and the token and read everything again.
        """, query: .object(CatalogueQuery.self),
        answers: [.json(CataloguePage.self, "A page.", examples: CataloguePage.examples)], problems: [.syncTokenExpired]
    )

    public static let catalogueItem = APIOperation(
        .get, "/api/v1/catalogue/{id:uuid}", "getCatalogueItem", tag: .catalogue, access: .open,
        summary: "Show an item", "The id of a merged item redirects to the item it was merged into.",
        holes: [.id("The item's id.")],
        answers: [
            .json(CatalogueItem.self, "The item."),
            .empty(301, "It was merged into another item.", headers: [.location]),
        ])

    public static let catalogueSearch = APIOperation(
        .get, "/api/v1/catalogue/search", "searchCatalogue", tag: .catalogue, access: .open,
        summary: "Complete a name",
        """
        The best match comes first: the whole name, its beginning, the beginning of a later word, the middle of a \
        word. An alias ranks just behind a name that matches in the same way. Case, accents and punctuation do not \
        matter. From four letters on, one typo is forgiven: a missing, additional or wrong letter, or two swapped \
        letters.
        """, query: .object(CatalogueSearchQuery.self),
        answers: [.json(WholeList<CatalogueMatch>.self, "The best matches, best first.")])

    public static let logo = APIOperation(
        .get, "/logos/{file}", "getLogo", tag: .catalogue, access: .open, summary: "Show the image of a logo",
        """
        The name is the SHA-256 of the content, so a response can be cached forever. The type is that of the image; it \
        is declared as `application/octet-stream` for code generators, which have no image types.
        """,
        holes: [
            .text(
                "The last part of an item's `logo_url`. Anything else is 404.",
                ["type": "string", "pattern": #"^[0-9a-f]{64}\.(?:png|jpg|webp)$"#],
                example: "9f2c5a7e1b3d4f60718293a4b5c6d7e8f9012a3b4c5d6e7f8091a2b3c4d5e6f7.png")
        ],
        answers: [
            .other(
                200,
                ["image/png", "image/jpeg", "image/webp"].map { type in
                    .other(type, ["type": "string", "contentMediaType": .string(type)], example: "(bytes)")
                } + [.file], "The image.", headers: [.contentTypeOptions])
        ], traits: .anyQuery)
}

/// The query of the catalogue or its changes.
package struct CatalogueQuery: WireObject {
    package let limit: Int
    package let cursor: String?
    package let category: String?
    package let text: String?
    package let since: String?

    package static let wire = WireSchema<CatalogueQuery>(
        nil, make: CatalogueQuery.init, Field("limit", \.limit, .pageLimit, "Items on a page.", default: 50),
        Field(
            "cursor", \.cursor, optional: .cursorText,
            "`next_cursor` of the page before, with all other parameters as they were there. Opaque."),
        Field(
            "category", \.category, optional: .filterText,
            "Only items of this category. Categories are free: one that no item has gives an empty list.",
            example: "streaming"),
        Field(
            "q", \.text, optional: .filterText,
            "Only items with this text in name, slug or an alias, ignoring case and accents."),
        Field(
            // Any text is accepted: an unreadable token is handled like an expired one, because the device must drop
            // both.
            "since", \.since, optional: .cursorText.read(as: .text()),
            "The `sync_token` of the local copy. Opaque."))
}

/// The query of a catalogue search.
package struct CatalogueSearchQuery: WireObject {
    package let text: String
    package let limit: Int

    package static let wire = WireSchema<CatalogueSearchQuery>(
        nil, make: CatalogueSearchQuery.init,
        Field("q", \.text, .filterText, "The text typed so far.", example: "netfix"),
        Field("limit", \.limit, .pageLimit, "Items on a page.", default: 50))
}

/// One page of the catalogue, or of the changes since a token.
package struct CataloguePage: WireObject {
    /// An item to remove from the copy, and its primary if it was merged.
    package struct Deletion: WireObject, Hashable {
        package let id: UUID
        package let mergedInto: UUID?

        package init(id: UUID, mergedInto: UUID?) {
            self.id = id
            self.mergedInto = mergedInto
        }

        package static let wire = WireSchema<Deletion>(
            "DeletedItem", make: { Deletion(id: $0, mergedInto: $1) }, Field("id", \.id, .id),
            Field(
                "merged_into", \.mergedInto, nullable: .id, "The item into which it was merged; null without a merge."))
    }

    package let items: [CatalogueItem]
    /// Nil when the whole catalogue is listed.
    package let deleted: [Deletion]?
    package let nextCursor: String?
    /// Set only on the last page.
    package let syncToken: String?

    package init(items: [CatalogueItem], deleted: [Deletion]?, nextCursor: String?, syncToken: String?) {
        self.items = items
        self.deleted = deleted
        self.nextCursor = nextCursor
        self.syncToken = syncToken
    }

    /// An unreadable item makes the whole page unreadable, because a copy without it would be incomplete.
    package static let wire = WireSchema<CataloguePage>(
        "CataloguePage", "The whole catalogue, or what changed since a token, page by page.",
        make: { CataloguePage(items: $0, deleted: $1, nextCursor: $2, syncToken: $3) },
        Field("items", \.items, .array(of: .object, count: 0...500)),
        Field(
            "deleted", \.deleted, optional: .array(of: .object, count: 0...500),
            "With `since` only: the items to remove from the copy."),
        Field(
            "next_cursor", \.nextCursor, nullable: .text(1...Int.max),
            "Send it back as `cursor` for the next page; null on the last one.", example: nil),
        Field(
            "sync_token", \.syncToken, optional: .text(1...Int.max),
            "On the last page only: store it, and send it as `since` next time.", example: "AZ8Kd1xqT0uRAAAAAAAABLQ"),
        rules: [
            "if": ["properties": ["next_cursor": ["type": "null"]]], "then": ["required": ["sync_token"]],
            "else": ["properties": ["sync_token": false]],
        ]
    ) { page, reading in
        guard page.nextCursor == nil, page.syncToken == nil else { return }
        reading.at("sync_token") { reading.note(.required, "Must be given on the last page.") }
    }

    /// By hand, because servers write thousands of items for each new revision.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for item in items { item.write(to: &writer) }
        writer.endArray()
        if let deleted {
            writer.key("deleted")
            writer.beginArray()
            for deletion in deleted {
                writer.beginObject()
                writer.field("id", deletion.id.lowercased)
                writer.field("merged_into", deletion.mergedInto?.lowercased)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.field("next_cursor", nextCursor)
        if let syncToken { writer.field("sync_token", syncToken) }
        writer.endObject()
    }

    fileprivate static let examples: [(name: String, value: JSONValue)] = [
        ("first_page", ["items": [CatalogueItem.wire.example], "next_cursor": "bDoxMjA0Om5ldGZsaXg"]),
        ("last_page", wire.example),
        (
            "changes",
            [
                "items": [CatalogueItem.wire.example],
                "deleted": [
                    [
                        "id": "01934f0e-7c2b-7a10-8f00-1b2c3d4e5f60",
                        "merged_into": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
                    ]
                ], "next_cursor": .null, "sync_token": "AZ8Kd1xqT0uRAAAAAAAABLQ",
            ]
        ),
    ]
}

/// A search result with its score and the matched name or alias.
package struct CatalogueMatch: WireObject {
    package let item: CatalogueItem
    package let score: Int
    package let matched: String

    package init(item: CatalogueItem, score: Int, matched: String) {
        self.item = item
        self.score = score
        self.matched = matched
    }

    package static let wire = WireSchema<CatalogueMatch>("CatalogueMatch") {
        Field(flattening: \.item)
        Field("score", \.score, .integer(35...100), "100 for the whole name, less for a weaker match.", example: 60)
        Field("matched", \.matched, .name, "The name or alias that matched, as it is spelled.", example: "Netflix")
    }
}

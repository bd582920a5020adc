package import Catalogue
package import Foundation
import JSONWire
package import ServerAccess
package import SubGuardContract
import SubGuardDomain
import TextCoding

/// Calls on likely duplicates, merges, the history of an item, and undo.
extension APIOperation {
    package static let mergeCatalogueItems = APIOperation(
        .post, "/api/v1/admin/catalogue/{id:uuid}/merge", "mergeCatalogueItems", tag: .administration,
        access: .permission(.catalogueWrite), summary: "Merge duplicates into an item",
        """
        In one transaction: names and aliases of the duplicates become aliases, empty fields are filled from them, \
        approved suggestions and the ranking move to the item, and the old ids redirect permanently. Devices receive \
        them with `merged_into`.
        """, holes: [.id("The item's id.")], body: .json(CatalogueMerge.self, "What to merge."),
        answers: [changedItem("The item as it is now.")], traits: .ifMatch)

    package static let catalogueHistory = APIOperation(
        .get, "/api/v1/admin/catalogue/{id:uuid}/history", "getCatalogueHistory", tag: .administration,
        access: .permission(.catalogueRead), summary: "List the changes of an item",
        """
        Its rows of the audit log, newest first, even if the item is deleted or merged. Send a row's `sequence` to \
        undo that change. Without the permission `audit.read`, `actor`, `token_id` and `request_id` are null.
        """, holes: [.id("The item's id.")], query: .object(CatalogueHistoryQuery.self),
        answers: [.json(ListPage<AuditEntry>.self, "A page of changes.")])

    package static let undoCatalogueChange = APIOperation(
        .post, "/api/v1/admin/catalogue/{id:uuid}/undo", "undoCatalogueChange", tag: .administration,
        access: .permission(.catalogueWrite), summary: "Undo a change",
        """
        Restores the item as it was before one of its changes, by default the latest. A deleted item returns under its \
        id; undoing the creation of an item deletes it. Undoing a merge, from any of its items, restores all of them, \
        with their aliases and suggestions. An undo can itself be undone.
        """, holes: [.id("The item's id.")],
        body: .json(CatalogueUndo.self, "The change to undo. Default: the latest.", required: false),
        answers: [changedItem("The restored item."), .empty(204, "The item is deleted, or merged again.")],
        problems: [.slugTaken, .conflict], traits: .ifMatch)

    package static let catalogueDuplicates = APIOperation(
        .get, "/api/v1/admin/catalogue/duplicates", "listCatalogueDuplicates", tag: .administration,
        access: .permission(.catalogueRead), summary: "List likely duplicates",
        """
        Pairs of items whose names or aliases resemble each other, best first. A score of 100 means the same name, \
        ignoring case, accents and blanks; from 90 on, names differ in a plan, a country or by one typo. The same \
        domain raises the score, another one lowers it. Dismissed pairs are not listed.
        """, query: .object(DuplicateQuery.self),
        answers: [.json(ListPage<DuplicatePair>.self, "A page of pairs.")])

    package static let dismissDuplicate = APIOperation(
        .post, "/api/v1/admin/catalogue/duplicates/dismiss", "dismissCatalogueDuplicate", tag: .administration,
        access: .permission(.catalogueWrite), summary: "Declare two items not to be duplicates",
        """
        The pair leaves the list of likely duplicates, until one of the items is deleted or merged. The order of the \
        ids does not matter; repeating it changes nothing.
        """, body: twoItems,
        answers: [.empty(204, "The items are different services.")])

    private static let twoItems = Body.json(
        DistinctItems.self, "The two items.",
        examples: [
            (
                "pair",
                [
                    "first": "0192f3a4-5b6c-7d8e-9f00-112233445566", "second": "0192f3a4-5b6c-7d8e-9f00-112233445567",
                ]
            )
        ])

    package static let restoreDuplicate = APIOperation(
        .post, "/api/v1/admin/catalogue/duplicates/restore", "restoreCatalogueDuplicate", tag: .administration,
        access: .permission(.catalogueWrite), summary: "List two items as duplicates again",
        "Undoes a dismissal. Repeating it changes nothing.", body: twoItems,
        answers: [.empty(204, "The pair is listed again, if its score is high enough.")])

    static let ofCatalogueReview: [APIOperation] = [
        mergeCatalogueItems, catalogueHistory, undoCatalogueChange, catalogueDuplicates, dismissDuplicate,
        restoreDuplicate,
    ]
}

/// The request to merge duplicates into an item.
package struct CatalogueMerge: WireObject {
    package let duplicateIDs: [UUID]

    package init(duplicateIDs: [UUID]) { self.duplicateIDs = duplicateIDs }

    package static let wire = WireSchema<CatalogueMerge>(
        "CatalogueMerge", make: CatalogueMerge.init(duplicateIDs:),
        Field(
            "duplicate_ids", \.duplicateIDs,
            .set(of: .givenID, count: 1...CatalogueStore.maximumMerged, called: "ids")))
}

/// Two items that look alike.
package struct DistinctItems: WireObject {
    package let first: UUID
    package let second: UUID

    package init(first: UUID, second: UUID) {
        self.first = first
        self.second = second
    }

    package static let wire = WireSchema<DistinctItems>(
        "DistinctItems", make: DistinctItems.init(first:second:), Field("first", \.first, .givenID, "An item's id."),
        Field("second", \.second, .givenID, "The other item's id."))
}

/// The query of an item's history. The cursor belongs to that item's list.
package struct CatalogueHistoryQuery: WireObject {
    package let limit: Int
    package let cursor: String?

    package static let wire = WireSchema<CatalogueHistoryQuery>(
        nil, make: CatalogueHistoryQuery.init, Field("limit", \.limit, .pageLimit, "Changes on a page.", default: 50),
        Field("cursor", \.cursor, optional: .cursorText, "`next_cursor` of the page before. Opaque."))
}

/// The request to undo a change of an item.
package struct CatalogueUndo: WireObject {
    package let sequence: Int64?

    package static let wire = WireSchema<CatalogueUndo>(
        "CatalogueUndo", make: CatalogueUndo.init,
        Field(
            "sequence", \.sequence, optional: .integer(), orNull: true, "`sequence` of the change in the history.",
            example: 4711))
}

/// The query of the list of likely duplicates.
package struct DuplicateQuery: WireObject {
    package let limit: Int
    package let cursor: String?
    package let minimumScore: Int

    package static let wire = WireSchema<DuplicateQuery>(
        nil, make: DuplicateQuery.init, Field("limit", \.limit, .pageLimit, "Pairs on a page.", default: 50),
        Field(
            "cursor", \.cursor, optional: .cursorText,
            "`next_cursor` of the page before, with all other parameters as they were there. Opaque."),
        Field("min_score", \.minimumScore, .integer(0...100), "Minimum score.", default: 80)
    ) {
        $1.check(cursor: $0.cursor, of: $0.list)
    }

    /// The list that cursors belong to.
    package var list: PageCursor.List { PageCursor.List("duplicates", ids: 2, "\(minimumScore)") }
}

/// Two items that may be the same service.
package struct DuplicatePair: WireObject {
    package let pair: CatalogueDuplicate
    package let items: [AdminCatalogueItem]

    package init(_ pair: CatalogueDuplicate, items: [AdminCatalogueItem]) {
        self.pair = pair
        self.items = items
    }

    package static let wire = WireSchema<DuplicatePair>("Duplicate") {
        Field("score", \.pair.score, .integer(0...100), example: 95)
        Field("reasons", \.pair.reasons, .array(of: .choice), example: [.similarName, .sameWebsite])
        Field("items", \.items, .array(of: .object, count: 2...2))
    }
}

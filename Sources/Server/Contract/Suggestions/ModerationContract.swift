package import Catalogue
package import Foundation
import JSONWire
package import SubGuardContract
package import SubGuardDomain

/// Calls that moderate suggestions.
extension APIOperation {
    package static let adminSuggestions = APIOperation(
        .get, "/api/v1/admin/suggestions", "listAdminSuggestions", tag: .administration,
        access: .permission(.suggestionsModerate), summary: "List suggestions",
        """
        Grouped by name, ignoring case and accents. `nearest_item` is the item that a pending suggestion probably \
        means. In a word that mixes alphabets, letters that look like Latin ones are compared as Latin letters.
        """, query: .object(SuggestionQuery.self),
        answers: [.json(ListPage<ModeratedSuggestion>.self, "A page of suggestions.")])

    package static let approveSuggestion = APIOperation(
        .post, "/api/v1/admin/suggestions/{id:uuid}/approve", "approveSuggestion", tag: .administration,
        access: .permission(.suggestionsModerate), summary: "Approve a suggestion",
        """
        With the fields of an item, the suggestion becomes a new item, with the suggested name unless the body has a \
        `name`. With `merge_into`, the name becomes an alias of that item. Everything is one transaction.
        """, holes: [.id("The suggestion's id.")],
        body: .json(
            SuggestedItem.self, or: SuggestionMerge.self, "The fields of a new item, or the id of an existing one.",
            examples: [("item", SuggestedItem.wire.example), ("alias", SuggestionMerge.wire.example)]),
        answers: [.json(DecidedSuggestion.self, "The suggestion and its item.")],
        problems: [.alreadyDecided, .slugTaken, .idTaken])

    package static let rejectSuggestion = APIOperation(
        .post, "/api/v1/admin/suggestions/{id:uuid}/reject", "rejectSuggestion", tag: .administration,
        access: .permission(.suggestionsModerate), summary: "Reject a suggestion",
        """
        It leaves the queue and does not return when the name is suggested again. Rejecting it again changes nothing. \
        A reason can be given with `POST /api/v1/admin/suggestions/bulk`.
        """, holes: [.id("The suggestion's id.")], answers: [.json(DecidedSuggestion.self, "The suggestion.")],
        problems: [.alreadyDecided])

    package static let reopenSuggestion = APIOperation(
        .post, "/api/v1/admin/suggestions/{id:uuid}/reopen", "reopenSuggestion", tag: .administration,
        access: .permission(.suggestionsModerate), summary: "Reopen a suggestion",
        """
        Puts an approved or rejected suggestion back into the queue. The item or alias that an approved one became \
        stays. Reopening a pending suggestion changes nothing.
        """, holes: [.id("The suggestion's id.")], answers: [.json(DecidedSuggestion.self, "The suggestion.")])

    package static let moderateSuggestions = APIOperation(
        .post, "/api/v1/admin/suggestions/bulk", "moderateSuggestions", tag: .administration,
        access: .permission(.suggestionsModerate), summary: "Decide on many suggestions",
        """
        One transaction, with a result for each id. `approve` makes each name an alias of its `nearest_item` if that \
        has a score of 85 or more; for others, name the item with `POST /api/v1/admin/suggestions/{id}/approve`. \
        `undo` reopens, and removes the alias or item that the approval made, unless the item was changed since \
        (`item_changed`). The name of a deleted suggestion can be suggested again.
        """, body: .json(SuggestionDecision.self, "The suggestions and the action."),
        answers: [.json(SuggestionOutcomes.self, "The result for each suggestion.")])

    static let ofModeration: [APIOperation] = [
        adminSuggestions, approveSuggestion, rejectSuggestion, reopenSuggestion, moderateSuggestions,
    ]
}

/// The query of the suggestion list.
package struct SuggestionQuery: WireObject {
    package enum Status: String, Sendable, CaseIterable {
        case pending
        case approved
        case rejected
        case all
    }

    package let limit: Int
    package let cursor: String?
    private let status: Status
    private let sort: SuggestionListQuery.Sort
    private let text: String?

    package static let wire = WireSchema<SuggestionQuery>(
        nil, make: { SuggestionQuery(limit: $0, cursor: $1, status: $2, sort: $3, text: $4) },
        Field("limit", \.limit, .pageLimit, "Suggestions on a page.", default: 50),
        Field(
            "cursor", \.cursor, optional: .cursorText,
            "`next_cursor` of the page before, with all other parameters as they were there. Opaque."),
        Field("status", \.status, .choice, "Only suggestions with this status.", default: .pending),
        Field("sort", \.sort, .choice, "The order, largest first.", default: .count),
        Field("q", \.text, optional: .filterText, "Only names that contain this text, ignoring case and accents.")
    ) {
        $1.check(cursor: $0.cursor, of: $0.filter.list)
    }

    /// The query of the database.
    package var filter: SuggestionListQuery {
        SuggestionListQuery(status: SuggestionGroup.Status(rawValue: status.rawValue), sort: sort, text: text)
    }
}

/// The suggestions of one name, as shown to moderators.
package struct ModeratedSuggestion: WireObject {
    private let group: SuggestionGroup
    private let scripts: NameScripts
    private let nearest: CatalogueNearest?

    /// - Parameter nearest: returns the item most similar to a name.
    package init(_ group: SuggestionGroup, nearest: (String) -> CatalogueNearest?) {
        self.group = group
        scripts = NameScripts(of: group.name)
        self.nearest = group.status == .pending ? nearest(scripts.lookalike) : nil
    }

    package static let wire = WireSchema<ModeratedSuggestion>("SuggestionGroup", "Suggestions of one name.") {
        Field("id", \.group.id, .id)
        Field("name", \.group.name, .givenName, example: "Netfix")
        Field("status", \.group.status, .choice)
        Field("count", \.group.count, .integer(1...Int64.max), example: 12)
        Field("first_seen_at", \.group.firstSeenAt, .instant)
        Field("last_seen_at", \.group.lastSeenAt, .instant)
        Field("item_id", \.group.itemID, nullable: .id, "The item that it became.", example: nil)
        Field("decided_at", \.group.decidedAt, nullable: .instant, example: nil)
        Field(
            "mixed_scripts", \.scripts.isMixed, .boolean,
            "Whether one word of the name has letters of several alphabets that look alike, such as a Cyrillic `е` "
                + "among Latin letters. Check such a name carefully before you approve it.", example: false)
        Field(
            "scripts", \.scripts.all, .set(of: .choice), "The alphabets of the name that have look-alike letters.",
            example: [.latin])
        Field("nearest_item", \.nearest, nullable: .object, "The item that it probably means.")
    }
}

extension CatalogueNearest: WireObject {
    package static let wire = WireSchema<CatalogueNearest>("NearestItem") {
        Field("id", \.id, .id)
        Field("name", \.name, .givenName)
        Field("score", \.score, .integer(0...100), example: 86)
    }
}

/// The request to approve a suggestion as a new item.
package struct SuggestedItem: WireObject {
    package let id: UUID?
    private let name: String?
    private let details: CatalogueDetails

    package static let wire = WireSchema<SuggestedItem>(
        "SuggestedItem", "Creates a new item. Default for `name`: the suggested name.",
        make: { SuggestedItem(id: $0, name: $1, details: $2) }, Field("id", \.id, optional: .givenID),
        CatalogueDetails.named(Field("name", \.name, optional: .givenName)), Field(flattening: \.details),
        rules: CatalogueDetails.rules)

    /// The draft of the item, named after the suggestion unless the request contains a name.
    package func draft(suggested: String) -> CatalogueDraft {
        NewCatalogueItem(id: id, name: name ?? suggested, details: details).draft()
    }
}

/// The request to approve a suggestion as an alias of an item.
package struct SuggestionMerge: WireObject {
    package let itemID: UUID

    package static let wire = WireSchema<SuggestionMerge>(
        "SuggestionMerge", make: SuggestionMerge.init, Field("merge_into", \.itemID, .givenID, "The item's id."))
}

/// A suggestion after a decision.
package struct DecidedSuggestion: WireObject {
    private let suggestion: ModeratedSuggestion
    private let item: AdminCatalogueItem?

    package init(_ suggestion: ModeratedSuggestion, item: CatalogueItem?) {
        self.suggestion = suggestion
        self.item = item.map(AdminCatalogueItem.init)
    }

    package static let wire = WireSchema<DecidedSuggestion>("DecidedSuggestion") {
        Field("suggestion", \.suggestion, .object)
        Field("item", \.item, nullable: .object, "The new item, or the item that has the name as an alias.")
    }
}

/// One decision on several suggestions.
package struct SuggestionDecision: WireObject {
    package let ids: [UUID]
    package let action: SuggestionStore.BulkAction
    package let reason: String?

    package static let wire = WireSchema<SuggestionDecision>(
        "SuggestionDecision", make: SuggestionDecision.init,
        Field("ids", \.ids, .set(of: .givenID, count: 1...500, called: "ids")),
        Field(
            "action", \.action, .choice,
            "`approve` makes each name an alias of its nearest item, from a score of 85 on.", example: .reject),
        Field(
            "reason", \.reason, optional: .reason, orNull: true,
            "Reason for the audit log: 1 to 500 characters, no control characters. White space around it is removed.")
    )
}

/// The results of a decision on several suggestions.
package struct SuggestionOutcomes: WireObject {
    private struct Outcome: WireObject {
        let id: UUID
        let outcome: SuggestionOutcome

        static let wire = WireSchema<Outcome>("SuggestionResult") {
            Field("id", \.id, .id)
            Field("result", \.outcome, .choice, example: .rejected)
        }
    }

    private let results: [Outcome]

    package init(_ outcomes: [(id: UUID, outcome: SuggestionOutcome)]) {
        results = outcomes.map { Outcome(id: $0.id, outcome: $0.outcome) }
    }

    package static let wire = WireSchema<SuggestionOutcomes>("SuggestionResults") {
        Field("results", \.results, .array(of: .object))
    }
}

extension WireType where Value == String {
    /// A reason or a note of an operator: trimmed, without control characters.
    static var reason: WireType {
        WireType { _ in
            [
                "type": "string", "minLength": 1, "maxLength": 500,
                "pattern": .string(CataloguePatterns.trimmed(500, refusing: #"\u0000-\u001F\u007F-\u009F"#)),
            ]
        } example: {
            "spam"
        } write: {
            $1.string($0)
        } read: { json, reading in
            guard let text = reading.text(json).map(CatalogueRules.trimmed) else { return nil }
            guard !text.isEmpty else {
                reading.note(.required, "Must not be empty.")
                return nil
            }
            guard (1...500).contains(text.unicodeScalars.count) else {
                reading.note(.outOfRange, "Must have 1 to 500 characters.")
                return nil
            }
            guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                reading.note(.invalidCharacters, "Must not contain control characters.")
                return nil
            }
            return text
        }
    }
}

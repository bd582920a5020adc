package import Foundation
import JSONWire

extension APIOperation {
    public static let suggestions = APIOperation(
        .post, "/api/v1/suggestions", "submitSuggestions", tag: .suggestions, access: .open,
        summary: "Suggest services that are missing in the catalogue",
        """
        One suggestion, or up to 100 from the queue of a device. An id counts once however often it is sent. Nothing \
        about the sender is stored. The body has at most 256 KiB.
        """,
        body: .json(
            Suggestion.self, or: SuggestionQueue.self, "A name and an id, or several.",
            examples: [("one", Suggestion.wire.example), ("queue", SuggestionQueue.wire.example)]),
        answers: [.json(SuggestionReceipt.self, "The suggestions are stored.", status: 202)])
}

/// The name of a service missing from the catalogue.
package struct Suggestion: WireObject, Hashable {
    /// Created once by the device, so that a resent suggestion counts once.
    package let id: UUID
    /// Trimmed when parsed.
    package let name: String

    package init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }

    package static let wire = WireSchema<Suggestion>(
        "Suggestion", "A suggested service that the catalogue lacks.", make: { Suggestion(id: $0, name: $1) },
        Field("id", \.id, .givenID, "Created by the device; repeated suggestions are recognised by it."),
        Field("name", \.name, .givenName, example: "Ciné « Le Méliès »"))
}

/// Suggestions that a device queued while offline.
package struct SuggestionQueue: WireObject {
    package let suggestions: [Suggestion]

    /// Number of suggestions per request.
    package static let batchSize = 1...100

    package init(_ suggestions: some Collection<Suggestion>) { self.suggestions = Array(suggestions) }

    package static let wire = WireSchema<SuggestionQueue>(
        "SuggestionQueue", "Suggestions that a device queued while it was offline.",
        make: { (suggestions: [Suggestion]) in SuggestionQueue(suggestions) },
        Field("suggestions", \.suggestions, .array(of: .object, count: batchSize, called: "suggestions")))
}

/// The response to suggestions.
package struct SuggestionReceipt: WireObject, Hashable {
    package let accepted: Int
    /// Number of suggestions whose id was received before or occurs twice in the request.
    package let duplicates: Int

    package init(accepted: Int, duplicates: Int) {
        self.accepted = accepted
        self.duplicates = duplicates
    }

    package static let wire = WireSchema<SuggestionReceipt>(
        "SuggestionReceipt", make: { SuggestionReceipt(accepted: $0, duplicates: $1) },
        Field("accepted", \.accepted, .integer(0...SuggestionQueue.batchSize.upperBound)),
        Field(
            "duplicates", \.duplicates, .integer(0...SuggestionQueue.batchSize.upperBound),
            "Number of suggestions whose id was already known."))
}

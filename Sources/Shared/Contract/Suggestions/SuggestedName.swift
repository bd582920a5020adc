package import Foundation
package import JSONWire
import SubGuardDomain

/// The name of a service that somebody misses in the catalogue: all that a suggestion holds.
package struct SuggestedName: Sendable, Hashable {
    /// Made once by the device, so that a suggestion that is sent again counts once.
    package let id: UUID
    package let name: String

    /// How many go in one request.
    package static let batchSize = 1...100

    package init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }

    /// The body of a request with these suggestions.
    package static func body(of suggestions: some Collection<SuggestedName>) -> [UInt8] {
        var writer = JSONWriter(capacity: 32 + suggestions.count * 128)
        writer.beginObject()
        writer.key("suggestions")
        writer.beginArray()
        for suggestion in suggestions {
            writer.beginObject()
            writer.field("id", suggestion.id.lowercased)
            writer.field("name", suggestion.name)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}

/// What the server did with suggestions.
package struct SuggestionAnswer: Sendable, Hashable {
    package let accepted: Int
    /// Ids that the server knew already.
    package let duplicates: Int

    package init(accepted: Int, duplicates: Int) {
        self.accepted = accepted
        self.duplicates = duplicates
    }

    package init?(wire object: JSONObject) {
        guard let accepted = object["accepted"]?.integerValue.flatMap({ Int(exactly: $0) }),
            let duplicates = object["duplicates"]?.integerValue.flatMap({ Int(exactly: $0) })
        else { return nil }
        self.init(accepted: accepted, duplicates: duplicates)
    }

    package func json() -> [UInt8] {
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        writer.field("accepted", accepted)
        writer.field("duplicates", duplicates)
        writer.endObject()
        return writer.bytes
    }
}
